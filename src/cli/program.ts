import { Command } from 'commander'
import { PROGRAM_VERSION } from '../config/program-version.ts'
import { ConfigurationError } from '../errors.ts'
import { applyCommand } from './apply.ts'
import { backupCommand } from './backup.ts'
import { configCommand } from './config.ts'
import { configurationCommand } from './configuration.ts'
import { createSuperuserCommand } from './create-superuser.ts'
import { doctorCommand } from './doctor.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { openApiCommand } from './openapi.ts'
import { reindexCommand } from './reindex.ts'
import { restoreCommand } from './restore.ts'
import { serveCommand } from './serve.ts'
import { settingHint, unknownCommand } from './unknown-words.ts'

const program = new Command('cadastre')
  .description('Network inventory service that speaks the NetBox REST API')
  .version(PROGRAM_VERSION)
  .addHelpText(
    'after',
    '\nSettings are environment variables: PORT, DATA_DIR, DATABASE_URL and others (cadastre configuration).',
  )
  .addCommand(serveCommand, { isDefault: true })
  .addCommand(importCommand)
  .addCommand(exportCommand)
  .addCommand(applyCommand)
  .addCommand(doctorCommand)
  .addCommand(backupCommand)
  .addCommand(restoreCommand)
  .addCommand(reindexCommand)
  .addCommand(openApiCommand)
  .addCommand(configurationCommand)
  .addCommand(configCommand)
  .addCommand(createSuperuserCommand)

for (const command of [program, ...program.commands]) {
  command
    .showHelpAfterError('--help lists commands and options.')
    .configureOutput({ outputError: (text, write) => write(text + settingHint(text)) })
}

// The default command would otherwise take the unknown word for an argument of its own.
const [first] = process.argv.slice(2)
const names = program.commands.map((command) => command.name())
if (first !== undefined && !first.startsWith('-') && ![...names, 'help'].includes(first)) {
  program.error(unknownCommand(first, names))
}

try {
  await program.parseAsync()
} catch (error) {
  // A configuration error is reported in one sentence, a defect of the program with its stack.
  if (error instanceof ConfigurationError) console.error(error.message)
  else console.error(error)
  process.exit(1)
}
