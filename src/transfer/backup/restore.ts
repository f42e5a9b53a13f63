import { existsSync } from 'node:fs'
import { ConfigurationError } from '../../base/errors.ts'
import type { ProgressListener } from '../../base/progress.ts'
import type { Settings } from '../../config/settings.ts'
import { analyseTables } from '../../db/analyse-tables.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { ConstraintViolation, StatementFailed } from '../../db/failures.ts'
import { isServed } from '../../db/listeners.ts'
import { createCollations } from '../../db/migrate/collations.ts'
import { differenceOf } from '../../db/migrate/diff.ts'
import { lockSchema, migrateWithin } from '../../db/migrate/migrate.ts'
import type { MigrationStep } from '../../db/migrate/steps.ts'
import { EMPTY_SCHEMA, type StoredSchema } from '../../db/migrate/stored-schema.ts'
import { readSchemaVersion, VERSION_TABLE, writeVersion } from '../../db/migrate/version.ts'
import { liftTimeLimit } from '../../db/time-limit.ts'
import type { Registry } from '../../schema/registry.ts'
import { join, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable, tableName } from '../../sql/table.ts'
import { type ArchiveEntry, readArchive } from './archive-reader.ts'
import { ENTRIES, type End, type Manifest, parseEnd, parseManifest } from './backup-content.ts'
import { existingSecrets } from './existing-secrets.ts'
import { RestoredFiles } from './restored-files.ts'
import { fingerprintsOf } from './secret-fingerprints.ts'
import { setSequences } from './sequences.ts'
import { insertBackupRows, type TextRow } from './table-rows.ts'

export interface RestoreReport {
  /** Time at which, and version by which, the backup was made. */
  readonly created: string
  readonly program: string
  readonly rows: number
  readonly media: number
  /** Number of files of scripts. */
  readonly scripts: number
  /** Names of the secrets that are missing here or differ from those of the service that was backed up. */
  readonly otherSecrets: readonly string[]
}

interface RestoreOptions {
  /** All models of the restored database, which may be of an earlier version, including custom models. */
  readonly registryIn: (restored: Queryable) => Promise<Registry>
  /** Schema changes that cannot be derived from the declarations. */
  readonly steps?: readonly MigrationStep[]
  readonly settings: Settings
  /** Replaces the present data. */
  readonly replace: boolean
  readonly progress?: ProgressListener
}

/**
 * Restores a backup by this version of the program or an earlier one: all of it or, on any error,
 * nothing. Throws ConfigurationError for a database that is not empty (unless it may be replaced) or in use, and for
 * an incomplete backup.
 */
export async function restoreBackup(
  database: Database,
  file: string,
  { registryIn, steps, settings, replace, progress }: RestoreOptions,
): Promise<RestoreReport> {
  const files = new RestoredFiles(settings, { replace })
  const work = database.transaction(async (transaction) => {
    await prepareDatabase(transaction, { replace })
    const content = await load(transaction, file, { files, progress })
    await recordTables(transaction, content.manifest)
    await migrateWithin(transaction, await registryIn(transaction), steps)
    await files.putInPlace()
    return content
  })
  const { manifest, end } = await work.catch(async (error: unknown) => {
    await files.undo()
    throw error instanceof StatementFailed && error.code === OUT_OF_LOCKS
      ? new ConfigurationError(TOO_FEW_LOCKS)
      : error
  })
  await files.keep()
  await analyseTables(database)
  return {
    created: manifest.created,
    program: manifest.program,
    rows: Object.values(end.rows).reduce((sum, count) => sum + count, 0),
    media: end.media,
    scripts: end.scripts ?? 0,
    otherSecrets: otherSecrets(manifest, settings),
  }
}

/** PostgreSQL's out_of_memory: here, of shared memory for locks. */
const OUT_OF_LOCKS = '53200'
const TOO_FEW_LOCKS =
  'The PostgreSQL server has too few locks to replace all tables in one transaction: set max_locks_per_transaction = 512 in its configuration, and restart it. Nothing has changed.'

/**
 * Reads a backup to its end. Throws ConfigurationError for any other file, and unless it contains everything that its
 * last entry lists.
 */
export async function verifyBackup(file: string): Promise<void> {
  if (!existsSync(file)) throw new ConfigurationError(`There is no file ${file}.`)
  let end: End | undefined
  const files = { media: 0, scripts: 0 }
  const rows: Record<string, number> = {}
  let isFirst = true
  for await (const entry of readArchive(file)) {
    if (isFirst) await readManifest(file, entry)
    else if (end) throw new ConfigurationError(`${file} is damaged: it continues after its end.`)
    else if (entry.name.startsWith(ENTRIES.tables)) {
      const table = tableOf(entry)
      rows[table] = (rows[table] ?? 0) + linesOf(await entry.text()).length
    } else if (entry.name === ENTRIES.end) end = parseEnd(file, await entry.text())
    else {
      if (entry.name.startsWith(ENTRIES.media)) files.media += 1
      if (entry.name.startsWith(ENTRIES.scripts)) files.scripts += 1
      await entry.skip()
    }
    isFirst = false
  }
  if (isFirst) throw new ConfigurationError(`${file} is not a backup.`)
  if (!end || !isWhole(end, rows, files)) throw new ConfigurationError(`${file} is incomplete.`)
}

const tableOf = ({ name }: ArchiveEntry): string => name.slice(ENTRIES.tables.length).split('/')[0] ?? ''

const linesOf = (text: string): readonly string[] => text.trimEnd().split('\n')

interface Content {
  readonly manifest: Manifest
  readonly end: End
}

