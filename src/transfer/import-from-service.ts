import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApiVersion } from '../base/api-version.ts'
import type { Progress } from '../base/progress.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Vault } from '../schema/vault.ts'
import type { Service } from '../service.ts'
import {
  decisionText,
  type ImportPlan,
  ImportRefused,
  needsConsent,
  planDigest,
  planLines,
  totalsOf,
} from './counterparts/plan.ts'
import { changesModels, planPlugins, pluginLines, switchOn } from './derive/source-packs.ts'
import { type ImportOptions, type ImportReport, importDataSet, planImport } from './import-directory.ts'
import { parseAddress } from './remote/address.ts'
import { Client } from './remote/client.ts'
import { discover } from './remote/discover.ts'
import { type DownloadReport, download } from './remote/download.ts'
import { SourceError } from './remote/source-error.ts'
import { sourceOfDownload } from './remote/work-directory.ts'
import { adoptVersion, holdsNothing, type ServedVersion } from './source-version.ts'
import { withoutEffect } from './without-effect.ts'

/** A running service of the same API, and what to read from it. */
export interface ServiceSource {
  /** Address: https://… */
  readonly source: string
  readonly token?: string
  /** Maximum simultaneous requests. */
  readonly parallel?: number
  /** Directory for the downloaded data; it is not removed afterwards. */
  readonly work?: string
  /** Collections to leave out: `core/object-changes`. */
  readonly without?: readonly string[]
}

/** Where the import reports to. */
interface Listener {
  /** Takes a sentence, or several lines, about what was done and what is left to do. */
  say(text: string): void
  progress?(now: Progress): void
}

const PARALLEL = 4

/** Throws SourceError if the service cannot be read: no token, a wrong address, no response, a refusal. */
export async function checkSource(from: ServiceSource): Promise<void> {
  const address = parseAddress(from.source)
  await discover(new Client(address, tokenOf(from), { parallel: from.parallel ?? PARALLEL }), address)
}

function tokenOf({ token }: ServiceSource): string {
  if (token !== undefined && token !== '') return token
  throw new SourceError('A token is needed to read from a service: --token, or IMPORT_TOKEN in the environment.')
}

/** How an import treats objects that are here already, and how a person agrees to it. */
export interface ImportMode extends Pick<ImportOptions, 'prefer' | 'choices' | 'actor'> {
  /** Name of the source under which later imports find its objects again. */
  readonly name?: string | undefined
  /** Nothing is to be imported: no pack is switched on. */
  readonly isTrial?: boolean
  /**
   * Decides about an import into a database that has objects: true carries it out. The plan has been said already.
   */
  agree(plan: ImportPlan, directory: string): Promise<boolean>
}

interface Core {
  readonly service: Service
  readonly vault: Vault
}

/**
 * Downloads everything that a running service shows, then loads it. Returns the version of its API; undefined if the
 * import was not agreed to. Throws SourceError, and as `importDataSet`; what was fetched is kept then, and another
 * import of the same service continues there.
 */
export async function importFromService(
  core: Core,
  from: ServiceSource,
  listener: Listener,
  mode: ImportMode,
): Promise<ApiVersion | undefined> {
  const { source, work, parallel = PARALLEL, without = [] } = from
  const { say, progress } = listener
  const token = tokenOf(from)
  const directory = work ?? (await workDirectory(core.service.settings.dataDir, source))
  const keep = () => {
    if (existsSync(directory)) say(`The fetched data stays in ${directory}: another import of this service continues.`)
  }
  try {
    const service = await withPlugins(core.service, from, say, mode)
    const report = await download({
      ...{ source, token, directory, registry: service.registry, parallel },
      // Rows alone would not make their tables: `withPlugins` has switched on what the source has.
      without: [...without, service.registry.model(SYSTEM.pack).path],
      ...(progress && { progress }),
    })
    say(`${report.rows} objects fetched${keptText(report)}.`)
    const current = { ...core, service }
    const isDone = await importWithConsent(current, directory, listener, { name: parseAddress(source), ...mode })
    if (!isDone) {
      keep()
      return undefined
    }
    sayLeft(report, without, say)
    if (work === undefined) await rm(directory, { recursive: true })
    return report.version
  } catch (error) {
    keep()
    throw error
  }
}

/**
 * Says what becomes of the plugins of the source, and switches on the packs that hold their objects. Returns the service
 * with their models.
 */
async function withPlugins(
  service: Service,
  from: ServiceSource,
  say: Listener['say'],
  { actor, isTrial }: ImportMode,
): Promise<Service> {
  const address = parseAddress(from.source)
  const client = new Client(address, tokenOf(from), { parallel: from.parallel ?? PARALLEL })
  const { plugins: bases } = await discover(client, address)
  if (bases.length === 0) return service
  const plan = await planPlugins(service, client, { bases, without: from.without ?? [] })
  say(['Plugins of the source:', ...pluginLines(plan)].join('\n'))
  if (!changesModels(plan)) return service
  if (isTrial) {
    say('No pack is switched on for a plan, which therefore lacks the objects of the packs that are off.')
    return service
  }
  const { refused, ...switched } = await switchOn(service, plan, actor)
  if (refused.length > 0) say(['Packs that cannot be used:', ...refused].join('\n  '))
  return switched.service
}

