import { Command } from 'commander'
import { API_VERSIONS, LATEST } from '../base/api-version.ts'
import { ApiError, ConfigurationError, codeOf } from '../base/errors.ts'
import { PROGRAM_VERSION } from '../config/program-version.ts'
import { readSettings } from '../config/settings.ts'
import { becomeOwnerOfData } from './chosen-database.ts'
import { refusalText } from './refusal-text.ts'
import { settingHint, unknownCommand } from './unknown-words.ts'

/** Loads each command by its name, in the order of the help, so that a command does not load what only others need. */
const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['serve', async () => (await import('./serve.ts')).serveCommand],
  ['import', async () => (await import('./import.ts')).importCommand],
  ['export', async () => (await import('./export.ts')).exportCommand],
  ['apply', async () => (await import('./apply.ts')).applyCommand],
  ['doctor', async () => (await import('./doctor.ts')).doctorCommand],
  ['backup', async () => (await import('./backup.ts')).backupCommand],
  ['restore', async () => (await import('./restore.ts')).restoreCommand],
  ['psql', async () => (await import('./psql.ts')).psqlCommand],
  ['runscript', async () => (await import('./runscript.ts')).runScriptCommand],
  ['reindex', async () => (await import('./reindex.ts')).reindexCommand],
  ['openapi', async () => (await import('./openapi.ts')).openApiCommand],
  ['configuration', async () => (await import('./configuration.ts')).configurationCommand],
  ['config', async () => (await import('./config.ts')).configCommand],
  ['user', async () => (await import('./user.ts')).userCommand],
  ['token', async () => (await import('./token.ts')).tokenCommand],
  ['packs', async () => (await import('./packs.ts')).packsCommand],
  ['plugins', async () => (await import('./plugins.ts')).pluginsCommand],
  ['scripts', async () => (await import('./scripts.ts')).scriptsCommand],
  ['remove-second-factor', async () => (await import('./remove-second-factor.ts')).removeSecondFactorCommand],
  ['create-superuser', async () => (await import('./create-superuser.ts')).createSuperuserCommand],
  ['completion', async () => (await import('./completion.ts')).completionCommand],
])

/** Commands that read and write no data. */
const WITHOUT_DATA: ReadonlySet<string> = new Set(['openapi', 'configuration', 'completion'])

/**
 * Names of the commands to which these arguments may refer: all if they ask for help or name no command of their own.
 */
const commandsFor = ([first]: readonly string[]): readonly string[] =>
  first !== undefined && first !== 'completion' && COMMANDS.has(first) ? [first] : [...COMMANDS.keys()]

const program = new Command('cadastre')
  .description('Cadastre, a network source of truth that speaks the NetBox REST API.')
  // The revision of a configuration is in the database, which is not opened for this.
  .version(
    `${PROGRAM_VERSION} (API ${API_VERSIONS.join(', ')}; ${process.env.API_VERSION ?? `new databases serve ${LATEST}`} by default)`,
  )
  .addHelpText(
    'after',
    `
Settings are environment variables: PORT, DATA_DIR, DATABASE_URL and others (cadastre configuration).
Exit status: 0 done, 1 failed, 2 wrong use (for "apply --dry-run": there would be changes).`,
  )

const words = process.argv.slice(2)
for (const name of commandsFor(words)) {
  const command = await COMMANDS.get(name)?.()
  if (command) program.addCommand(command)
}

/** The text of an error as all commands write it: a sentence, without a mark before it. */
const sentenceOf = (text: string): string =>
  text.replace(/^error: (.)(.*?[.?]?)$/m, (_, first: string, remainder: string) => {
    const end = /[.?]$/.test(remainder) ? '' : '.'
    return `${first.toUpperCase()}${remainder}${end}`
  })

/** Exit status for wrong use, as usual; 1 means that the command has failed. */
const WRONG_USE = 2

const withSubcommands = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap((subcommand) => withSubcommands(subcommand)),
]
for (const command of withSubcommands(program)) {
  command
    .showHelpAfterError('--help lists commands and options.')
    .configureOutput({ outputError: (text, write) => write(sentenceOf(text) + settingHint(text)) })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : WRONG_USE))
}

const [first] = words
if (first === undefined) {
  program.outputHelp()
  process.exit(0)
}
const names = [...COMMANDS.keys()]
if (!first.startsWith('-') && ![...names, 'help', 'version'].includes(first)) {
  program.error(unknownCommand(first, names))
}

program.hook('preAction', (_program, command) => {
  if (!WITHOUT_DATA.has(command.name())) becomeOwnerOfData(readSettings(process.env))
})

const isDiskFull = (error: unknown): boolean =>
  codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT' || (error instanceof Error && isDiskFull(error.cause))

/** Such as a bucket that does not answer. */
const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && ('detail' in error.reason || error.reason.kind === 'invalid')

try {
  await program.parseAsync(first === 'version' ? ['--version'] : words, { from: 'user' })
} catch (error) {
  // A configuration error or a refusal is reported in one sentence, a bug in the program with its stack.
  if (error instanceof ConfigurationError) console.error(error.message)
  else if (isRefusal(error)) console.error(refusalText(error))
  else if (isDiskFull(error)) console.error('The disk with DATA_DIR is full: make room, then start again.')
  else console.error(error)
  process.exit(1)
}
