import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiVersion } from '../api-version.ts'
import type { Core } from '../core.ts'
import { parseAddress } from '../transfer/remote/address.ts'
import { Client } from '../transfer/remote/client.ts'
import { discover } from '../transfer/remote/discover.ts'
import { type DownloadReport, download } from '../transfer/remote/download.ts'
import { SourceError } from '../transfer/remote/source-error.ts'
import { COMMAND } from './command-name.ts'
import { withProgress } from './progress.ts'

export interface ServiceOptions {
  readonly token?: string
  readonly parallel: number
  /** Directory for the downloaded data; it is not removed afterwards. */
  readonly work?: string
  readonly without?: readonly string[]
}

/** Throws SourceError if the service cannot be read: no token, a wrong address, no response, a refusal. */
export async function checkSource(source: string, options: ServiceOptions): Promise<void> {
  const address = parseAddress(source)
  await discover(new Client(address, tokenOf(options), { parallel: options.parallel }), address)
}

function tokenOf({ token }: ServiceOptions): string {
  if (token !== undefined && token !== '') return token
  throw new SourceError('A token is needed to read from a service: --token, or IMPORT_TOKEN in the environment.')
}

/** Downloads everything that a running service shows, then loads it. Returns the version of its API. Throws SourceError. */
export async function importFromService(
  { service }: Core,
  source: string,
  options: ServiceOptions,
  load: (directory: string) => Promise<void>,
): Promise<ApiVersion> {
  const { parallel, work, without = [] } = options
  const token = tokenOf(options)
  const { registry, settings } = service
  const directory = work ?? (await workDirectory(settings.dataDir, source))
  let version: ApiVersion
  try {
    const report = await withProgress((progress) =>
      download({ source, token, directory, registry, parallel, without, progress }),
    )
    console.log(`${report.rows} objects fetched${keptText(report)}.`)
    await load(directory)
    tell(report, without)
    version = report.version
  } catch (error) {
    if (existsSync(directory)) {
      console.error(`The fetched data stays in ${directory}: run the same command again to continue.`)
    }
    throw error
  }
  if (work === undefined) await rm(directory, { recursive: true })
  return version
}

/** A directory per source below the data directory, so that another run continues there. */
async function workDirectory(dataDir: string, source: string): Promise<string> {
  if (dataDir.includes('://')) return await mkdtemp(join(tmpdir(), 'cadastre-import-'))
  const name = parseAddress(source).replace(/^https?:\/\//, '')
  return join(dataDir, 'import', name.replace(/[^\w.-]+/g, '_'))
}

const keptText = ({ kept }: DownloadReport): string =>
  kept > 0 ? `, ${kept} collections of them by an earlier run` : ''

/** Prints what users must know or do when they move to this service. */
function tell(report: DownloadReport, without: readonly string[]): void {
  const { users, tokens, hidden } = report.omissions
  const say = (list: readonly string[], sentence: string) => {
    if (list.length > 0) console.log(`${sentence}\n${list.map((line) => `  ${line}`).join('\n')}`)
  }
  if (report.isMoving) {
    console.log('The service changed throughout the import: import again when it is quieter.')
  }
  if (users > 0) {
    console.log(
      `The API does not show passwords: none of the ${users} users can sign in before a new one is set.\n` +
        `A superuser who can do that: ${COMMAND} create-superuser <new name>`,
    )
  }
  say(tokens, 'The API does not show tokens: create these again.')
  say(hidden, 'Also not shown by the API, and now empty:')
  say(report.missingMedia, 'Files that the service did not deliver:')
  say(report.unknown, 'Endpoints of the service that have no counterpart here:')
  say(without, 'Left out on request:')
}