/**
 * Loads a data set. If the database has objects, says first what would happen to them, and asks. Returns whether the
 * data set has been loaded.
 */
export async function importWithConsent(
  { service, vault }: Core,
  directory: string,
  { say, progress }: Listener,
  { name, agree, ...mode }: ImportMode,
): Promise<boolean> {
  const source = name ?? (await sourceOfDownload(directory))
  const options = { vault, source, ...mode, ...(progress && { progress }) }
  const plan = await planImport(service, directory, options)
  if (plan.ambiguous.length > 0 || needsConsent(plan)) say(planLines(plan).join('\n'))
  if (plan.ambiguous.length > 0) throw new ImportRefused(decisionText(plan))
  if (plan.refused.length > 0) throw new ImportRefused('Rules refuse the import: the end of the plan says why.')
  if (!(await agree(plan, directory))) return false
  const confirm = (current: ImportPlan): void => {
    if (planDigest(current) !== planDigest(plan)) {
      throw new ImportRefused('The database has changed since the plan was made. Start the import again.')
    }
  }
  sayImported(await importDataSet(service, directory, { ...options, confirm }), say)
  return true
}

/** A directory per source below the data directory, so that another run continues there. */
async function workDirectory(dataDir: string, source: string): Promise<string> {
  if (dataDir.includes('://')) return await mkdtemp(join(tmpdir(), 'cadastre-import-'))
  const name = parseAddress(source).replace(/^https?:\/\//, '')
  return join(dataDir, 'import', name.replace(/[^\w.-]+/g, '_'))
}

const keptText = ({ kept }: DownloadReport): string =>
  kept > 0 ? `, ${kept} collections of them by an earlier run` : ''

/** Says what was loaded. */
function sayImported(report: ImportReport, say: Listener['say']): void {
  const { imported, leftOut, media, plan, notes } = report
  const added = imported.reduce((sum, { added }) => sum + added, 0)
  const rows = imported.reduce((sum, { rows }) => sum + rows, 0)
  say(
    `${rows} objects of ${imported.length} collections read: ${added} imported, ${restText(plan, rows - added)}; ${media} files copied.`,
  )
  for (const note of notes) say(note)
  if (leftOut.length > 0) say(`Left out, not supported yet: ${leftOut.join(', ')}.`)
  const idle = withoutEffect(report)
  if (idle.length > 0) say(['Stored, but without effect in this version:', ...idle].join('\n  '))
}

/** What became of the objects that were not created. */
function restText(plan: ImportPlan, count: number): string {
  const { changed, kept, matched, renumbered } = totalsOf(plan)
  const parts = [
    `${count} already existed`,
    changed > 0 && `${changed} of them changed`,
    kept > 0 && `${kept} of them kept with other values than at the source`,
    matched > 0 && `${matched} of them found by what identifies them`,
    renumbered > 0 && `${renumbered} of the new ones have another id here`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

/** Says what users must know or do when they move to this service. */
function sayLeft(report: DownloadReport, without: readonly string[], say: Listener['say']): void {
  const { users, tokens, hidden } = report.omissions
  const sayList = (list: readonly string[], sentence: string) => {
    if (list.length > 0) say(`${sentence}\n${list.map((line) => `  ${line}`).join('\n')}`)
  }
  if (report.isMoving) say('The service changed throughout the import: import again when it is quieter.')
  if (users > 0) {
    say(`The API does not show passwords: none of the ${users} users can sign in before a superuser sets a new one.`)
  }
  sayList(tokens, 'The API does not show tokens: create these again.')
  sayList(hidden, 'Also not shown by the API, and now empty:')
  sayList(report.missingMedia, 'Files that the service did not deliver:')
  sayList(report.unreadable, 'Left out, because the service fails to show it:')
  sayList(report.unknown, 'Endpoints of the service that have no counterpart here:')
  sayList(without, 'Left out on request:')
}

const REASONS: Readonly<Record<NonNullable<ServedVersion['kept']>, string>> = {
  environment: ', which API_VERSION sets in the environment',
  revision: ', which the configuration sets',
  'in use': ', as before the import',
}

/**
 * Runs an import and serves the version of its source from then on, if the database was empty or `chosen` says so.
 * `work` imports and returns the version of the source; undefined if nothing was to be imported.
 */
export async function importInVersion(
  service: Service,
  chosen: ApiVersion | undefined,
  say: Listener['say'],
  work: () => Promise<ApiVersion | undefined>,
): Promise<(ServedVersion & { readonly source: ApiVersion }) | undefined> {
  const isNew = await holdsNothing(service, service.database)
  const source = await work()
  if (source === undefined) return undefined
  const served = await adoptVersion(service, { source, chosen, isNew })
  const { version, kept } = served
  say(
    `The source has version ${source} of the API. Requests that name no version get ${version}${kept ? REASONS[kept] : ''}.`,
  )
  return { ...served, source }
}
