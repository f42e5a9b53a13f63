import { Command } from 'commander'
import { loadApplication, modelRegistry } from '../app/core.ts'
import { checkScripts } from '../automation/scripts/check-files.ts'
import { readSettings } from '../config/settings.ts'
import { JSON_OPTION, printJson } from './output.ts'

const check = new Command('check')
  .description(
    'List what cannot run here in the Python scripts of a directory, by line, without running them. The exit status is 1 if there is anything.',
  )
  .argument('<directory>')
  .option(...JSON_OPTION)
  .action(async (directory: string, { json }: { readonly json?: true }) => {
    const settings = readSettings(process.env)
    const registry = modelRegistry(await loadApplication(settings))
    const files = await checkScripts({ registry, settings }, directory)
    const refused = [...files.values()].filter((problems) => problems.length > 0).length
    if (refused > 0) process.exitCode = 1
    if (json) return printJson([...files].map(([file, problems]) => ({ file, problems })))
    for (const [file, problems] of files) {
      console.log(problems.length === 0 ? `${file}: nothing is missing` : file)
      for (const { line, text } of problems) console.log(`  line ${line}: ${text}`)
    }
    console.log(`${files.size - refused} of ${files.size} files can run.`)
  })

export const scriptsCommand = new Command('scripts').description('Check scripts in Python.').addCommand(check)
