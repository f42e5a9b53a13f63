import { isJsonObject } from '../../schema/json.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { insertInto, table } from '../../sql/table.ts'
import type { Digests } from './digests.ts'

/** An object of the source with its counterpart here. */
export interface MapEntry {
  readonly sourceId: number
  readonly localId: number
  /** Null for an object whose values are not followed. */
  readonly digests: Digests | null
}

/** The digests of objects at their last import, by id at the source; null for objects that are not followed. */
export async function loadDigests(
  queryable: Queryable,
  source: string,
  model: string,
  sourceIds: readonly number[],
): Promise<ReadonlyMap<number, Digests | null>> {
  const rows = await queryable.queryArrays(sql`
    select source_id, digests::text from ${table(SYSTEM.importedObject)}
    where source = ${source} and object_type = ${model} and source_id = any(${sourceIds}::bigint[])`)
  return new Map(
    rows.map(([id, text]) => {
      const digests: unknown = typeof text === 'string' ? JSON.parse(text) : null
      return [Number(id), isJsonObject(digests) ? (digests as Digests) : null] // written by storeEntries
    }),
  )
}

/** Stores or replaces entries. */
export async function storeEntries(
  queryable: Queryable,
  source: string,
  model: string,
  entries: readonly MapEntry[],
): Promise<void> {
  if (entries.length === 0) return
  await queryable.execute(sql`
    ${insertInto(SYSTEM.importedObject)} (source, object_type, source_id, local_id, digests)
    select ${source}, ${model}, q.source_id, q.local_id, q.digests::jsonb
    from unnest(${entries.map(({ sourceId }) => sourceId)}::bigint[], ${entries.map(({ localId }) => localId)}::bigint[],
      ${entries.map(({ digests }) => digests && JSON.stringify(digests))}::text[]) as q (source_id, local_id, digests)
    on conflict (source, object_type, source_id) do update
      set local_id = excluded.local_id, digests = excluded.digests`)
}
