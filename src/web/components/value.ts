import type { Choice, ChoiceValue } from '../../schema/choices.ts'
import type { Field } from '../../schema/field.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { isSecret } from '../../schema/writable.ts'
import { type Content, type Html, html } from '../html.ts'
import { numeral, translate, translateLabel } from '../texts/translate.ts'

/** Information beyond the value itself that its display needs. */
export interface DisplayOptions {
  readonly basePath: string
  /** Path of an object's page, below the base path, by the object's URL in the API. */
  readonly pageOf: (url: string) => string | undefined
  /** Title of the model of this name, such as `dcim.site`. */
  readonly modelTitle: (name: string) => string | undefined
  /** Texts that distinguish objects of the same name, by the URL of the object in the API. */
  readonly contexts: ReadonlyMap<string, string>
  /** Colours that references do not contain, by the URL of the object in the API. */
  readonly colors?: ReadonlyMap<string, string>
}

/** Shown for an empty value. */
export const EMPTY: Html = html`<span class="empty" aria-hidden="true">—</span>`

/** A value of a field in readable form: links with context, colours of choices, marks for yes and no. */
export function valueDisplay(field: Field | undefined, value: Json | undefined, options: DisplayOptions): Content {
  if (value === undefined || value === null || value === '') return EMPTY
  if (isSecret(field)) return secretDisplay(String(value))
  // Some responses have the bare value of a choice.
  const label = choiceLabel(field, value)
  if (label !== undefined) return choiceDisplay(field, { value, label })
  if (Array.isArray(value)) return listDisplay(field, value, options)
  if (isJsonObject(value)) return objectDisplay(field, value, options)
  if (typeof value === 'boolean') return booleanDisplay(value)
  if (typeof value === 'string') return textDisplay(field, value, options)
  return String(value)
}

/** A key behind a button: it appears on the screen only when the user asks for it. */
const secretDisplay = (secret: string): Html =>
  html`<details class="secret-value"><summary class="button quiet small">${translate('Show the secret')}</summary><code>${secret}</code></details>`

/** The choices of a field; none for a field without. */
export const choicesOf = (field: Field | undefined): readonly Choice<ChoiceValue>[] =>
  (field && 'choices' in field ? field.choices?.list : undefined) ?? []

/** Label of the choice that a field stores as this value; undefined for all other fields and values. */
export const choiceLabel = (field: Field | undefined, value: Json): string | undefined =>
  choicesOf(field).find((choice) => choice.value === value)?.label

/** The value followed by its unit, and numbers with separators; empty values have no unit. */
export function withUnit(value: Content, unit: string | undefined): Content {
  if (value === EMPTY || unit === undefined) return value
  const number = Number(value)
  if (unit === 'kbps') return speedText(number)
  const isPlain = typeof value === 'string' && Number.isInteger(number)
  return html`${isPlain ? numeral(number) : value} ${unit}`
}

/** A speed in the largest unit in which it is at least 1. */
export function speedText(kbps: number): string {
  if (kbps >= 1_000_000_000) return translate('{speed} Tbps', { speed: kbps / 1_000_000_000 })
  if (kbps >= 1_000_000) return translate('{speed} Gbps', { speed: kbps / 1_000_000 })
  return kbps >= 1000 ? translate('{speed} Mbps', { speed: kbps / 1000 }) : translate('{speed} kbps', { speed: kbps })
}

export const booleanDisplay = (value: boolean): Html =>
  value ? html`<span class="yes">${translate('Yes')}</span>` : html`<span class="no">${translate('No')}</span>`

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

/** Fields whose texts are names of models. */
const NAMES_MODELS: ReadonlySet<string | undefined> = new Set([
  'objectType',
  'objectTypes',
  'genericForeignKey',
] satisfies Field['kind'][])

function textDisplay(field: Field | undefined, value: string, { modelTitle }: DisplayOptions): Content {
  if (NAMES_MODELS.has(field?.kind)) return html`<bdi>${modelTitle(value) ?? value}</bdi>`
  if (TIMESTAMP.test(value)) return timestampDisplay(value)
  if (field?.kind === 'date') return html`<time datetime="${value}">${value}</time>`
  if (field?.kind === 'text' && field.format === 'url' && /^https?:\/\//.test(value)) {
    return html`<a href="${value}" rel="noreferrer">${value}</a>`
  }
  if (field?.kind === 'text' && field.format === 'color' && /^[0-9a-f]{6}$/i.test(value)) {
    return colorDisplay(value)
  }
  return html`<bdi>${value}</bdi>`
}

