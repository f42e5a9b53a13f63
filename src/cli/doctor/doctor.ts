import { readdirSync } from 'node:fs'
import { API_VERSIONS } from '../../base/api-version.ts'
import { ConfigurationError, codeOf } from '../../base/errors.ts'
import { activeRevision } from '../../changes/configuration-revisions.ts'
import { withRevision } from '../../config/dynamic-settings.ts'
import type { Settings } from '../../config/settings.ts'
import type { Database } from '../../db/database.ts'
import { formerDatabaseProblem, hasCluster } from '../../db/embedded/cluster-directory.ts'
import { pendingMigration } from '../../db/migrate/pending.ts'
import type { MigrationStep } from '../../db/migrate/steps.ts'
import { openDatabase } from '../../db/open.ts'
import type { Registry } from '../../schema/registry.ts'
import { checkConfiguration } from './configuration.ts'
import { checkDataDirectory } from './data-directory.ts'
import { checkDatabase, checkTables } from './database.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { checkMediaBucket } from './media.ts'
import { checkProviders } from './providers.ts'
import { checkStoredData } from './stored-data.ts'

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
  registry: Registry,
  steps?: readonly MigrationStep[],
): Promise<readonly Finding[]> {
  return [
    ...checkConfiguration(settings),
    ...checkDataDirectory(settings),
    ...(await checkMediaBucket(settings)),
    ...(await checkProviders(settings)),
    await checkService(settings),
    ...(missingDatabase(settings) ?? (await lookInside(settings, registry, steps))),
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
  registry: Registry,
  steps: readonly MigrationStep[] | undefined,
): Promise<readonly Finding[]> {
  try {
    const database = await openDatabase(settings)
    try {
      const pending = await pendingMigration(database, registry, steps)
      return [
        ...(await checkDatabase(database, settings)),
        checkTables(pending),
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
