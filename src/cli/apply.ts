import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { readSettings } from '../config/settings.ts'
import { openCore } from '../core.ts'
import { ApiError, ConfigurationError } from '../errors.ts'
import { applyFiles } from '../transfer/apply-files.ts'
import { hasChanges, planText } from '../transfer/plan-text.ts'
import { NEW_OPTION, requireDatabase } from './chosen-database.ts'

/** Exit status of a plan that would change something. */
const WOULD_CHANGE = 2

interface Options {
  readonly dryRun?: boolean
  readonly prune?: string
  readonly new?: boolean
}

/** Makes the objects match the documents. */
export const applyCommand = new Command('apply')
  .description('create and change the objects of a document, or of all documents of a directory, and delete others')
  .argument('<source>', 'file, or directory with files, ending with .yaml, .yml or .json')
  .option('--dry-run', 'show the changes and store nothing; exit status 2 where there are any')
  .option(
    '--prune <scope>',
    'delete what the document lacks of its object types within these filters, such as site=ams or tag=core',
  )
  .option(...NEW_OPTION)
  .action(async (source: string, { dryRun = false, prune, new: isNew = false }: Options) => {
    const texts = documentsOf(source).map((file) => readFileSync(file, 'utf8'))
    const settings = readSettings(process.env)
    requireDatabase(settings, isNew)
    const core = await openCore(settings, (sentence) => console.error(sentence))
    try {
      const plan = await applyFiles(core.service, texts, { dryRun, prune })
      console.log(planText(plan, dryRun))
      if (dryRun && hasChanges(plan)) process.exitCode = WOULD_CHANGE
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { reason } = error
      console.error(reason.kind === 'invalid' ? JSON.stringify(reason.messages, null, 2) : error.message)
      console.error('Nothing has been applied.')
      process.exitCode = 1
    } finally {
      await core.close()
    }
  })

const DOCUMENT = /\.(?:ya?ml|json)$/

/** The files of a directory by name, or the file itself. Throws ConfigurationError. */
function documentsOf(source: string): readonly string[] {
  const found = statSync(source, { throwIfNoEntry: false })
  if (!found) throw new ConfigurationError(`There is no file or directory ${source}.`)
  if (found.isDirectory()) {
    const names = readdirSync(source, { recursive: true, encoding: 'utf8' })
    return names
      .filter((name) => DOCUMENT.test(name))
      .toSorted()
      .map((name) => join(source, name))
  }
  if (DOCUMENT.test(source)) return [source]
  throw new ConfigurationError(`${source} does not end with .yaml, .yml or .json.`)
}
