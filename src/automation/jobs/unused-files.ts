import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { mediaStore } from '../../write/media/media-store.ts'
import { fileFields, keepsFiles } from '../../write/media/transaction-files.ts'

/** Uploaded files that the change records with these ids name: their paths. */
export async function filesInRecords(
  { registry, database }: Pick<Service, 'registry' | 'database'>,
  ids: readonly number[],
): Promise<readonly string[]> {
  const parts = [...registry.models.values()].filter(keepsFiles).flatMap((model) =>
    fileFields(model).map(
      ([name]) => sql`select unnest(array[prechange_data ->> ${name}::text, postchange_data ->> ${name}::text]) as path
        from ${table(SYSTEM.objectChange)}
        where id = any(${ids}::bigint[]) and changed_object_type = ${model.name}`,
    ),
  )
  if (parts.length === 0) return []
  const rows = await database.query<{ path: string }>(
    sql`select distinct path from (${join(parts, ' union all ')}) q where path <> ''`,
  )
  return rows.map(({ path }) => path)
}

/** Deletes the uploaded files that neither an object nor a change record names. */
export async function removeUnusedFiles(
  { registry, database, settings }: Pick<Service, 'registry' | 'database' | 'settings'>,
  paths: readonly string[],
): Promise<void> {
  if (paths.length === 0) return
  const models = [...registry.models.values()].filter(keepsFiles)
  const uses = models.flatMap((model) =>
    fileFields(model).flatMap(([name]) => [usedByRows(model, name, paths), usedByRecords(model, name, paths)]),
  )
  const used = await database.query<{ path: string }>(join(uses, ' union all '))
  const kept = new Set(used.map(({ path }) => path))
  for (const path of paths) {
    if (!kept.has(path)) await mediaStore(settings).remove(path)
  }
}

const usedByRows = (model: Model, name: string, paths: readonly string[]): Sql => {
  const column = identifier(model.columns.get(name)?.name ?? name)
  return sql`select ${column} as path from ${table(model)} where ${column} = any(${paths}::text[])`
}

const usedByRecords = (model: Model, name: string, paths: readonly string[]): Sql => sql`
  select unnest(array[prechange_data ->> ${name}::text, postchange_data ->> ${name}::text]) as path
  from ${table(SYSTEM.objectChange)}
  where changed_object_type = ${model.name} and
    (prechange_data ->> ${name}::text = any(${paths}::text[]) or postchange_data ->> ${name}::text = any(${paths}::text[]))`