/** The manifest, which is the first entry. */
async function readManifest(file: string, entry: ArchiveEntry): Promise<Manifest> {
  if (entry.name !== ENTRIES.manifest) throw new ConfigurationError(`${file} is not a backup.`)
  return parseManifest(file, await entry.text())
}

/** Loads the entries in the order of the archive. */
async function load(
  transaction: Transaction,
  file: string,
  { files, progress }: { readonly files: RestoredFiles; readonly progress: ProgressListener | undefined },
): Promise<Content> {
  let manifest: Manifest | undefined
  let end: End | undefined
  const rows: Record<string, number> = {}
  for await (const entry of readArchive(file)) {
    if (!manifest) {
      manifest = await readManifest(file, entry)
      await createTables(transaction, manifest)
    } else if (entry.name.startsWith(ENTRIES.tables)) {
      const names = Object.keys(manifest.tables)
      const stage = tableOf(entry)
      progress?.({ done: names.indexOf(stage), total: names.length, stage })
      const [table, count] = await loadRows(transaction, file, manifest, entry)
      rows[table] = (rows[table] ?? 0) + count
    } else if (entry.name.startsWith(ENTRIES.media)) {
      await files.addMedia(entry)
    } else if (entry.name.startsWith(ENTRIES.scripts)) {
      await files.addScript(entry)
    } else if (entry.name === ENTRIES.secrets) {
      await files.addSecrets(entry)
    } else if (entry.name === ENTRIES.end) {
      end = parseEnd(file, await entry.text())
    } else {
      await entry.skip()
    }
  }
  if (!manifest || !end || !isWhole(end, rows, files)) {
    throw new ConfigurationError(`${file} is incomplete: nothing has been restored.`)
  }
  await setSequences(transaction, manifest.tables, manifest.sequences)
  return { manifest, end }
}

const isWhole = (
  end: End,
  rows: Readonly<Record<string, number>>,
  { media, scripts }: { readonly media: number; readonly scripts: number },
): boolean =>
  end.media === media &&
  (end.scripts ?? 0) === scripts &&
  Object.entries(end.rows).every(([table, count]) => (rows[table] ?? 0) === count)

/** Inserts the rows of one entry into their table. */
async function loadRows(
  transaction: Transaction,
  file: string,
  { tables }: Manifest,
  entry: ArchiveEntry,
): Promise<readonly [table: string, count: number]> {
  const name = tableOf(entry)
  const table = tables[name]
  if (!table) throw new ConfigurationError(`${file} is damaged: it has no table ${name}.`)
  const lines = linesOf(await entry.text())
  try {
    // The writer emits lists of texts and nulls.
    const rows = lines.map((line) => JSON.parse(line) as TextRow)
    await insertBackupRows(transaction, name, table, rows)
    return [name, rows.length]
  } catch (error) {
    const isOfRows =
      error instanceof SyntaxError || error instanceof StatementFailed || error instanceof ConstraintViolation
    throw isOfRows ? new ConfigurationError(`${file} is damaged: rows of ${name} cannot be read.`) : error
  }
}

function otherSecrets({ fingerprints }: Manifest, settings: Settings): readonly string[] {
  const secrets = existingSecrets(settings)
  const current = secrets ? fingerprintsOf(secrets) : {}
  return Object.keys(fingerprints).filter((name) => current[name] !== fingerprints[name])
}

/**
 * Checks that the database is empty, or empties it. Throws ConfigurationError if it may not be emptied, is in use by a
 * running service, or contains tables of another program.
 */
async function prepareDatabase(transaction: Transaction, { replace }: { readonly replace: boolean }): Promise<void> {
  await liftTimeLimit(transaction)
  await lockSchema(transaction)
  await refuseWhileServed(transaction)
  const tables = await tablesOf(transaction)
  if (tables.length === 0) return
  const version = await readSchemaVersion(transaction)
  if (!version) {
    throw new ConfigurationError(
      `The database contains tables of another program (${tables.slice(0, 3).join(', ')}, …): name an empty one.`,
    )
  }
  if (!replace) {
    throw new ConfigurationError(
      'The database is not empty, and nothing has been restored: name an empty one, or use --replace to discard its content.',
    )
  }
  const ownTables = [...Object.keys(version.schema.tables), VERSION_TABLE]
  await transaction.execute(sql`drop table if exists ${join(ownTables.map(tableName))} cascade`)
}

/** The caches of a running service would hold rows of the dropped tables. */
async function refuseWhileServed(transaction: Transaction): Promise<void> {
  if (!(await isServed(transaction))) return
  throw new ConfigurationError('A running service uses the database, and nothing has been restored: stop it first.')
}

async function tablesOf(transaction: Transaction): Promise<readonly string[]> {
  const rows = await transaction.queryArrays(sql`
    select tablename::text from ${systemTable('pg_tables')} where schemaname = 'public' order by 1`)
  return rows.map(([name]) => String(name))
}

/**
 * Creates the backup's tables as that version of the program had them, without indexes, which makes loading rows
 * faster.
 */
async function createTables(transaction: Transaction, manifest: Manifest): Promise<void> {
  await createCollations(transaction)
  const { statements } = differenceOf(EMPTY_SCHEMA, bareTables(manifest))
  await transaction.script(statements.join(';\n'))
}

/**
 * Records the tables, so that a migration adds what is missing: constraints, indexes, defaults, and newer columns.
 */
const recordTables = (transaction: Transaction, manifest: Manifest): Promise<void> =>
  writeVersion(transaction, bareTables(manifest), manifest.steps)

const bareTables = ({ tables }: Manifest): StoredSchema => ({ ...EMPTY_SCHEMA, tables })
