import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { compareRuns } from '../compared-runs.ts'
import type { ReferenceRow } from '../reference/table.ts'
import type { Result } from '../result.ts'
import { reportSection } from './markdown.ts'
import { pictureOf } from './picture-of.ts'

const START = '<!-- figures -->'
const END = '<!-- end of figures -->'

/**
 * Writes the results into a document, between its two marks or at its end, with one chart per section beside the
 * document. All other text of the document stays.
 */
export function writeDocument(
  path: string,
  results: readonly Result[],
  reference: readonly ReferenceRow[] | undefined,
): void {
  const reports = compareRuns(results)
  const sections = reports.map((runs, index) => {
    const picture = pictureOf(runs, reference)
    if (picture === undefined) return reportSection(runs, { reference, reports })
    const pictureFile = path.replace(/\.md$/, `-${index + 1}.svg`)
    writeFileSync(pictureFile, picture)
    return reportSection(runs, { reference, reports, picture: basename(pictureFile) })
  })
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const [before = '', rest = ''] = text.split(START)
  const after = rest.split(END)[1] ?? '\n'
  const figures = sections.join('\n').trim()
  writeFileSync(path, `${before.trimEnd()}\n\n${START}\n\n${figures}\n\n${END}${after}`.trimStart())
}
