import { readdirSync } from 'node:fs'
import { API_VERSIONS } from '../../base/api-version.ts'
import { ConfigurationError, codeOf } from '../../base/errors.ts'
import { activeRevision } from '../../changes/configuration-revisions.ts'
import { withRevision } from '../../config/dynamic-settings.ts'
import type { Settings } from '../../config/settings.ts'
import type { Database } from '../../db/database.ts'
import { formerDatabaseProblem, hasCluster } from '../../db/embedded/cluster-directory.ts'
import { obstaclesText } from '../../db/migrate/compatibility.ts'
import { missingRights } from '../../db/migrate/migrate.ts'
import { type PendingMigration, pendingMigration } from '../../db/migrate/pending.ts'
import type { MigrationStep } from '../../db/migrate/steps.ts'
import { openDatabase } from '../../db/open.ts'
import type { Registry } from '../../schema/registry.ts'
import { volatile } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { counted } from '../../transfer/backup/counted.ts'
import { checkConfiguration } from './configuration.ts'
import { checkDataDirectory } from './data-directory.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { checkMediaBucket } from './media.ts'
import { checkProviders } from './providers.ts'
import { checkWalls } from './scripts.ts'
import { checkStoredData } from './stored-data.ts'

/** The models, including custom models in a database. */
type RegistryIn = (queryable: Queryable) => Promise<Registry>

/** Milliseconds within which a healthy service responds. */
const PATIENCE = 5_000
const ANYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }

/** Checks that a service responds at the configured address. */
async function checkService({ host, port, basePath }: Settings): Promise<Finding> {
  const name = ANYWHERE[host] ?? (host.includes(':') ? `[${host}]` : host)
  const address = `http://${name}:${port}${basePath}/health/ready`
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE) }).catch(() => undefined)
  if (!answer) {
    const advice = 'Start it, or set HOST, PORT and BASE_PATH as they are for the service.'
    return warning('service', `No service responds at ${address}.`, advice)
  }
  if (answer.ok) return ok('service', `The service at ${address} is ready.`)
  const advice = 'Read its log; the following lines may say why.'
  return warning('service', `The service at ${address} returns the status ${answer.status}.`, advice)
}

/** Examines everything that the service needs. Changes nothing; a bucket gets a small file for a moment. */
export async function examine(
  settings: Settings,
  registryIn: RegistryIn,
  steps?: readonly MigrationStep[],
): Promise<readonly Finding[]> {
  return [
    ...checkConfiguration(settings),
    ...checkDataDirectory(settings),
    ...(await checkMediaBucket(settings)),
    ...(await checkProviders(settings)),
    await checkWalls(),
    await checkService(settings),
    ...(missingDatabase(settings) ?? (await lookInside(settings, registryIn, steps))),
  ]
}

/**
 * Reports the API version of requests that do not name one: that of the configuration's active revision, if it has one.
 */
async function apiVersionOf(database: Database, settings: Settings): Promise<Finding> {
  const { apiVersion } = withRevision(settings, await activeRevision(database)).settings
  return ok(
    'api',
    `Requests that name no version of the API get ${apiVersion}; ${API_VERSIONS.join(' and ')} are served.`,
  )
}

/** Undefined if there is a database: DATA_DIR gets one by the first start only. */
function missingDatabase({ databaseUrl, dataDir }: Settings): readonly Finding[] | undefined {
  if (databaseUrl !== undefined || hasCluster(dataDir)) return undefined
  const former = formerDatabaseProblem(dataDir)
  if (former !== undefined) return [problem('database', former, 'The start refuses it, and changes nothing.')]
  if (!isReadable(dataDir)) {
    return [problem('database', `This user may not read ${dataDir}.`, 'Run this command as the user of the service.')]
  }
  const text = `There is none in ${dataDir}, so nothing has been examined.`
  const advice =
    'Set DATA_DIR or DATABASE_URL as they are for the service. Before the first start you can ignore this: the start creates it.'
  return [problem('database', text, advice)]
}

