import { Command, Option } from 'commander'
import { readSettings } from '../config/settings.ts'

/** Prints the OpenAPI document of API_VERSION, as GET /api/schema/ returns it. Opens no database. */
export const openApiCommand = new Command('openapi')
  .description('Print the OpenAPI document of API_VERSION.')
  .addOption(new Option('--format <format>', 'form of the document').choices(['json', 'yaml']).default('yaml'))
  .action(async ({ format }: { readonly format: 'json' | 'yaml' }) => {
    // Only commands that serve requests load the code for it.
    const { describeApi } = await import('../app/app.ts')
    const text = (await describeApi(readSettings(process.env)))[format]().body.toString()
    // A reader that stops early closes the pipe: that is not a failure.
    process.stdout.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
    process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  })
