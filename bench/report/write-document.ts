import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { ReferenceRow } from '../reference/table.ts'
import type { Result } from '../result.ts'
import { barsOf } from './bars-of.ts'
import { resultSection } from './markdown.ts'
import { barPicture } from './picture.ts'

const START = '<!-- figures -->'
const END = '<!-- end of figures -->'

/**
 * Puts the figures of results into a document, between its two marks or at its end, each with a picture
 * beside the document. What people wrote around them stays.
 */
export function writeDocument(
  path: string,
  results: readonly Result[],
  reference: readonly ReferenceRow[] | undefined,
): void {
  const sections = results.map((result, index) => {
    const bars = barsOf(result, reference)
    if (bars.length === 0) return resultSection(result, reference)
    const picture = path.replace(/\.md$/, `-${index + 1}.svg`)
    const isTable = reference !== undefined
    const title = `Requests a second${isTable ? ', ours above the reference' : ''} (logarithmic)`
    writeFileSync(picture, barPicture(title, bars))
    return resultSection(result, reference, basename(picture))
  })
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const [before = '', rest = ''] = text.split(START)
  const after = rest.split(END)[1] ?? '\n'
  const figures = sections.join('\n').trim()
  writeFileSync(path, `${before.trimEnd()}\n\n${START}\n\n${figures}\n\n${END}${after}`.trimStart())
}
