import type { User } from '../../identity/actor.ts'
import type { TokenVault } from '../../identity/vault.ts'
import { dataFile } from '../../models/core/data-file.ts'
import { dataSource } from '../../models/core/data-source.ts'
import { namedParameters, SECRET_PARAMETERS } from '../../models/core/secret-parameters.ts'
import type { Json } from '../../schema/json.ts'
import type { Writer } from '../../schema/rule.ts'
import type { Service } from '../../service.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table, updateTable } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import { runWrite } from '../../write/run.ts'
import { JobFailed, type JobKind } from '../jobs/job-kind.ts'
import { type ChangedFile, type FileChanges, findChanges, type StoredFile } from './file-changes.ts'
import { fetchGit } from './git-source.ts'
import { ignoredPaths } from './ignore-rules.ts'
import { fetchLocal } from './local-source.ts'
import { fetchS3 } from './s3-source.ts'
import { type FetchFiles, type FetchLimits, SyncError, type SyncLog } from './source-file.ts'
import { DATA_SOURCE_JOB } from './sync-request.ts'
import { updateObjectsOf } from './update-objects.ts'

/** The job that synchronises the data source that it belongs to. */
export const dataSourceJob = (vault: Pick<TokenVault, 'reveal'>): JobKind => ({
  name: DATA_SOURCE_JOB,
  run: async ({ service, job, actor, log, signal }) => {
    if (job.object?.type !== dataSource.name) throw new JobFailed('The job has no data source.')
    await synchronise({
      ...{ service, vault, actor, log, signal },
      source: job.object.id,
      requestId: job.jobId,
    })
  },
})

const FETCH: ReadonlyMap<string, FetchFiles> = new Map([
  ['local', fetchLocal],
  ['git', fetchGit],
  ['amazon-s3', fetchS3],
])

/** The inputs of a synchronisation. */
interface Synchronisation {
  readonly service: Service
  readonly vault: Pick<TokenVault, 'reveal'>
  /** Id of the data source. */
  readonly source: number
  /** The author of the changes. */
  readonly actor: User
  /** UUID that all of its change records share. */
  readonly requestId: string
  readonly log: SyncLog
  readonly signal: AbortSignal
}

interface SourceRow extends Record<string, unknown> {
  readonly name: string
  readonly type: string
  readonly source_url: string
  readonly ignore_rules: string
  readonly parameters: string | null
  readonly sealed_parameters: string | null
}

/**
 * Fetches the files of a source, stores the changes, all or nothing, and then updates the objects that follow these
 * files. The source's status shows the outcome. Throws SyncError if the source cannot be fetched.
 */
async function synchronise(synchronisation: Synchronisation): Promise<void> {
  const { service, source, log } = synchronisation
  const [row] = await service.database.query<SourceRow>(sql`
    select name, type, source_url, ignore_rules, parameters, sealed_parameters
    from ${table(dataSource.name)} where id = ${source}::bigint`)
  if (!row) throw new SyncError('The data source no longer exists.')
  log.debug(`Found DataSource ID ${source}`)
  log.info(`Syncing data source ${row.name}`)
  await setStatus(synchronisation, sql`status = 'syncing'`)
  try {
    const stored = await storedFiles(service.database, source)
    const changes = await fetchChanges(synchronisation, row, stored)
    await storeChanges(synchronisation, changes, stored)
    log.debug(summaryOf(changes))
    log.info('Syncing completed successfully')
  } catch (error) {
    log.error(`Error syncing data source: ${error instanceof Error ? error.message : error}`)
    await setStatus(synchronisation, sql`status = 'failed'`)
    throw error
  }
}

const summaryOf = ({ total, created, updated, removed }: FileChanges): string =>
  `${total} files: ${created.length} created, ${updated.length} updated, ${removed.length} deleted`

async function fetchChanges(
  { service, vault, log, signal }: Synchronisation,
  row: SourceRow,
  stored: StoredFiles,
): Promise<FileChanges> {
  const fetchFiles = FETCH.get(row.type)
  if (!fetchFiles) throw new SyncError(`There are no data sources of the type ${row.type}.`)
  const limits = limitsOf(service)
  const files = fetchFiles({
    source: { url: row.source_url, parameters: openParameters(vault, row) },
    limits,
    ignores: ignoredPaths(row.ignore_rules),
    log,
    signal,
  })
  return await findChanges(files, stored, limits)
}

/** Bytes of one file. */
const MAX_FILE_SIZE = 10_485_760
/** Maximum bytes of all files of a source, and of the data that a git server sends for them. */
const MAX_SIZE = 104_857_600
/** Files of a source. */
const MAX_FILES = 10_000