/** Also true if there is no such directory. */
function isReadable(directory: string): boolean {
  try {
    readdirSync(directory)
    return true
  } catch (error) {
    return codeOf(error) === 'ENOENT'
  }
}

async function lookInside(
  settings: Settings,
  registryIn: RegistryIn,
  steps: readonly MigrationStep[] | undefined,
): Promise<readonly Finding[]> {
  try {
    const database = await openDatabase(settings)
    try {
      const registry = await registryIn(database)
      const pending = await pendingMigration(database, registry, steps)
      return [
        ...(await checkDatabase(database, settings)),
        pending.state === 'empty' ? await checkRights(database) : checkTables(pending),
        // The content of another version's tables cannot be queried.
        ...(pending.state === 'current'
          ? [await apiVersionOf(database, settings), ...(await checkStoredData(database, registry, settings))]
          : []),
      ]
    } finally {
      await database.close()
    }
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return [problem('database', error.message, 'Correct the setting, or start the server.')]
  }
}

/** Clock difference, in seconds, that makes the expiry of tokens and sessions unreliable. */
const NOTICEABLE = 2
const HARMFUL = 60

/** Checks version, connection limit and clock. Throws the errors of the database. */
async function checkDatabase(database: Database, settings: Settings): Promise<readonly Finding[]> {
  return [await checkServer(database), await checkConnections(database, settings), await checkClock(database)]
}

async function checkServer(database: Database): Promise<Finding> {
  const [[version, bytes] = []] = await database.queryArrays(volatile`
    select current_setting('server_version'), pg_database_size(current_database()) / 1048576`)
  return ok('database', `PostgreSQL ${String(version)} responds; the data takes ${String(bytes)} MiB.`)
}

async function checkConnections(database: Database, { databasePoolSize }: Settings): Promise<Finding> {
  const [[most, used] = []] = await database.queryArrays(volatile`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
      (select count(*) from pg_stat_activity where backend_type = 'client backend')`)
  const text = `The server has ${counted(Number(most), 'connection')}, ${String(used)} of them in use; each process of the service takes up to ${databasePoolSize + 1}.`
  if (Number(most) > databasePoolSize) return ok('connections', text)
  return problem('connections', text, 'Lower DATABASE_POOL_SIZE, or raise max_connections.')
}

async function checkClock(database: Database): Promise<Finding> {
  const before = Date.now()
  const [[timestamp] = []] = await database.queryArrays(volatile`select extract(epoch from clock_timestamp())::float8`)
  const here = (before + Date.now()) / 2000
  const apart = Math.abs(Number(timestamp) - here)
  const text = `The clocks of this machine and of the database are ${apart.toFixed(1)} s apart.`
  const advice = 'Synchronise both clocks with NTP; otherwise tokens and sessions expire at the wrong time.'
  if (apart > HARMFUL) return problem('clock', text, advice)
  return apart > NOTICEABLE ? warning('clock', text, advice) : ok('clock', text)
}

/** Checks that the first start may create the tables. */
async function checkRights(database: Database): Promise<Finding> {
  const refusal = await missingRights(database)
  if (refusal === undefined) return ok('tables', 'The database is empty; the first start creates the tables.')
  return problem('tables', refusal, 'The first start and a restore create tables.')
}

/** Checks that the tables are those of this version. */
function checkTables(pending: Exclude<PendingMigration, { readonly state: 'empty' }>): Finding {
  switch (pending.state) {
    case 'current':
      return ok('tables', 'The tables are those of this version.')
    case 'behind':
      return warning(
        'tables',
        `The next start changes the tables (${counted(pending.changes, 'statement')})${
          pending.obstacles.length === 0
            ? '; processes of the earlier version can go on meanwhile.'
            : `, and processes of the earlier version cannot work with them: ${obstaclesText(pending.obstacles)}.`
        }`,
        `Make a backup first: backup <file>.${pending.obstacles.length === 0 ? '' : ' Then stop all processes before the start.'}`,
      )
    case 'foreign':
      return problem(
        'tables',
        `Another version of the program has created the tables: ${pending.problems.slice(0, 3).join('; ')}.`,
        'Start that version, or restore a backup.',
      )
  }
}
