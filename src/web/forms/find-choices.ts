import type { ApiRequest } from '../../api/api-request.ts'
import { ApiError } from '../../base/errors.ts'
import { mayAct, rowSecurityOf } from '../../identity/permitted-rows.ts'
import { cachedNumbers } from '../../read/query/cached-column.ts'
import { compileFilters } from '../../read/query/compile-filters.ts'
import { compileOrder } from '../../read/query/order.ts'
import { sliceStatement } from '../../read/query/slice.ts'
import { compileWords, numberApart } from '../../read/query/words.ts'
import { projectionOf } from '../../read/serialise/projection.ts'
import { fetchObjects } from '../../read/serialise/read-objects.ts'
import { committedData } from '../../read/serialise/read-source.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { shownTitle } from '../components/model-title.ts'
import type { PickedOption } from '../components/object-picker.ts'
import { contextText } from '../data/object-names.ts'
import { typedId } from './fields/typed-id.ts'

/** An object that can be chosen as the value of a field. */
export interface ObjectChoice {
  readonly id: number
  /** Absent if objects of the model have none. */
  readonly slug?: string
  readonly display: string
  /** Text that distinguishes it from other objects with the same display text: its device, its site. Often empty. */
  readonly context: string
}

/** Which objects are offered. */
export interface Wanted {
  /** Words that occur in the object; none: all. */
  readonly words?: string
  /** Filters of the API. */
  readonly filters?: URLSearchParams
  readonly limit: number
}

/** Maximum number of matches that are sorted: their order does not require all rows of a large table. */
const MOST_SORTED = 500
const MOST_WORDS = 8

/**
 * Objects that the sender may view, in the model's order. Throws `invalid` for filters that cannot be used; without a
 * permission there are none.
 */
export async function findChoices(request: ApiRequest, model: Model, query: Wanted): Promise<readonly ObjectChoice[]> {
  const where = await predicateOf(request, model, query)
  const ids = await idsOf(request, model, where && someRows(model, where, MOST_SORTED), query.limit)
  return byNearness(await choicesOf(request, model, ids), query.words)
}

/**
 * All objects with these filters that the sender may view, in the model's order; undefined for more than `most`, which
 * are not read. Throws as `findChoices` does.
 */
export async function allChoices(
  request: ApiRequest,
  model: Model,
  filters: URLSearchParams,
  most: number,
): Promise<readonly ObjectChoice[] | undefined> {
  const where = await predicateOf(request, model, { filters })
  const ids = await idsOf(request, model, someRows(model, where, most + 1), most + 1)
  return ids.length > most ? undefined : await choicesOf(request, model, ids)
}

async function predicateOf(
  { service, actor }: ApiRequest,
  model: Model,
  { words: text = '', filters = new URLSearchParams() }: Omit<Wanted, 'limit'>,
): Promise<Sql | undefined> {
  const { registry, settings } = service
  const { visibleRows } = rowSecurityOf(actor, registry, settings)
  const user = actor.kind === 'user' ? actor.id : undefined
  const filtered = await compileFilters(service, model, filters, visibleRows, user)
  const words = text.split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)
  const byWords = words.length === 0 ? undefined : compileWords(registry, model, words)
  return byWords && filtered ? join([filtered, byWords], ' and ') : (byWords ?? filtered)
}

/** A predicate that at most `most` rows satisfy, so that only these are sorted. */
const someRows = (model: Model, where: Sql | undefined, most: number): Sql =>
  sql`t.id = any(array(select t.id from ${table(model)} t${where ? sql` where ${where}` : sql``} limit ${most}::bigint))`

async function idsOf(
  { service, actor }: ApiRequest,
  model: Model,
  where: Sql | undefined,
  limit: number,
): Promise<readonly number[]> {
  const { registry, settings } = service
  if (!mayAct(actor, 'view', model, settings)) return []
  const security = rowSecurityOf(actor, registry, settings)
  const order = compileOrder(service, model, undefined, security.visibleRows)
  const window = { limit, offset: 0 }
  return await cachedNumbers(service, sliceStatement(model, { where, security, order, window }))
}