const limitsOf = ({ settings }: Service): FetchLimits => ({
  directories: settings.dataSourceDirectories,
  networks: settings.dataSourceAllowedNetworks,
  fileSize: MAX_FILE_SIZE,
  totalSize: MAX_SIZE,
  files: MAX_FILES,
})

/** The parameters of a source with its secrets in plain text. */
function openParameters(
  vault: Synchronisation['vault'],
  { parameters, sealed_parameters }: SourceRow,
): Record<string, Json> {
  const sealed = namedParameters(JSON.parse(sealed_parameters ?? '{}'))
  const secrets = SECRET_PARAMETERS.flatMap((name) => {
    const encrypted = sealed[name]
    if (typeof encrypted !== 'string') return []
    const secret = vault.reveal(encrypted)
    if (secret === undefined) {
      throw new SyncError(`The ${name} was encrypted with another SECRET_KEY: enter it again.`)
    }
    return [[name, secret]]
  })
  return { ...namedParameters(JSON.parse(parameters ?? '{}')), ...Object.fromEntries(secrets) }
}

/** Files of a source by their paths. */
type StoredFiles = ReadonlyMap<string, StoredFile>

async function storedFiles(queryable: Queryable, source: number): Promise<StoredFiles> {
  const rows = await queryable.query<{ path: string; id: number; hash: string }>(sql`
    select id, path, hash from ${table(dataFile.name)} where source_id = ${source}::bigint`)
  return new Map(rows.map(({ path, id, hash }) => [path, { id, hash }]))
}

/** Stores the changes in one transaction. Throws SyncError if the files have changed since they were compared. */
async function storeChanges(
  synchronisation: Synchronisation,
  changes: FileChanges,
  compared: StoredFiles,
): Promise<void> {
  const { source, log } = synchronisation
  await write(synchronisation, async (context) => {
    const { transaction } = context
    await transaction.query(sql`select id from ${table(dataSource.name)} where id = ${source}::bigint for update`)
    if (!isEqual(await storedFiles(transaction, source), compared)) {
      throw new SyncError('This source has been synchronised in the meantime.')
    }
    await saveChanges(context.makeWriter(context), source, changes)
    await updateObjectsOf(context, source, log)
    const { now } = context
    await updateSource(context, source, sql`status = 'completed', last_synced = ${now}::timestamptz`)
  })
}

const isEqual = (left: StoredFiles, right: StoredFiles): boolean =>
  left.size === right.size &&
  [...left].every(([path, { id, hash }]) => {
    const file = right.get(path)
    return file?.id === id && file.hash === hash
  })

const setStatus = (synchronisation: Synchronisation, assignments: Sql): Promise<void> =>
  write(synchronisation, (context) => updateSource(context, synchronisation.source, assignments))

/** Sets columns that are not changes by a user: without a change record, and without a new `last_updated`. */
async function updateSource({ transaction }: WriteContext, source: number, assignments: Sql): Promise<void> {
  await transaction.execute(sql`${updateTable(dataSource.name)} set ${assignments} where id = ${source}::bigint`)
}

const write = <T>(
  { service, actor, requestId }: Synchronisation,
  work: (context: WriteContext) => Promise<T>,
): Promise<T> => runWrite(service, { actor, requestId }, work)

/** Characters of content per statement, so that a large source is not one large statement. */
const BATCH_CHARACTERS = 8_000_000
const BATCH_FILES = 500

/** Writes the changes of a source's files. Objects that refer to a deleted file lose the reference. */
async function saveChanges(write: Writer, source: number, { created, updated, removed }: FileChanges): Promise<void> {
  for (let start = 0; start < removed.length; start += BATCH_FILES) {
    await write.remove(dataFile, removed.slice(start, start + BATCH_FILES))
  }
  for (const batch of batchesOf(updated)) {
    await write.update(
      dataFile,
      batch.map(({ id, size, hash, data }) => ({ id, size, hash, data })),
    )
  }
  for (const batch of batchesOf(created)) {
    await write.create(
      dataFile,
      batch.map((file) => ({ ...file, source })),
    )
  }
}

function* batchesOf<T extends ChangedFile>(files: readonly T[]): Iterable<readonly T[]> {
  let batch: T[] = []
  let size = 0
  for (const file of files) {
    if (batch.length === BATCH_FILES || (batch.length > 0 && size > BATCH_CHARACTERS)) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(file)
    size += file.data.length
  }
  if (batch.length > 0) yield batch
}