/** A timestamp with its zone: `2026-11-27 13:52 UTC`. */
export function timestampText(timestamp: string, precision: 'minutes' | 'seconds' = 'minutes'): string {
  const [, offset = 'Z'] = /(Z|[+-]\d\d:\d\d)$/.exec(timestamp) ?? []
  const zone = offset === 'Z' || offset === '+00:00' ? 'UTC' : offset
  return `${timestamp.slice(0, 10)} ${timestamp.slice(11, precision === 'minutes' ? 16 : 19)} ${zone}`
}

/** A timestamp to the minute; a tooltip has the seconds. */
export const timestampDisplay = (timestamp: string): Html =>
  html`<time datetime="${timestamp}" title="${timestampText(timestamp, 'seconds')}">${timestampText(timestamp)}</time>`

/** A swatch of a colour, given as six hexadecimal digits. */
export const colorDisplay = (color: string): Html =>
  html`<svg class="swatch" viewBox="0 0 1 1" role="img" aria-label="${translate('Color {code}', { code: color })}"><rect width="1" height="1" fill="#${color}"/></svg>`

function listDisplay(field: Field | undefined, list: readonly Json[], options: DisplayOptions): Content {
  if (list.length === 0) return EMPTY
  const isRanges = field?.kind === 'list' && field.of === 'range'
  return html`<span class="items">${list.map(
    (part, index) =>
      html`${index > 0 && ', '}${Array.isArray(part) ? (isRanges ? rangeText(part) : pairText(part)) : valueDisplay(field, part, options)}`,
  )}</span>`
}

/** A value with its label, such as a choice of a set; the value alone if they are the same. */
const pairText = (pair: readonly Json[]): string => [...new Set(pair.map(String))].join(' – ')

const rangeText = ([low, high]: readonly Json[]): string => (low === high ? String(low) : `${low}–${high}`)

function objectDisplay(field: Field | undefined, object: JsonObject, options: DisplayOptions): Content {
  if (isJsonObject(object.object)) return objectDisplay(undefined, object.object, options)
  if (typeof object.url === 'string') return linkToObject(object, options)
  if ('value' in object && 'label' in object) return choiceDisplay(field, object)
  if (typeof object.display === 'string') return object.display
  if (field?.kind === 'json' && field.objectTypes) {
    const name = `${object.app_label}.${object.model}`
    return html`<bdi>${options.modelTitle(name) ?? name}</bdi>`
  }
  return html`<code class="document">${JSON.stringify(object, null, 1)}</code>`
}

/** A link to an object's page, with its context and colour. */
export function linkToObject(object: JsonObject, { basePath, pageOf, contexts, colors }: DisplayOptions): Html {
  const url = String(object.url)
  const page = pageOf(url)
  const name = html`<bdi>${nameOf(object)}</bdi>`
  const context = contexts.get(url)
  const code = object.color ?? (object.color === undefined ? colors?.get(url) : undefined)
  const color = typeof code === 'string' && /^[0-9a-f]{6}$/i.test(code) && colorDisplay(code)
  const link = page === undefined ? name : html`<a href="${basePath}${page}">${name}</a>`
  return html`${color}${link}${context !== undefined && html` <small class="context"><bdi>${context}</bdi></small>`}`
}

/** Whether the short form of an object has a name; that of a script's last job has a status instead. */
export const isNamed = ({ display, name }: JsonObject): boolean => typeof (display ?? name) === 'string'

function nameOf(object: JsonObject): string {
  const { display, name, status } = object
  if (!isNamed(object) && isJsonObject(status)) return translateLabel(String(status.label))
  return String(display ?? name ?? '')
}

/** The hue of a choice; undefined if it has none. */
export function choiceColour(field: Field | undefined, value: Json | undefined): string | undefined {
  // All "in use" states have the same colour.
  return value === 'active' ? 'green' : choicesOf(field).find((choice) => choice.value === value)?.colour
}

function choiceDisplay(field: Field | undefined, { value, label }: JsonObject): Html {
  const colour = choiceColour(field, value)
  return colour === undefined
    ? html`<span>${translateLabel(String(label))}</span>`
    : html`<span class="badge ${colour}">${translateLabel(String(label))}</span>`
}
