import type { RowsByOwner } from '../../schema/computed.ts'
import { type ComputedField, computed } from '../../schema/field.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../schema/json.ts'
import { oncePer, oncePerText } from '../../schema/once-per.ts'
import { identifier, join, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import {
  type BearerContext,
  type Conditions,
  type ContextBearer,
  columnsOfBearers,
  type Ids,
  LISTS,
  readBearers,
} from './config-context-lists.ts'
import type { MatchingContexts } from './matching-contexts.ts'

/** Merges objects recursively by name; other values replace the previous ones. */
export function mergeContext(base: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, Json> = { ...base }
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name]
    merged[name] =
      isJsonObject(before) && isJsonObject(value) && Object.keys(value).length > 0 ? mergeContext(before, value) : value
  }
  return merged
}

interface Context extends Conditions {
  readonly id: number
  readonly data: JsonObject
}

interface Merged {
  readonly data: JsonObject
  readonly text: string
}

/** All active contexts ordered by weight and name. */
async function loadContexts(database: Queryable): Promise<readonly Context[]> {
  const lists = LISTS.map(
    ([list, column]) => sql`array(
      select j.${identifier(column)} from ${table(`extras.configcontext.${list}`)} j
      where j.configcontext_id = c.id) as ${identifier(list)}`,
  )
  const rows = await database.query<Ids & { id: number; data: string }>(sql`
    select c.id, c.data, ${join(lists)} from ${table('extras.configcontext')} c where c.is_active
    order by c.weight, c.name, c.id`)
  return rows.map((row) => ({
    id: row.id,
    data: parse(row.data),
    lists: LISTS.flatMap(([list]) => {
      const ids = row[list] ?? []
      return ids.length === 0 ? [] : [[list, new Set(ids)] as const]
    }),
  }))
}

/**
 * Merges the matching contexts in order. Many objects share a combination of contexts, so each combination is merged
 * once.
 */
const merged = oncePer(({ places }: MatchingContexts, contexts: readonly Context[]): Merged => {
  const data = places.reduce<JsonObject>((below, place) => mergeContext(below, contexts[place]?.data ?? {}), {})
  return { data, text: JSON.stringify(data) }
})

/**
 * Maximum number of merged local data per combination of contexts, and the minimum length of text that is worth
 * caching.
 */
const [MOST_LOCAL, LONGEST_LOCAL] = [50, 2_000]

const withLocalData = oncePerText(
  MOST_LOCAL,
  (matching: MatchingContexts, local, contexts: readonly Context[]) => ({
    text: JSON.stringify(mergeContext(merged(matching, contexts).data, parse(local))),
  }),
  { longest: LONGEST_LOCAL },
)

const parse = (text: string | null): JsonObject => {
  const value: unknown = text === null ? {} : parseJson(text)
  return isJsonObject(value) ? value : {}
}

/**
 * Merged data of all active config contexts that match the object, by weight and name; later contexts take precedence,
 * and the object's local data takes precedence over all.
 */
export const configContextOf = (model: ContextBearer): ComputedField =>
  computed(
    { type: 'object', nullable: true, readOnly: true },
    async (ids, context, rows) => {
      const { database, cached } = context
      const [contexts, tags] = await Promise.all([
        cached('config contexts', () => loadContexts(database)),
        context.results('tags'),
      ])
      const bearers = await readBearers(model, contexts, { ids, rows, tags }, context)
      return {
        get: (id) => {
          const bearer = bearers.get(id)
          if (!bearer) return undefined
          const matching = bearer.matching()
          const local = bearer.localData
          return local === null ? merged(matching, contexts).text : withLocalData(matching, local, contexts).text
        },
      }
    },
    { excludable: true, columns: columnsOfBearers(model), queries: ['tags'] },
  )

/** Ids of the active config contexts that match the object, in the order in which their data is merged. */
export async function matchingContexts(
  model: ContextBearer,
  id: number,
  context: BearerContext,
): Promise<readonly number[]> {
  const { database } = context
  const [contexts, tags] = await Promise.all([loadContexts(database), readTags(database, model, id)])
  const bearer = (await readBearers(model, contexts, { ids: [id], tags }, context)).get(id)
  return (bearer?.matching().places ?? []).flatMap((place) => contexts[place]?.id ?? [])
}

/** Ids of the object's tags, by its id. */
async function readTags(database: Queryable, model: ContextBearer, id: number): Promise<RowsByOwner> {
  const tags = await database.queryArrays(sql`
    select i.tag_id from ${table('extras.taggeditem')} i
    where i.object_type = ${model} and i.object_id = ${id}::bigint`)
  return new Map([[id, tags]])
}
