import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { openCore } from '../app/core.ts'
import { ApiError, ConfigurationError } from '../base/errors.ts'
import { readSettings } from '../config/settings.ts'
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
    const files = documentsOf(source).map((name) => ({ name, text: readFileSync(name, 'utf8') }))
    const settings = readSettings(process.env)
    requireDatabase(settings, isNew)
    const core = await openCore(settings, (sentence) => console.error(sentence))
    try {
      const plan = await applyFiles(core.service, files, { dryRun, prune })
      console.log(planText(plan, dryRun))
      if (dryRun && hasChanges(plan)) process.exitCode = WOULD_CHANGE
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { reason } = error
      console.error(reason.kind === 'invalid' ? sentencesOf(reason.messages).join('\n') : error.message)
      console.error('Nothing has been applied.')
      process.exitCode = 1
    } finally {
      await core.close()
    }
  })

/** The messages of a refusal, a line for each, after the place to which it refers: `dcim.site, 1, slug: …`. */
function sentencesOf(messages: unknown, place: readonly string[] = []): readonly string[] {
  if (Array.isArray(messages)) {
    const isList = messages.some((message) => typeof message === 'object')
    return messages.flatMap((message, index) => sentencesOf(message, isList ? [...place, String(index + 1)] : place))
  }
  if (typeof messages === 'object' && messages !== null) {
    return Object.entries(messages).flatMap(([name, value]) =>
      sentencesOf(value, WHOLE.has(name) ? place : [...place, name]),
    )
  }
  return [place.length === 0 ? String(messages) : `${place.join(', ')}: ${messages}`]
}

/** Names under which a refusal puts messages about the whole document or object. */
const WHOLE: ReadonlySet<string> = new Set(['objects', 'non_field_errors', '__all__'])

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