/** The objects with these ids as choices, in their order. The sender must be allowed to view them. */
export async function choicesOf(
  { service, base }: ApiRequest,
  model: Model,
  ids: readonly number[],
): Promise<readonly ObjectChoice[]> {
  const { context = [] } = service.registry.view(model)
  const slug = model.answer.includes('slug') ? ['slug'] : []
  const fields = ['id', 'display', ...slug, ...context]
  const projection = projectionOf(service, model, {
    fields,
    omit: undefined,
    brief: false,
    excludeContext: true,
  })
  const texts = await fetchObjects(committedData(service), ids, projection, base)
  return ids.flatMap((id) => {
    const object = JSON.parse(texts.get(id) ?? 'null') as Json // produced by this process
    if (!isJsonObject(object)) return []
    return {
      id,
      ...(typeof object.slug === 'string' && { slug: object.slug }),
      display: String(object.display),
      context: contextText(context, object),
    }
  })
}

/** An object of one of several models. */
export interface TypedChoice extends ObjectChoice {
  readonly model: Model
}

/** The object as a value of a form; its context ends with its type. */
export const typedOption = ({ id, display, context, model }: TypedChoice): PickedOption => ({
  value: typedId(model.name, id),
  label: display,
  context: [context, shownTitle(model)].filter(Boolean).join(' · '),
})

/**
 * At most `limit` objects of each of the models that contain all of the words, the best matches first. The words are
 * searched for as they are written, and if nothing matches, with letters and digits apart: `gi1/0/12` as `gi` and
 * `1/0/12`. A model ignores filters that it does not have.
 */
export async function findTypedChoices(
  request: ApiRequest,
  models: readonly Model[],
  { words: text = '', filters = new URLSearchParams(), limit }: Wanted,
): Promise<readonly TypedChoice[]> {
  const { actor, service } = request
  const visible = models.filter((model) => mayAct(actor, 'view', model, service.settings))
  // Names are also entered as pages show them: `eth0 (uplink)`.
  const words = text.split(/[\s,;:›<>|]+|(?<=^|\s)\(|\)(?=\s|$)/).filter(Boolean)
  const spellings = [
    words,
    [...words.slice(0, -1), ...words.slice(-1).flatMap(numberApart)],
    words.flatMap(numberApart),
  ]
  for (const [index, spelling] of spellings.entries()) {
    if (spelling.length === spellings[index - 1]?.length) continue
    const query = { words: spelling.join(' '), filters, limit }
    const matches = await Promise.all(
      visible.map(async (model) => (await findUsable(request, model, query)).map((choice) => ({ ...choice, model }))),
    )
    if (matches.some((list) => list.length > 0)) return bestFirst(matches, spelling.at(-1))
  }
  return []
}

/** As `findChoices`; if the filters cannot be used, they do not narrow the choice. */
const findUsable = (request: ApiRequest, model: Model, query: Wanted): Promise<readonly ObjectChoice[]> =>
  tolerant(query.filters ?? new URLSearchParams(), (filters) => findChoices(request, model, { ...query, filters }))

/** The result of `find`; if values of other fields do not filter, they do not narrow the choice. */
export async function tolerant<T>(
  filters: URLSearchParams,
  find: (filters: URLSearchParams) => Promise<T>,
): Promise<T> {
  try {
    return await find(filters)
  } catch (error) {
    if (!(error instanceof ApiError) || error.reason.kind !== 'invalid') throw error
    return await find(new URLSearchParams())
  }
}

/**
 * People type the name of a port last: objects whose names end with the last word come first. Within each half the
 * types take turns, so that many matches of one do not hide those of another.
 */
function bestFirst(lists: readonly (readonly TypedChoice[])[], word = ''): readonly TypedChoice[] {
  const last = word.toLowerCase()
  const half = ({ display }: ObjectChoice): number => (display.toLowerCase().endsWith(last) ? 0 : 1)
  return lists
    .flatMap((list) => list.map((choice, turn) => ({ choice, turn })))
    .toSorted((a, b) => half(a.choice) - half(b.choice) || a.turn - b.turn)
    .map(({ choice }) => choice)
}

/** Objects with exactly the searched name first, then those whose names begin with it. */
function byNearness(choices: readonly ObjectChoice[], words = ''): readonly ObjectChoice[] {
  const searched = words.trim().toLowerCase()
  if (searched === '') return choices
  const distance = ({ display }: ObjectChoice): number => {
    const name = display.toLowerCase()
    if (name === searched) return 0
    return name.startsWith(searched) ? 1 : 2
  }
  return choices.toSorted((a, b) => distance(a) - distance(b))
}
