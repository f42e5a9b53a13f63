import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { openCore } from '../app.ts'
import { readSettings } from '../config/settings.ts'
import { ApiError } from '../errors.ts'
import { type AppliedPlan, applyFiles } from '../transfer/apply-files.ts'

/** Exit status of a plan that would change something. */
const WOULD_CHANGE = 2

/** Makes the objects of documents what these say. */
export const applyCommand = new Command('apply')
  .description('create and change the objects of a document, or of all documents of a directory')
  .argument('<source>', 'file, or directory with files, ending with .yaml, .yml or .json')
  .option('--dry-run', 'show the changes and store nothing; exit status 2 where there are any')
  .action(async (source: string, { dryRun = false }: { readonly dryRun?: boolean }) => {
    const texts = documentsOf(source).map((file) => readFileSync(file, 'utf8'))
    const core = await openCore(readSettings(process.env), (sentence) => console.error(sentence))
    try {
      const plan = await applyFiles(core.service, texts, { dryRun })
      console.log(textOf(plan, dryRun))
      const changes = plan.counts.created + plan.counts.updated
      if (dryRun && changes > 0) process.exitCode = WOULD_CHANGE
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { reason } = error
      console.error(
        reason.kind === 'invalid' ? JSON.stringify(reason.messages, null, 2) : error.message,
      )
      console.error('Nothing has been applied.')
      process.exitCode = 1
    } finally {
      await core.close()
    }
  })

/** Files of a directory in the order of their names, or the file itself. */
const documentsOf = (source: string): readonly string[] =>
  statSync(source).isDirectory()
    ? readdirSync(source, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:ya?ml|json)$/.test(name))
        .toSorted()
        .map((name) => join(source, name))
    : [source]

const SIGNS = { created: '+', changed: '~', deleted: '-' } as const

/** The plan like a diff, with a line that sums it up. */
function textOf({ effects, counts }: AppliedPlan, dryRun: boolean): string {
  const lines = (['created', 'changed', 'deleted'] as const).flatMap((kind) =>
    effects[kind].map(({ type, display, fields }) =>
      [SIGNS[kind], type, display, ...(fields ? [`(${fields.join(', ')})`] : [])].join(' '),
    ),
  )
  const { created, updated, unchanged } = counts
  const verb = dryRun ? 'would be' : 'were'
  return [
    ...lines,
    `${created} objects ${verb} created, ${updated} changed, ${unchanged} are unchanged.`,
  ].join('\n')
}
