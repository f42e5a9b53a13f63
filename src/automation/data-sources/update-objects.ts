import { dataFile } from '../../models/core/data-file.ts'
import { SYNCED_MODELS, type SyncedModel } from '../../models/extras/synced-models.ts'
import type { Fields } from '../../schema/field.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import type { SyncLog } from './source-file.ts'

interface OutdatedObject extends Record<string, unknown> {
  readonly id: number
  readonly path: string
  readonly data: string
  readonly updated: string
}

/**
 * Copies the content of a source's files into the objects that are synchronised automatically and have an older version
 * of it. An object that cannot take the content is left unchanged, with a warning.
 */
export async function updateObjectsOf(context: WriteContext, source: number, log: SyncLog): Promise<void> {
  for (const synced of SYNCED_MODELS) await updateObjectsOfModel(context, synced, source, log)
}

async function updateObjectsOfModel(
  context: WriteContext,
  { model, field, read }: SyncedModel,
  source: number,
  log: SyncLog,
): Promise<void> {
  const outdated = await context.transaction.query<OutdatedObject>(sql`
    select t.id, f.path, f.data, f.last_updated as updated
    from ${table(model.name)} t join ${table(dataFile.name)} f on f.id = t.data_file_id
    where f.source_id = ${source}::bigint and t.auto_sync_enabled
      and (t.data_synced is null or t.data_synced < f.last_updated)
    order by t.id`)
  const rows = outdated.flatMap(({ id, path, data, updated }) => {
    const content = read(data)
    if ('problem' in content) {
      log.warning(`The ${model.labels[0]} ${id} stays as it is. ${path}: ${content.problem}`)
      return []
    }
    // Timestamps of the files of one synchronisation differ by microseconds, so the later one is used.
    const data_synced = updated > context.now ? updated : context.now
    return [{ id, [field]: content.value, data_synced }]
  })
  if (rows.length === 0) return
  // Not validated as bodies: the content of files is stored exactly.
  await context.makeWriter(context).update<Fields>(model, rows)
  log.info(`${rows.length} ${model.labels[rows.length === 1 ? 0 : 1]} updated`)
}
