import { scriptsDirectory } from '../../automation/scripts/scripts-root.ts'
import { ConfigurationError } from '../../base/errors.ts'
import type { ProgressListener } from '../../base/progress.ts'
import type { Settings } from '../../config/settings.ts'
import type { Database, Transaction } from '../../db/database.ts'
import type { StoredTable } from '../../db/migrate/stored-schema.ts'
import { readSchemaVersion } from '../../db/migrate/version.ts'
import type { Registry } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { DirectoryStore, type MediaStore, mediaStore } from '../../write/media/media-store.ts'
import { type ArchiveWriter, writeArchive } from './archive-writer.ts'
import { ENTRIES, type End, type Manifest, writeManifest } from './backup-content.ts'
import { existingSecrets, secretsFile } from './existing-secrets.ts'
import { fingerprintsOf } from './secret-fingerprints.ts'
import { readSequences } from './sequences.ts'
import { readTable } from './table-rows.ts'

/** Where the secrets come from with which tokens were created. */
export type SecretsPlace = 'inside' | 'partlyInside' | 'leftOut' | 'environment' | 'unknown'

export interface BackupReport {
  readonly rows: number
  readonly tables: number
  readonly media: number
  /** Number of files of scripts; undefined if they are outside of DATA_DIR, and not in the backup. */
  readonly scripts: number | undefined
  readonly secrets: SecretsPlace
}

export interface BackupOptions {
  readonly registry: Registry
  readonly settings: Settings
  /** Version of the program. */
  readonly program: string
  readonly withSecrets: boolean
  readonly progress?: ProgressListener
}

/**
 * Writes a consistent snapshot of the database, the uploaded files, the scripts and the secrets to a new file; other clients may
 * read and write meanwhile. The format is the program's own. Throws
 * ConfigurationError if there is no data, or if the file exists.
 */
export async function writeBackup(
  database: Database,
  file: string,
  { registry, settings, program, withSecrets, progress }: BackupOptions,
): Promise<BackupReport> {
  const transient = new Set(
    [...registry.models.values()].filter(({ definition }) => definition.transient).map(({ table }) => table),
  )
  const secrets = existingSecrets(settings)
  let report: BackupReport | undefined
  await writeArchive(file, async (archive) => {
    const rows = await database.transaction(async (transaction) => {
      await transaction.execute(sql`set transaction isolation level repeatable read, read only`)
      const version = await readSchemaVersion(transaction)
      if (!version) throw new ConfigurationError('The database is empty: there is nothing to back up.')
      const tables = withoutDefaults(version.schema.tables)
      const manifest: Manifest = {
        program,
        created: new Date().toISOString(),
        tables,
        steps: version.steps,
        sequences: await readSequences(transaction, tables),
        fingerprints: secrets ? fingerprintsOf(secrets) : {},
      }
      await archive.add(ENTRIES.manifest, writeManifest(manifest))
      return await addTables(archive, transaction, tables, transient, progress)
    })
    const media = await addFiles(archive, ENTRIES.media, mediaStore(settings))
    const scripts = settings.scriptsRoot
      ? undefined
      : await addFiles(archive, ENTRIES.scripts, new DirectoryStore(scriptsDirectory(settings)))
    const place = await addSecrets(archive, settings, withSecrets)
    await archive.add(ENTRIES.end, JSON.stringify({ rows, media, scripts: scripts ?? 0 } satisfies End))
    const counts = Object.values(rows)
    report = {
      rows: counts.reduce((sum, count) => sum + count, 0),
      tables: counts.length,
      media,
      scripts,
      secrets: place,
    }
  })
  if (!report) throw new Error('The archive was written without its content')
  return report
}

const withoutDefaults = (tables: Readonly<Record<string, StoredTable>>): Readonly<Record<string, StoredTable>> =>
  Object.fromEntries(
    Object.entries(tables).map(([name, { columns, ...table }]) => [
      name,
      {
        ...table,
        columns: Object.fromEntries(
          Object.entries(columns).map(([column, { default: _, ...definition }]) => [column, definition]),
        ),
      },
    ]),
  )

/** Number of rows by table. */
async function addTables(
  archive: ArchiveWriter,
  transaction: Transaction,
  tables: Readonly<Record<string, StoredTable>>,
  transient: ReadonlySet<string>,
  progress?: ProgressListener,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  const written = Object.entries(tables).filter(([name]) => !transient.has(name))
  for (const [done, [name, table]] of written.entries()) {
    progress?.({ done, total: written.length, stage: name })
    let count = 0
    let page = 0
    for await (const rows of readTable(transaction, name, table)) {
      page += 1
      count += rows.length
      const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
      await archive.add(`${ENTRIES.tables}${name}/${page}.jsonl`, lines)
    }
    counts[name] = count
  }
  return counts
}

/** Files that disappear meanwhile belong to objects that have been deleted too. */
async function addFiles(archive: ArchiveWriter, prefix: string, store: MediaStore): Promise<number> {
  let count = 0
  for (const path of await store.list()) {
    const bytes = await store.read(path)
    if (!bytes) continue
    await archive.add(`${prefix}${path}`, bytes)
    count += 1
  }
  return count
}

async function addSecrets(archive: ArchiveWriter, settings: Settings, withSecrets: boolean): Promise<SecretsPlace> {
  if (!withSecrets) return 'leftOut'
  const file = secretsFile(settings.dataDir)
  const isGiven = settings.secretKey !== undefined || settings.apiTokenPeppers !== undefined
  if (await archive.addFile(ENTRIES.secrets, file)) {
    return isGiven ? 'partlyInside' : 'inside'
  }
  return existingSecrets(settings) ? 'environment' : 'unknown'
}
