import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { type ComparedRuns, compareRuns } from '../compared-runs.ts'
import type { ReferenceRow } from '../reference/table.ts'
import type { Result } from '../result.ts'
import { reportSection, summarySection, titleOf } from './markdown.ts'
import { pictureOf } from './picture-of.ts'

const START = '<!-- results -->'
const END = '<!-- end of results -->'

/** Options of `writeDocument`. */
export interface DocumentOptions {
  readonly reference: readonly ReferenceRow[] | undefined
  /** Directory for one file of tables per section; the document then has summaries that link to them. */
  readonly tables?: string | undefined
}

/**
 * Writes the results into a document, between its two marks or at its end, with one chart per section beside the
 * document. All other text of the document stays.
 */
export function writeDocument(
  path: string,
  results: readonly Result[],
  { reference, tables }: DocumentOptions,
): void {
  const reports = compareRuns(results)
  const sections = reports.map((runs, index) => {
    const surroundings = { reference, reports, ...pictureBeside(path, index + 1, runs, reference) }
    if (tables === undefined) return reportSection(runs, surroundings)
    const file = join(tables, `${fileNameOf(runs.result)}.md`)
    mkdirSync(tables, { recursive: true })
    writeFileSync(file, reportSection(runs, { reference, reports }).replace(/^## /, '# '))
    return summarySection(runs, surroundings, relative(dirname(path), file))
  })
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const [before = '', rest = ''] = text.split(START)
  const after = rest.split(END)[1] ?? '\n'
  const content = sections.join('\n').trim()
  writeFileSync(path, `${before.trimEnd()}\n\n${START}\n\n${content}\n\n${END}${after}`.trimStart())
}

/** Writes the chart of a section, if it has one. */
function pictureBeside(
  path: string,
  number: number,
  runs: ComparedRuns,
  reference: readonly ReferenceRow[] | undefined,
): { readonly picture?: string } {
  const picture = pictureOf(runs, reference)
  if (picture === undefined) return {}
  const file = path.replace(/\.md$/, `-${number}.svg`)
  writeFileSync(file, picture)
  return { picture: basename(file) }
}

/** `postgres`, `postgres-growth`, `https-inventory-example-com`. */
const fileNameOf = (result: Result): string =>
  `${titleOf(result)}${result.growth.length > 0 ? ' growth' : ''}`
    .replaceAll(/[^a-z0-9]+/gi, '-')
    .replaceAll(/^-|-$/g, '')
