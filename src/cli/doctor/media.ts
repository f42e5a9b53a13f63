import { randomUUID } from 'node:crypto'
import { ApiError } from '../../base/errors.ts'
import { isBucket } from '../../base/s3.ts'
import type { Settings } from '../../config/settings.ts'
import type { Database } from '../../db/database.ts'
import type { Registry } from '../../schema/registry.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { counted, isOrAre } from '../../transfer/backup/counted.ts'
import { mediaPlace, mediaStore } from '../../write/media/media-store.ts'
import { S3Bucket } from '../../write/media/s3-bucket.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Writes a small file to the bucket of uploaded files, reads it back and deletes it. */
export async function checkMediaBucket(settings: Settings): Promise<readonly Finding[]> {
  const place = mediaPlace(settings)
  if (!isBucket(place)) return []
  const name = `cadastre-doctor-${randomUUID()}`
  try {
    const bucket = new S3Bucket(place, settings)
    await bucket.write(name, Buffer.from(name), false)
    const stored = await bucket.read(name)
    await bucket.remove(name)
    if (stored?.toString() !== name) throw new Error('It does not return what was written.')
    await bucket.list(name)
    return [ok('media bucket', `${place} can be written, read and listed.`)]
  } catch (error) {
    const cause = error instanceof TypeError ? error.cause : error
    const advice = 'Uploads and images get status 503 until it works. Check MEDIA_ROOT and the permissions of its key.'
    return [problem('media bucket', cause instanceof Error ? cause.message : String(cause), advice)]
  }
}

/** Maximum number of files checked for each field. */
const MOST = 10_000

/** Checks that the uploaded files to which objects refer exist. */
export async function checkFiles(database: Database, registry: Registry, settings: Settings): Promise<Finding> {
  let stored: ReadonlySet<string>
  try {
    stored = new Set(await mediaStore(settings).list())
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return problem('media', error.message, `Look at ${mediaPlace(settings)}.`)
  }
  const missing: string[] = []
  for (const model of registry.models.values()) {
    for (const [name, field] of model.fields) {
      const column = model.columns.get(name)
      if (field.kind !== 'file' || !column) continue
      const value = identifier(column.name)
      const rows = await database.queryArrays(sql`
        select ${value} from ${table(model)} where ${value} <> '' order by id desc limit ${MOST}`)
      missing.push(...rows.map(([path]) => String(path)).filter((path) => !stored.has(path)))
    }
  }
  if (missing.length === 0) return ok('media', 'All uploaded files that objects refer to exist.')
  return warning(
    'media',
    `${counted(missing.length, 'uploaded file')} ${isOrAre(missing.length)} missing, among them ${missing[0]}.`,
    `Restore them from a backup to ${mediaPlace(settings)}.`,
  )
}
