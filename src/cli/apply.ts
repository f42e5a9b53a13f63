import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { ApiError, ConfigurationError } from '../base/errors.ts'
import { applyFiles } from '../transfer/apply-files.ts'
import { hasChanges, planText } from '../transfer/plan-text.ts'
import { NEW_OPTION } from './chosen-database.ts'
import { JSON_OPTION, printJson } from './output.ts'
import { refusalText } from './refusal-text.ts'
import { withCore } from './with-core.ts'

/** Exit status of a plan that would change something. */
const WOULD_CHANGE = 2

interface Options {
  readonly dryRun?: boolean
  readonly prune?: string
  readonly new?: boolean
  readonly json?: true
}

/** Makes the objects match the documents. */
export const applyCommand = new Command('apply')
  .description('Create and change objects to match a document, or all documents of a directory.')
  .argument('<source>', 'file, or directory with files, ending with .yaml, .yml or .json')
  .option('--dry-run', 'show the changes without storing them; the exit status is 2 if there are any')
  .option(
    '--prune <scope>',
    'delete objects that match these filters, such as site=ams or tag=core, and are not in the document',
  )
  .option(...NEW_OPTION)
  .option(...JSON_OPTION)
  .addHelpText(
    'after',
    '\nExamples:\n  cadastre apply --dry-run inventory/\n  cadastre apply --prune site=ams inventory/ams.yaml',
  )
  .action(async (source: string, { dryRun = false, prune, new: isNew = false, json }: Options) => {
    const files = documentsOf(source).map((name) => ({ name, text: readFileSync(name, 'utf8') }))
    await withCore(
      async ({ service }) => {
        try {
          const plan = await applyFiles(service, files, { dryRun, prune })
          if (json) printJson({ dry_run: dryRun, ...plan.counts, changes: plan.effects })
          else console.log(planText(plan, dryRun))
          if (dryRun && hasChanges(plan)) process.exitCode = WOULD_CHANGE
        } catch (error) {
          if (!(error instanceof ApiError)) throw error
          console.error(`${refusalText(error)}\nNothing has been applied.`)
          process.exitCode = 1
        }
      },
      { isNew },
    )
  })

const DOCUMENT = /\.(?:ya?ml|json)$/

/** The files of a directory by name, or the file itself. Throws ConfigurationError. */
function documentsOf(source: string): readonly string[] {
  const stats = statSync(source, { throwIfNoEntry: false })
  if (!stats) throw new ConfigurationError(`There is no file or directory ${source}.`)
  if (stats.isDirectory()) {
    const names = readdirSync(source, { recursive: true, encoding: 'utf8' })
    return names
      .filter((name) => DOCUMENT.test(name))
      .toSorted()
      .map((name) => join(source, name))
  }
  if (DOCUMENT.test(source)) return [source]
  throw new ConfigurationError(`${source} does not end with .yaml, .yml or .json.`)
}
