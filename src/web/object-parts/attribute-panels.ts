import type { Field } from '../../schema/field.ts'
import { genericPart } from '../../schema/generic-keys.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { FieldGroup } from '../../schema/view.ts'
import { isCopied } from '../components/copy-button.ts'
import { fieldAt, fieldLabel, unitAt, valueLabel } from '../components/field-label.ts'
import { renderedMarkdown } from '../components/markdown.ts'
import { type Attribute, attributesPanel } from '../components/panel.ts'
import { type DisplayOptions, EMPTY, linkToObject, valueDisplay, withUnit } from '../components/value.ts'
import { valueAt } from '../data/page-objects.ts'
import { isInlineField } from '../forms/inline-fields.ts'
import { type Content, html } from '../html.ts'
import { sentenceCase, translateMarkup } from '../texts/translate.ts'
import { codeBlock } from './code-block.ts'

/** An object with the values at the paths that its panels show. */
export interface PanelObject {
  readonly registry: Registry
  readonly model: Model
  readonly object: JsonObject
  readonly options: DisplayOptions
  /** The page is about this object, so its values can be changed in their places. */
  readonly isOfPage?: true
}

/** The panel of a group of fields; nothing if none of them has a value. */
export function attributePanel(panelObject: PanelObject, { label, fields }: FieldGroup): Content {
  const attributes = fields
    .filter((path) => !isPartOfRelation(panelObject, path))
    .map((path) => attributeOf(panelObject, path))
  return attributes.some(({ value }) => value !== EMPTY) && attributesPanel(sentenceCase(label), attributes)
}

/** Whether the field is the type or the id of a relation whose object is shown instead. */
function isPartOfRelation({ model, object }: PanelObject, path: string): boolean {
  const part = genericPart(model, path)
  if (!part || part.part === 'object' || part.field.shown === false) return false
  return isJsonObject(object[part.field.shown ?? part.relation])
}

/** The value at a path of an object, with its label and unit. */
export function attributeOf(panelObject: PanelObject, path: string): Attribute {
  const { registry, model, object, options } = panelObject
  const field = fieldAt(registry, model, path)
  const value = valueAt(object, path)
  return {
    label: valueLabel(registry, model, path, fieldLabel(registry, model, path)),
    isCopied: isCopied(model, path),
    inline: panelObject.isOfPage && isInlineField(registry, model, path) ? path : undefined,
    value: withUnit(valueOfField(path, field, value, options), unitAt(registry, model, path, object)),
  }
}

/** The brackets of a template. */
const TEMPLATE = /\{[{%]/

function valueOfField(
  path: string,
  field: Field | undefined,
  value: Json | undefined,
  options: DisplayOptions,
): Content {
  if (typeof value === 'string' && value !== '' && path.endsWith('comments')) return renderedMarkdown(value)
  if (field?.kind === 'text' && typeof value === 'string') {
    if (value.includes('\n')) return codeBlock(value)
    if (TEMPLATE.test(value)) return html`<code>${value}</code>`
  }
  if (field?.kind === 'json' && !field.objectTypes && value !== null && value !== undefined) {
    if (typeof value === 'object' && Object.keys(value).length === 0) return EMPTY
    return html`<pre class="document" tabindex="0">${JSON.stringify(value, null, 2)}</pre>`
  }
  const display = valueDisplay(field, value, options)
  return isJsonObject(value) ? html`${display}${translationOf(value, options)}` : display
}

/** The addresses to which NAT translates an address, and the one that it stands for. */
function translationOf({ nat_inside: inside, nat_outside: outside }: JsonObject, options: DisplayOptions): Content {
  const outer = objectsIn(outside)
  return [
    isJsonObject(inside) &&
      html` <small class="muted">${translateMarkup('NAT for {address}', { address: linkToObject(inside, options) })}</small>`,
    outer.length > 0 &&
      html` <small class="muted">${translateMarkup('NAT: {addresses}', { addresses: valueDisplay(undefined, outer, options) })}</small>`,
  ]
}
