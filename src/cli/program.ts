import { Command } from 'commander'
import { ConfigurationError } from '../errors.ts'
import { backupCommand } from './backup.ts'
import { configurationCommand } from './configuration.ts'
import { createSuperuserCommand } from './create-superuser.ts'
import { doctorCommand } from './doctor.ts'
import { exportCommand } from './export.ts'
import { generateCommand } from './generate.ts'
import { importCommand } from './import.ts'
import { openApiCommand } from './openapi.ts'
import { restoreCommand } from './restore.ts'
import { serveCommand } from './serve.ts'

const program = new Command('cadastre')
  .description('Network inventory service that speaks the NetBox REST API')
  .showHelpAfterError()
  .addCommand(serveCommand, { isDefault: true })
  .addCommand(importCommand)
  .addCommand(exportCommand)
  .addCommand(doctorCommand)
  .addCommand(backupCommand)
  .addCommand(restoreCommand)
  .addCommand(generateCommand)
  .addCommand(openApiCommand)
  .addCommand(configurationCommand)
  .addCommand(createSuperuserCommand)

try {
  await program.parseAsync()
} catch (error) {
  // A wrong configuration is told in one sentence, a mistake of ours with all that helps to find it.
  if (error instanceof ConfigurationError) console.error(error.message)
  else console.error(error)
  process.exit(1)
}
