import { createInterface } from 'node:readline/promises'
import { Command, InvalidArgumentError, Option } from 'commander'
import { API_VERSIONS, type ApiVersion } from '../base/api-version.ts'
import { ConfigurationError } from '../base/errors.ts'
import { BrokenRow } from '../transfer/broken-row.ts'
import { findCollections } from '../transfer/collections.ts'
import type { Preference } from '../transfer/counterparts/comparison.ts'
import type { Choices } from '../transfer/counterparts/matching.ts'
import { ImportRefused, needsConsent, planLines } from '../transfer/counterparts/plan.ts'
import {
  checkSource,
  type ImportMode,
  importFromService,
  importInVersion,
  importWithConsent,
  type ServiceSource,
} from '../transfer/import-from-service.ts'
import { importScripts } from '../transfer/import-scripts.ts'
import { isAddress } from '../transfer/remote/address.ts'
import { SourceError } from '../transfer/remote/source-error.ts'
import { holdsNothing, versionOfDataSet } from '../transfer/source-version.ts'
import { NEW_OPTION } from './chosen-database.ts'
import { COMMAND } from './command-name.ts'
import { JSON_OPTION, printJson } from './output.ts'
import { withProgress } from './progress.ts'
import { withCore } from './with-core.ts'

type Options = Omit<ServiceSource, 'source'> & {
  readonly new?: true
  /** Name of the source. */
  readonly source?: string
  readonly plan?: true
  readonly yes?: true
  readonly prefer: Preference
  readonly choose?: readonly string[]
  readonly json?: true
  /** Directory of the source's scripts. */
  readonly scripts?: string
  readonly apiVersion?: ApiVersion
}

/** Loads a data set into the database. */
export const importCommand = new Command('import')
  .description('Import a data set, or everything from a running NetBox or Cadastre.')
  .argument('<source>', 'directory with a file of objects for each endpoint, or https://…')
  .addOption(new Option('--token <token>', "API token of the service's superuser").env('IMPORT_TOKEN'))
  .option('--parallel <number>', 'number of simultaneous requests to the source', wholeNumber, 4)
  .option('--work <directory>', 'directory for the downloaded data (default: in DATA_DIR, deleted at the end)')
  .option('--without <endpoint...>', 'collections of the source to leave out')
  .addOption(
    new Option(
      '--api-version <version>',
      'API version for requests that name none (default: that of the source)',
    ).choices(API_VERSIONS),
  )
  .option('--scripts <directory>', 'directory with the scripts of the source, to copy to SCRIPTS_ROOT')
  .option(
    '--source <name>',
    'name of the source, by which later imports recognise its objects (default: the address or path)',
  )
  .option('--plan', 'show what the import would do, and stop')
  .option('--yes', 'do not ask before importing into a database that has objects')
  .addOption(
    new Option('--prefer <side>', 'which values win if an object was changed here, or already existed here')
      .choices(['here', 'source'])
      .default('here'),
  )
  .option('--choose <choice...>', 'how to resolve an ambiguous object: <type>:<id in the source>=<id here>, or =new')
  .option(...NEW_OPTION)
  .option(...JSON_OPTION)
  .addHelpText(
    'after',
    '\nExamples:\n  cadastre import --new ./dataset\n  IMPORT_TOKEN=… cadastre import --new https://netbox.example.com\n  cadastre import --plan https://netbox.example.com',
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
      } else if (error instanceof ImportRefused) {
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
      const { service } = core
      if (options.new && !(await holdsNothing(service, service.database))) {
        throw new ConfigurationError(
          'The database has objects already, and --new is for one without any: leave it out to see what the import would do.',
        )
      }
      const mode = modeOf(options, say)
      const served = await importInVersion(service, options.apiVersion, say, () =>
        withProgress(async (progress) => {
          const listener = { say, progress }
          if (isAddress(source)) {
            return await importFromService(core, { ...options, source }, listener, { ...mode, ...nameOf(options) })
          }
          const version = await versionOfDataSet(service.registry, source)
          const isDone = await importWithConsent(core, source, listener, { ...mode, ...nameOf(options) })
          return isDone ? version : undefined
        }),
      )
      if (!served) {
        if (options.json) printJson({ messages: sentences })
        return
      }
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

const nameOf = ({ source }: Options) => (source === undefined ? {} : { name: source })

/** How the person at the terminal agrees to the plan. */
function modeOf(options: Options, say: (text: string) => void): ImportMode {
  const { plan: isTrial, yes, json, prefer, choose = [] } = options
  return {
    prefer,
    choices: choicesOf(choose),
    isTrial: isTrial === true,
    agree: async (plan) => {
      if (isTrial) {
        if (!needsConsent(plan)) say(planLines(plan).join('\n'))
        return false
      }
      if (yes || !needsConsent(plan)) return true
      if (!json && process.stdin.isTTY && (await isAgreed())) return true
      say('Nothing has been imported. If the plan is right, repeat the command with --yes.')
      process.exitCode = 1
      return false
    },
  }
}

async function isAgreed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await terminal.question('Import? [y/N] ')).trim())
  } finally {
    terminal.close()
  }
}

/** Choices by the key of the object at the source. Throws ConfigurationError. */
function choicesOf(texts: readonly string[]): Choices {
  return new Map(
    texts.map((text) => {
      const [, key, id] = /^([\w.]+:\d+)=(\d+|new)$/.exec(text) ?? []
      if (key === undefined || id === undefined) {
        throw new ConfigurationError(`${text} is not a choice, such as dcim.site:7=3 or dcim.site:7=new.`)
      }
      return [key, id === 'new' ? id : Number(id)]
    }),
  )
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('Enter a number from 1 to 99.')
  return Number(text)
}
