import { Command, InvalidArgumentError, Option } from 'commander'
import { API_VERSIONS, type ApiVersion } from '../base/api-version.ts'
import { BrokenRow } from '../transfer/broken-row.ts'
import { findCollections } from '../transfer/collections.ts'
import { importDataSet } from '../transfer/import-directory.ts'
import {
  checkSource,
  importFromService,
  importInVersion,
  type ServiceSource,
  sayImported,
} from '../transfer/import-from-service.ts'
import { importScripts } from '../transfer/import-scripts.ts'
import { isAddress } from '../transfer/remote/address.ts'
import { SourceError } from '../transfer/remote/source-error.ts'
import { versionOfDataSet } from '../transfer/source-version.ts'
import { NEW_OPTION } from './chosen-database.ts'
import { COMMAND } from './command-name.ts'
import { JSON_OPTION, printJson } from './output.ts'
import { withProgress } from './progress.ts'
import { withCore } from './with-core.ts'

type Options = Omit<ServiceSource, 'source'> & {
  readonly new?: true
  readonly json?: true
  /** Directory of the source's scripts. */
  readonly scripts?: string
  readonly apiVersion?: ApiVersion
}

/** Loads a data set into the database. */
export const importCommand = new Command('import')
  .description('Load a data set, or everything that a running service of the same API shows.')
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
  .option('--scripts <directory>', 'directory with the scripts of the source, which are copied to SCRIPTS_ROOT')
  .option(...NEW_OPTION)
  .option(...JSON_OPTION)
  .addHelpText(
    'after',
    '\nExamples:\n  cadastre import --new ./dataset\n  IMPORT_TOKEN=… cadastre import --new https://netbox.example.com',
  )
  .action(async (source: string, options: Options) => {
    try {
      // Before the database, whose absence matters only if there is something to import.
      if (isAddress(source)) await checkSource({ source, ...options })
      else findCollections(source)
      await importFrom(source, options)
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

async function importFrom(source: string, options: Options): Promise<void> {
  const sentences: string[] = []
  const say = (text: string): void => {
    if (options.json) sentences.push(text)
    else console.log(text)
  }
  await withCore(
    async (core) => {
      const { service, vault } = core
      const served = await importInVersion(service, options.apiVersion, say, () =>
        withProgress(async (progress) => {
          if (isAddress(source)) return await importFromService(core, { source, ...options }, { say, progress })
          const version = await versionOfDataSet(service.registry, source)
          sayImported(await importDataSet(service, source, { vault, progress }), say)
          return version
        }),
      )
      if (options.scripts !== undefined) await importScripts(service, options.scripts, say)
      const { source: version, kept } = served
      if (kept !== undefined && kept !== 'environment') {
        say(`If your tools expect ${version}: ${COMMAND} config set API_VERSION=${version}`)
      }
      if (options.json) printJson({ source_version: version, api_version: served.version, messages: sentences })
    },
    { isNew: options.new === true, namesDatabase: true },
  )
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('Enter a number from 1 to 99.')
  return Number(text)
}
