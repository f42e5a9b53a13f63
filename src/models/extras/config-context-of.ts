import { LRUCache } from 'lru-cache'
import type { ComputeContext } from '../../schema/computed.ts'
import { type ComputedField, computed } from '../../schema/field.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { identifier, join, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import {
  type Conditions,
  type ContextBearer,
  columnsOfBearers,
  type Ids,
  LISTS,
  readBearers,
} from './config-context-lists.ts'

/** Merges objects recursively by name; other values replace the previous ones. */
export function mergeContext(base: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...base }
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name]
    merged[name] =
      isJsonObject(before) && isJsonObject(value) && Object.keys(value).length > 0
        ? mergeContext(before, value)
        : value
  }
  return merged
}

interface Context extends Conditions {
  readonly id: number
  readonly data: JsonObject
}

/** All active contexts ordered by weight and name, with the merged data of combinations used so far. */
interface Contexts {
  readonly all: readonly Context[]
  readonly merged: LRUCache<string, Merged>
}
interface Merged {
  readonly data: JsonObject
  readonly text: string
}

const KEPT_MERGES = 1_000

async function loadContexts(database: Queryable): Promise<Contexts> {
  const lists = LISTS.map(
    ([list, column]) => sql`array(
      select j.${identifier(column)} from ${table(`extras.configcontext.${list}`)} j
      where j.configcontext_id = c.id) as ${identifier(list)}`,
  )
  const rows = await database.query<Ids & { id: number; data: string }>(sql`
    select c.id, c.data, ${join(lists)} from ${table('extras.configcontext')} c where c.is_active
    order by c.weight, c.name, c.id`)
  const all = rows.map((row) => ({
    id: row.id,
    data: parse(row.data),
    lists: LISTS.flatMap(([list]) => {
      const ids = row[list] ?? []
      return ids.length === 0 ? [] : [[list, new Set(ids)] as const]
    }),
  }))
  return { all, merged: new LRUCache({ max: KEPT_MERGES }) }
}

/** Merges the matching contexts in order. Many objects share a combination, so each is merged once. */
function mergeMatching({ all, merged }: Contexts, matching: readonly number[]): Merged {
  const key = matching.join()
  const known = merged.get(key)
  if (known) return known
  const data = matching.reduce<JsonObject>(
    (below, place) => mergeContext(below, all[place]?.data ?? {}),
    {},
  )
  const made = { data, text: JSON.stringify(data) }
  merged.set(key, made)
  return made
}

const parse = (text: string | null): JsonObject => {
  const value: unknown = text === null ? {} : JSON.parse(text)
  return isJsonObject(value) ? value : {}
}

/**
 * Merged data of all active config contexts that match the object, by weight and name, with later ones taking
 * precedence, and the object's local data taking precedence over all.
 */
export const configContextOf = (model: ContextBearer): ComputedField =>
  computed(
    { type: 'object', nullable: true, readOnly: true },
    async (ids, context, rows) => {
      const { database, cached } = context
      const contexts = await cached('config contexts', () => loadContexts(database))
      const bearers = await readBearers(model, contexts.all, { ids, rows }, context)
      return {
        get: (id) => {
          const bearer = bearers.get(id)
          if (!bearer) return undefined
          const { data, text } = mergeMatching(contexts, bearer.matching())
          const own = bearer.localData
          return own === null ? text : JSON.stringify(mergeContext(data, parse(own)))
        },
      }
    },
    { excludable: true, columns: columnsOfBearers(model) },
  )

/** Ids of the active config contexts that match the object, in the order in which their data is merged. */
export async function matchingContexts(
  model: ContextBearer,
  id: number,
  context: Pick<ComputeContext, 'database' | 'rows'>,
): Promise<readonly number[]> {
  const { all } = await loadContexts(context.database)
  const bearer = (await readBearers(model, all, { ids: [id] }, context)).get(id)
  return (bearer?.matching() ?? []).flatMap((place) => all[place]?.id ?? [])
}
