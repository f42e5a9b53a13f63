import { invalid, type Messages } from '../../base/errors.ts'
import { parseUuid } from '../../read/query/parse-value.ts'
import { notAChoice, RefusedValue } from '../../read/query/refused-value.ts'
import { RelatedValues } from '../../read/query/related-values.ts'
import type { RowSecurity } from '../../read/query/row-security.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { ACTION_OF_EVENT } from './event-names.ts'
import { namesObject } from './names-object.ts'

/** A filter of events by the objects that a record names: those of a model, found by one of its columns. */
interface RelationFilter {
  readonly model: string
  readonly by: string
}

/** Filters by related objects, by the name of their parameter. */
export type RelationFilters = Readonly<Record<string, RelationFilter>>

interface FilterContext {
  readonly service: Service
  readonly related: RelatedValues
}

/** Predicate over the change record `t`: one of the values matches. Throws RefusedValue. */
type CompileFilter = (context: FilterContext, values: readonly string[]) => Promise<Sql> | Sql

/** Filters that need no other models than the service's own. */
const OWN: Readonly<Record<string, CompileFilter>> = {
  object_type: ({ service }, values) => {
    for (const value of values) {
      if (!service.registry.models.get(value)?.has('changeLogging')) throw notAChoice(value)
    }
    return sql`t.changed_object_type = any(${values}::text[])`
  },
  event: (_, values) => {
    const actions = values.map((value) => {
      const action = ACTION_OF_EVENT.get(value)
      if (action === undefined) throw notAChoice(value)
      return action
    })
    return sql`t.action = any(${actions}::text[])`
  },
  request_id: (_, values) => sql`t.request_id = any(${values.map(parseUuid)}::uuid[])`,
  user: (context, values) => byUser(context, 'username', values),
  user_id: (context, values) => byUser(context, 'id', values),
  tag: (context, values) => byTag(context, 'slug', values),
  tag_id: (context, values) => byTag(context, 'id', values),
}

/** Names of the filters, except those by related objects. */
export const OWN_FILTERS: readonly string[] = Object.keys(OWN)

async function byUser({ service, related }: FilterContext, by: string, values: readonly string[]) {
  const ids = await related.idsOf(service.registry.model(SYSTEM.user), by, values)
  return sql`t.user_id = any(${ids}::bigint[])`
}

/** Change records contain the names of tags. */
async function byTag({ service, related }: FilterContext, by: string, values: readonly string[]) {
  const ids = await related.idsOf(service.registry.model(SYSTEM.tag), by, values)
  const names = sql`array(select tag.name from ${table(SYSTEM.tag)} tag where tag.id = any(${ids}::bigint[]))`
  return sql`((t.prechange_data->'tags')::jsonb ?| ${names} or (t.postchange_data->'tags')::jsonb ?| ${names})`
}

const byRelation =
  ({ model, by }: RelationFilter): CompileFilter =>
  async ({ service, related }, values) => {
    const target = service.registry.model(model)
    return namesObject(service.registry, target, await related.idsOf(target, by, values))
  }

/**
 * Predicate over the change record `t` for the filters among the parameters; undefined if there are none. Values of one
 * parameter are alternatives, and all parameters must match. Related objects that `security` hides cannot be named.
 * Throws `invalid` with a message for each parameter that cannot be used.
 */
export async function compileEventFilters(
  service: Service,
  security: RowSecurity,
  search: URLSearchParams,
  relations: RelationFilters,
): Promise<Sql | undefined> {
  const context = { service, related: new RelatedValues(service.database, security) }
  const compilers = new Map<string, CompileFilter>([
    ...Object.entries(OWN),
    ...Object.entries(relations).map(([name, filter]) => [name, byRelation(filter)] as const),
  ])
  const messages: Record<string, Messages> = {}
  const predicates = await Promise.all(
    [...compilers].map(async ([name, compile]) => {
      const values = search.getAll(name)
      if (values.length === 0) return []
      try {
        return [await compile(context, values)]
      } catch (error) {
        if (!(error instanceof RefusedValue)) throw error
        messages[name] = [error.message]
        return []
      }
    }),
  )
  if (Object.keys(messages).length > 0) throw invalid(messages)
  const all = predicates.flat()
  return all.length === 0 ? undefined : join(all, ' and ')
}
