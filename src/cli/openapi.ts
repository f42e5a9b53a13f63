import { Command, Option } from 'commander'
import { describeApi } from '../app.ts'
import { readSettings } from '../config/settings.ts'

/** Prints the OpenAPI document, as GET /api/schema/ answers it. Opens no database. */
export const openApiCommand = new Command('openapi')
  .description('print the OpenAPI document of the API')
  .addOption(
    new Option('--format <format>', 'form of the document')
      .choices(['json', 'yaml'])
      .default('yaml'),
  )
  .action(({ format }: { readonly format: 'json' | 'yaml' }) => {
    const text = describeApi(readSettings(process.env))[format]().body.toString()
    // Whoever reads only the beginning closes the pipe: that is no failure.
    process.stdout.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
    process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  })
