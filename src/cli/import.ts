import { Command, InvalidArgumentError, Option } from 'commander'
import { openCore } from '../app/core.ts'
import { API_VERSIONS, type ApiVersion } from '../base/api-version.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { BrokenRow } from '../transfer/broken-row.ts'
import { findCollections } from '../transfer/collections.ts'
import { importDataSet, type Progress } from '../transfer/import-directory.ts'
import {
  checkSource,
  importFromService,
  importInVersion,
  type ServiceSource,
  sayImported,
} from '../transfer/import-from-service.ts'
import { isAddress } from '../transfer/remote/address.ts'
import { SourceError } from '../transfer/remote/source-error.ts'
import { versionOfDataSet } from '../transfer/source-version.ts'
import { databaseText, NEW_OPTION, requireDatabase } from './chosen-database.ts'
import { COMMAND } from './command-name.ts'

type Options = Omit<ServiceSource, 'source'> & { readonly new?: true; readonly apiVersion?: ApiVersion }

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
      if (isAddress(source)) await checkSource({ source, ...options })
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
  const { service, vault } = core
  const say = (text: string): void => console.log(text)
  try {
    const { source: version, kept } = await importInVersion(service, options.apiVersion, say, () =>
      withProgress(async (progress) => {
        if (isAddress(source)) return await importFromService(core, { source, ...options }, { say, progress })
        const version = await versionOfDataSet(service.registry, source)
        sayImported(await importDataSet(service, source, { vault, progress }), say)
        return version
      }),
    )
    if (kept !== undefined && kept !== 'environment') {
      console.log(`If your tools expect ${version}: ${COMMAND} config set API_VERSION=${version}`)
    }
  } finally {
    await core.close()
  }
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('Enter a number from 1 to 99.')
  return Number(text)
}

/** Shows the progress in one line on a terminal while the work runs. */
async function withProgress<T>(work: (progress: (now: Progress) => void) => Promise<T>): Promise<T> {
  const { stderr } = process
  if (!stderr.isTTY) return await work(() => undefined)
  const show = (line: string): void => {
    stderr.clearLine(0)
    stderr.cursorTo(0)
    stderr.write(line)
  }
  try {
    return await work(({ done, total, stage }) => show(`${Math.floor((100 * done) / Math.max(total, 1))} %  ${stage}`))
  } finally {
    show('')
  }
}
