import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Changes of one file. */
interface FileChange {
  readonly path: string
  readonly isNew: boolean
  readonly hunks: readonly Hunk[]
}

/** Lines that replace others. */
interface Hunk {
  /** Beginning of the line after which the hunk applies; empty for the beginning of the file. */
  readonly after: string
  readonly before: readonly string[]
  readonly replacement: readonly string[]
}

/**
 * Applies a diff as a document shows it to the files below a directory. Hunks have no line numbers: the text after `@@` is
 * the beginning of a line before them. Throws for a hunk whose lines are not in the file, and for a new file that exists.
 */
export function applyDiff(directory: string, diff: string): void {
  for (const { path, isNew, hunks } of parseDiff(diff)) {
    const file = join(directory, path)
    if (isNew && existsSync(file)) throw new Error(`${path} exists already`)
    const lines = isNew ? [] : readFileSync(file, 'utf8').split('\n')
    for (const hunk of hunks) applyHunk(path, lines, hunk)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, isNew ? `${lines.join('\n')}\n` : lines.join('\n'))
  }
}

function parseDiff(diff: string): readonly FileChange[] {
  return diff.split(/^--- /m).flatMap((part) => {
    const [from = '', to = '', ...lines] = part.trimEnd().split('\n')
    if (!to.startsWith('+++ b/')) return []
    const hunks = lines.join('\n').split(/^@@ ?/m)
    const [atBeginning = '', ...located] = hunks
    return [
      {
        path: to.slice('+++ b/'.length),
        isNew: from === '/dev/null',
        hunks: [
          ...(atBeginning === '' ? [] : [hunkOf('', atBeginning.trimEnd().split('\n'))]),
          ...located.map((text) => {
            const [after = '', ...changed] = text.trimEnd().split('\n')
            return hunkOf(after, changed)
          }),
        ],
      },
    ]
  })
}

const hunkOf = (after: string, lines: readonly string[]): Hunk => ({
  after,
  before: lines.filter((line) => !line.startsWith('+')).map((line) => line.slice(1)),
  replacement: lines.filter((line) => !line.startsWith('-')).map((line) => line.slice(1)),
})

function applyHunk(path: string, lines: string[], { after, before, replacement }: Hunk): void {
  const start = after === '' ? 0 : lines.findIndex((line) => line.startsWith(after)) + 1
  if (after !== '' && start === 0) throw new Error(`${path} has no line "${after}"`)
  const offset = lines
    .slice(start)
    .findIndex((_, index) => before.every((line, at) => lines[start + index + at] === line))
  if (offset === -1 && before.length > 0) {
    throw new Error(`${path} does not have these lines after "${after}":\n${before.join('\n')}`)
  }
  lines.splice(start + Math.max(offset, 0), before.length, ...replacement)
}
