import { DEFINITIONS_CACHING } from '../../db/cache/cache.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { isScalar, kindOf } from '../../schema/field.ts'
import type { ControlKind } from '../../schema/fields/kind.ts'
import { pairText } from '../../schema/fields/list.ts'
import { namesInBody } from '../../schema/generic-keys.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { linkMenu } from '../components/menu.ts'
import { offersMethod } from '../components/offered-methods.ts'
import { mayActOn } from '../data/page-objects.ts'
import type { RequestedObject } from '../frame/object-content.ts'
import { type Content, html } from '../html.ts'
import { translate } from '../texts/translate.ts'
import { customLinksMenu } from './custom-links.ts'
import { markForms } from './marks.ts'

/** Models whose pages have another main action than Edit. */
const EDITED_SELDOM: ReadonlySet<string> = new Set([SYSTEM.branch, SYSTEM.changeRequest])

/** Buttons of an object's pages: edit, custom links, bookmark, subscribe, and a menu of what is needed more rarely. */
export async function objectButtons({ request, model, object }: RequestedObject, further: Content): Promise<Content> {
  const { actor, service } = request
  const { settings } = service
  const may = (action: 'change' | 'delete') => mayActOn(request, action, model, Number(object.id))
  const list = `${settings.basePath}${pagePathOf(model)}`
  const page = `${list}${object.id}/`
  const clone =
    offersMethod(model, 'POST') && mayAct(actor, 'add', model, settings)
      ? await cloneQuery(service, model, object)
      : undefined
  const [mayChange, mayDelete] = await Promise.all([
    offersMethod(model, 'PATCH') && may('change'),
    offersMethod(model, 'DELETE') && may('delete'),
  ])
  return html`<div class="actions">
${mayChange && html`<a class="button${EDITED_SELDOM.has(model.name) && ' quiet'}" data-key="e" href="${page}edit/">${translate('Edit')}</a>`}
${further}
${await customLinksMenu(request, model, page)}
${await markForms({ request, model, object })}
${linkMenu(
  translate('More actions'),
  [
    ...(clone ? [{ label: translate('Clone'), href: `${list}add/?${String(clone)}` }] : []),
    { label: 'API', href: `${settings.basePath}/api/${model.path}/${Number(object.id)}/` },
    ...(mayDelete ? [{ label: translate('Delete'), href: `${page}delete/`, isDangerous: true }] : []),
  ],
  { icon: 'more' },
)}
</div>`
}

/** Initial values of the form for a copy of the object; undefined for models that cannot be cloned. */
async function cloneQuery(service: Service, model: Model, object: JsonObject): Promise<URLSearchParams | undefined> {
  if (!model.has('cloning')) return undefined
  const { cloned = [] } = service.registry.view(model)
  const query = new URLSearchParams()
  const add = (name: string, texts: readonly string[]): void => {
    for (const text of texts) if (text !== '') query.append(name, text)
  }
  for (const name of cloned.flatMap((field) => namesInBody(model, field))) {
    const field = model.fields.get(name)
    const control = field && isScalar(field) ? kindOf(field).control(field) : undefined
    add(name, textsOf(object[name], control))
  }
  if ('tags' in object) add('tags', textsOf(object.tags))
  const custom = isJsonObject(object.custom_fields) ? object.custom_fields : {}
  for (const { name, type } of await cloneableCustomFields(service, model)) {
    add(`cf_${name}`, textsOf(custom[name], type === 'json' ? 'json' : undefined))
  }
  return query
}

/** A value as texts for the control of a form: an item of a list is one text, and so is a document. */
function textsOf(value: Json | undefined, control?: ControlKind): readonly string[] {
  if (value === undefined || value === null) return []
  if (control === 'json') return [JSON.stringify(value)]
  if (control === 'entries' && isJsonObject(value)) {
    return Object.entries(value).map(([name, text]) => `${name}: ${text}`)
  }
  return [value].flat().map(textOf)
}

/**
 * A value in the form for a form field: the id of an object, the value of a choice, a range of numbers, a choice with
 * its label.
 */
function textOf(value: Json): string {
  if (Array.isArray(value)) {
    const [first = '', second = ''] = value
    return typeof first === 'number' ? value.join('-') : pairText([String(first), String(second)])
  }
  if (isJsonObject(value)) {
    const key = value.id ?? value.value
    return key === undefined ? JSON.stringify(value) : String(key)
  }
  return value === null ? '' : String(value)
}

const cloneableCustomFields = async (
  { cache, database }: Service,
  model: Model,
): Promise<readonly { readonly name: string; readonly type: string }[]> =>
  model.fields.has('custom_fields')
    ? await cache.get(
        `cloned custom fields of ${model.name}`,
        () =>
          database.query<{ name: string; type: string }>(
            sql`select name, type from ${table(SYSTEM.customField)} where is_cloneable and ${model.name} = any(object_types)`,
          ),
        DEFINITIONS_CACHING,
      )
    : []
