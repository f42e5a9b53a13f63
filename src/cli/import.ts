import { Command, InvalidArgumentError, Option } from 'commander'
import { API_VERSIONS, type ApiVersion } from '../api-version.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { type Core, openCore } from '../core.ts'
import { BrokenRow } from '../transfer/broken-row.ts'
import { findCollections } from '../transfer/collections.ts'
import { type ImportReport, importDataSet } from '../transfer/import-directory.ts'
import { isAddress } from '../transfer/remote/address.ts'
import { SourceError } from '../transfer/remote/source-error.ts'
import { adoptVersion, holdsNothing, type ServedVersion, versionOfDataSet } from '../transfer/source-version.ts'
import { withoutEffect } from '../transfer/without-effect.ts'
import { databaseText, NEW_OPTION, requireDatabase } from './chosen-database.ts'
import { COMMAND } from './command-name.ts'
import { checkSource, importFromService, type ServiceOptions } from './import-from-service.ts'
import { withProgress } from './progress.ts'

type Options = ServiceOptions & { readonly new?: true; readonly apiVersion?: ApiVersion }

/** Loads a data set into the database. */
export const importCommand = new Command('import')
  .description('load a data set, or everything that a running service of the same API shows')
  .argument('<source>', 'directory with a file of objects for each endpoint, or https://…')
  .addOption(new Option('--token <token>', "API token of the service's superuser").env('IMPORT_TOKEN'))
  .option('--parallel <number>', 'requests to the service at a time', wholeNumber, 4)
  .option('--work <directory>', 'where to keep what was fetched (default: in DATA_DIR, until done)')
  .option('--without <endpoint...>', 'collections of the service to leave out')
  .addOption(
    new Option(
      '--api-version <version>',
      'version of the API for requests that name none (default: of the source)',
    ).choices(API_VERSIONS),
  )
  .option(...NEW_OPTION)
  .action(async (source: string, options: Options) => {
    try {
      const settings = readSettings(process.env)
      // Before the database, whose absence matters only if there is something to import.
      if (isAddress(source)) await checkSource(source, options)
      else findCollections(source)
      requireDatabase(settings, options.new === true)
      await importFrom(source, options, settings)
    } catch (error) {
      if (error instanceof BrokenRow) {
        console.error(`${error.message}\nNothing has been imported.`)
      } else if (error instanceof SourceError) {
        console.error(error.message)
      } else {
        throw error
      }
      process.exitCode = 1
    }
  })

async function importFrom(source: string, options: Options, settings: Settings): Promise<void> {
  console.error(`Database: ${databaseText(settings)}.`)
  const core = await openCore(settings, (sentence) => console.error(sentence))
  const { service } = core
  try {
    const isNew = await holdsNothing(service)
    let version: ApiVersion
    if (isAddress(source)) {
      version = await importFromService(core, source, options, (directory) => load(core, directory))
    } else {
      version = await versionOfDataSet(service.registry, source)
      await load(core, source)
    }
    const chosen = options.apiVersion
    tellVersion(version, await adoptVersion(service, { source: version, chosen, isNew }))
  } finally {
    await core.close()
  }
}

async function load(core: Core, directory: string): Promise<void> {
  const report = await withProgress((progress) =>
    importDataSet(core.service, directory, { vault: core.vault, progress }),
  )
  tell(report)
}

function tell(report: ImportReport): void {
  const { imported, leftOut, media } = report
  const added = imported.reduce((sum, { added }) => sum + added, 0)
  const rows = imported.reduce((sum, { rows }) => sum + rows, 0)
  console.log(
    `${rows} objects of ${imported.length} collections read: ${added} imported, ${rows - added} already existed; ${media} files copied.`,
  )
  if (leftOut.length > 0) console.log(`Left out, not supported yet: ${leftOut.join(', ')}.`)
  const idle = withoutEffect(report)
  if (idle.length > 0) {
    console.log(['Stored, but without effect in this version:', ...idle].join('\n  '))
  }
}

const REASONS: Readonly<Record<NonNullable<ServedVersion['kept']>, string>> = {
  environment: ', which API_VERSION sets in the environment',
  revision: ', which the configuration sets',
  'in use': ', as before the import',
}

function tellVersion(source: ApiVersion, { version, kept }: ServedVersion): void {
  console.log(
    `The source has version ${source} of the API. Requests that name no version get ${version}${kept ? REASONS[kept] : ''}.`,
  )
  if (kept !== undefined && kept !== 'environment') {
    console.log(`If your tools expect ${source}: ${COMMAND} config set API_VERSION=${source}`)
  }
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('Enter a number from 1 to 99.')
  return Number(text)
}
