import type { Command } from 'commander'

/** Loads each command by its name, in the order of the help, so that a command does not load what only others need. */
export const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['serve', async () => (await import('./serve.ts')).serveCommand],
  ['import', async () => (await import('./import.ts')).importCommand],
  ['export', async () => (await import('./export.ts')).exportCommand],
  ['apply', async () => (await import('./apply.ts')).applyCommand],
  ['doctor', async () => (await import('./doctor.ts')).doctorCommand],
  ['backup', async () => (await import('./backup.ts')).backupCommand],
  ['restore', async () => (await import('./restore.ts')).restoreCommand],
  ['psql', async () => (await import('./psql.ts')).psqlCommand],
  ['reindex', async () => (await import('./reindex.ts')).reindexCommand],
  ['openapi', async () => (await import('./openapi.ts')).openApiCommand],
  ['configuration', async () => (await import('./configuration.ts')).configurationCommand],
  ['config', async () => (await import('./config.ts')).configCommand],
  ['remove-second-factor', async () => (await import('./remove-second-factor.ts')).removeSecondFactorCommand],
  ['create-superuser', async () => (await import('./create-superuser.ts')).createSuperuserCommand],
])

/** Commands that read and write no data. */
export const WITHOUT_DATA: ReadonlySet<string> = new Set(['openapi', 'configuration'])

/** Names of the commands to which these arguments may refer: all if they ask for help or name no existing command. */
export const askedCommands = ([first]: readonly string[]): readonly string[] =>
  first !== undefined && COMMANDS.has(first) ? [first] : [...COMMANDS.keys()]
