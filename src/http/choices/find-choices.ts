import { mayAct, rowSecurityOf } from '../../auth/permitted-rows.ts'
import { projectionOf } from '../../output/projection.ts'
import { fetchObjects } from '../../output/read-objects.ts'
import { committedData } from '../../output/read-source.ts'
import { cachedNumbers } from '../../query/cached-column.ts'
import { compileFilters } from '../../query/compile-filters.ts'
import { compileOrder } from '../../query/order.ts'
import { pageStatement } from '../../query/page.ts'
import { applyRowSecurity } from '../../query/row-security.ts'
import { compileWords } from '../../query/words.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { ApiRequest } from '../api-request.ts'
import { contextText } from '../pages/object-names.ts'

/** An object that can be chosen as the value of a field. */
export interface ObjectChoice {
  readonly id: number
  /** Absent where objects of the model have none. */
  readonly slug?: string
  readonly display: string
  /** Text that tells it apart from others with the same display: its device, its site. Often empty. */
  readonly context: string
}

/** Which objects are offered. */
export interface Wanted {
  /** Words that occur in the object; none: all. */
  readonly words?: string
  /** Filters of the API. */
  readonly filters?: URLSearchParams
  readonly limit: number
  /** Answers nothing, without having read a table as a whole, where there are more than `limit`. */
  readonly onlyIfAll?: boolean
}

/** Matches that are looked at: their order does not need all of a large table. */
const MOST_SORTED = 500
const MOST_WORDS = 8

/**
 * Objects that the sender may view, in the model's order. Throws `invalid` for filters that cannot be used; without a
 * permission there are none.
 */
export async function findChoices(
  request: ApiRequest,
  model: Model,
  wanted: Wanted,
): Promise<readonly ObjectChoice[]> {
  const { service, actor } = request
  const { registry, settings } = service
  if (!mayAct(actor, 'view', model, settings)) return []
  const security = rowSecurityOf(actor, registry, settings)
  const user = actor.kind === 'user' ? actor.id : undefined
  const filters = wanted.filters ?? new URLSearchParams()
  const filtered = await compileFilters(service, model, filters, security.visibleRows, user)
  const words = (wanted.words ?? '').split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)
  const found = words.length === 0 ? undefined : compileWords(registry, model, words)
  const matches = found && filtered ? join([filtered, found], ' and ') : (found ?? filtered)
  const ids = await cachedNumbers(
    service,
    pageStatement(model, {
      where: limited(model, matches, wanted),
      security,
      order: compileOrder(service, model, undefined, security.visibleRows),
      window: { limit: wanted.limit, offset: 0 },
    }),
  )
  return byNearness(await choicesOf(request, model, ids), wanted.words)
}

/** The predicate, so that no more rows than needed are read before they are sorted. */
function limited(
  model: Model,
  where: Sql | undefined,
  { limit, onlyIfAll }: Wanted,
): Sql | undefined {
  const matching = where ? sql` where ${where}` : sql``
  const rows = (most: number): Sql =>
    sql`select t.id from ${table(model, 'id')} t${matching} limit ${most}::bigint`
  if (onlyIfAll) {
    const isFew = sql`(select count(*) from (${rows(limit + 1)}) few) <= ${limit}::bigint`
    return where ? join([where, isFew], ' and ') : isFew
  }
  return where && sql`t.id = any(array(${rows(MOST_SORTED)}))`
}

/** Whether there is any object that could be chosen. */
export async function hasChoices(request: ApiRequest, model: Model): Promise<boolean> {
  const { service, actor } = request
  if (!mayAct(actor, 'view', model, service.settings)) return false
  const security = rowSecurityOf(actor, service.registry, service.settings)
  const first = sql`select t.id from ${table(model, 'id')} t limit 1`
  return (await cachedNumbers(service, applyRowSecurity(security, first))).length > 0
}

/** The objects with these ids as choices, in their order. The sender has to be allowed to view them. */
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

/** Objects that are called as asked for first, then those whose names begin so. */
function byNearness(choices: readonly ObjectChoice[], words = ''): readonly ObjectChoice[] {
  const asked = words.trim().toLowerCase()
  if (asked === '') return choices
  const distance = ({ display }: ObjectChoice): number => {
    const name = display.toLowerCase()
    if (name === asked) return 0
    return name.startsWith(asked) ? 1 : 2
  }
  return choices.toSorted((a, b) => distance(a) - distance(b))
}
