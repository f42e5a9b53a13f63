import type { ApiRequest } from '../../api/api-request.ts'
import { mayAct } from '../../identity/permitted-rows.ts'
import { parametersOf } from '../../read/query/parameters.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Unique } from '../../schema/model.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import type { Model } from '../../schema/registry.ts'
import { duplicate } from '../../write/validate/unique.ts'
import { shownNoun } from '../components/model-title.ts'
import { readList } from '../data/page-objects.ts'
import { type Html, html } from '../html.ts'
import { translate, translateMarkup } from '../texts/translate.ts'
import { errorsByName, type FormMessages } from './edit-form.ts'

/** The values of a refused object: those that were entered, and those that are stored. */
interface RefusedObject {
  readonly body: Readonly<Record<string, unknown>>
  readonly object?: JsonObject | undefined
}

/**
 * The messages of a refusal in the words of pages, which say what to enter. If a unique value is taken, the message is
 * at its field and links to the object that has it, provided that the sender may view it.
 */
export async function pageMessages(
  request: ApiRequest,
  model: Model,
  messages: FormMessages,
  refused?: RefusedObject,
): Promise<FormMessages> {
  const worded: Record<string, (string | Html)[]> = {}
  const put = (path: string, text: string | Html): void => {
    worded[path] = [...(worded[path] ?? []), text]
  }
  for (const [path, texts] of errorsByName(messages)) {
    for (const text of texts) {
      const unique = typeof text === 'string' ? violatedConstraint(model, path, text) : undefined
      const taken = unique && refused && (await takenBy(request, model, unique, refused))
      const blocked = typeof text === 'string' && refused && (await blockedBy(request, model, text, refused))
      if (taken) put(ownField(model, unique), taken)
      else if (blocked) put(path, blocked)
      else put(path, typeof text === 'string' ? wordedText(model, path, text) : text)
    }
  }
  return worded
}

/** Words of the API for a value that is missing. */
const MISSING = /^This field (?:is required|may not be (?:blank|null))\.$/

function wordedText(model: Model, path: string, text: string): string {
  if (MISSING.test(text)) return translate('Required.')
  const limit = /^Ensure this value is (less|greater) than or equal to (-?[\d.]+)\.$/.exec(text)
  if (!limit) return text
  const [, direction, bound = ''] = limit
  const field = model.fields.get(path)
  const range = field && 'range' in field && Array.isArray(field.range) ? field.range.map(String) : undefined
  if (range) {
    const [low = '', high = ''] = range
    return translate('Enter a number from {low} to {high}.', { low, high })
  }
  return direction === 'less'
    ? translate('Enter a number of at most {limit}.', { limit: bound })
    : translate('Enter a number of at least {limit}.', { limit: bound })
}

/** The constraint of which the API says that its values are taken. */
function violatedConstraint(model: Model, path: string, text: string): Unique | undefined {
  const single = [...model.fields].flatMap(([name, field]): Unique[] =>
    'unique' in field && field.unique === true ? [{ fields: [name] }] : [],
  )
  return [...single, ...(model.definition.unique ?? [])].find((unique) => {
    const { place, sentence } = duplicate(model, unique)
    return sentence === text && (place === path || path === '' || path === 'non_field_errors')
  })
}

/** The field that tells the objects apart: the last one that is no relation. */
const ownField = (model: Model, { fields }: Unique): string =>
  fields.findLast((name) => model.fields.get(name)?.kind !== 'foreignKey') ?? fields.at(-1) ?? ''

/** Says which object has the values; undefined if the sender may not view it. */
async function takenBy(
  request: ApiRequest,
  model: Model,
  unique: Unique,
  { body, object: stored }: RefusedObject,
): Promise<Html | undefined> {
  const { registry, settings } = request.service
  if (!mayAct(request.actor, 'view', model, settings)) return undefined
  const parameters = parametersOf(registry, model)
  const query = new URLSearchParams({ limit: '2' })
  const relations = unique.fields.filter((name) => model.fields.get(name)?.kind === 'foreignKey')
  for (const name of unique.fields) {
    const parameter = relations.includes(name) ? `${name}_id` : unique.ignoreCase?.includes(name) ? `${name}__ie` : name
    const value = valueIn(body[name] ?? stored?.[name])
    if (!parameters.has(parameter)) return undefined
    if (value !== undefined) query.set(parameter, value)
  }
  const paths = ['id', 'display', ...relations]
  const { objects } = await readList(request, model, { query, paths, count: null })
  const taken = objects.find(({ id }) => id !== stored?.id)
  if (!taken) return undefined
  const link = html`<a href="${settings.basePath}${pagePathOf(model)}${Number(taken.id)}/"><bdi>${String(taken.display)}</bdi></a>`
  const name = ownField(model, unique)
  if (name !== 'name' && name !== 'model') return translateMarkup('{object} already has this value.', { object: link })
  const owner = relations.map((relation) => taken[relation]).find(isJsonObject)
  const kind = shownNoun(model)
  const isVowel = /^[aeio]/i.test(kind)
  if (!owner) {
    return isVowel
      ? translateMarkup('There is already an {model} called {object}.', { model: kind, object: link })
      : translateMarkup('There is already a {model} called {object}.', { model: kind, object: link })
  }
  const parts = { owner: html`<bdi>${String(owner.display)}</bdi>`, model: kind, object: link }
  return isVowel
    ? translateMarkup('{owner} already has an {model} called {object}.', parts)
    : translateMarkup('{owner} already has a {model} called {object}.', parts)
}

/** Words of the API for a device that does not fit into its place in a rack. */
const NO_PLACE = /^U([\d.]+) is occupied(?:, or there are fewer than ([\d.]+) free units above it)?\.$/

/** Says which device is in the place; undefined if the sender may not view it, or the rack is too low. */
async function blockedBy(
  request: ApiRequest,
  model: Model,
  text: string,
  { body, object: stored }: RefusedObject,
): Promise<Html | undefined> {
  const { settings } = request.service
  const [, unit, height = '1'] = NO_PLACE.exec(text) ?? []
  const rack = valueIn(body.rack ?? stored?.rack)
  if (unit === undefined || rack === undefined || !mayAct(request.actor, 'view', model, settings)) return undefined
  const query = new URLSearchParams({ rack_id: rack, limit: '0' })
  const paths = ['id', 'display', 'position', 'face', 'device_type.u_height']
  const { objects } = await readList(request, model, { query, paths, count: null })
  const first = Number(unit)
  const inPlace = objects.filter(({ id, position, 'device_type.u_height': units }) => {
    const lowest = position === null ? undefined : Number(position)
    return (
      id !== stored?.id && lowest !== undefined && lowest < first + Number(height) && first < lowest + Number(units)
    )
  })
  const face = valueIn(body.face ?? stored?.face)
  const [device] = [...inPlace.filter((object) => valueIn(object.face) === face), ...inPlace]
  if (!device) return undefined
  return translateMarkup('U{unit} is taken by {object}.', {
    unit: String(Math.max(first, Number(device.position))),
    object: html`<a href="${settings.basePath}${pagePathOf(model)}${Number(device.id)}/"><bdi>${String(device.display)}</bdi></a>`,
  })
}

/** A value as the text of a filter; undefined for none. */
function valueIn(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value !== 'object') return String(value)
  const { id, value: choice }: { readonly id?: unknown; readonly value?: unknown } = value
  return valueIn(id ?? choice)
}
