import type { Difference } from './difference.ts'
import type { Outcome } from './outcome.ts'

/** A difference from the reference that is known and has a reason: one row of docs/differences.md. */
export interface KnownDifference {
  readonly id: string
  /** Patterns of the cases in which it shows. */
  readonly where: readonly RegExp[]
  /** Patterns of the causes that it explains; empty when it explains whatever happens there. */
  readonly causes: readonly RegExp[]
}

/** Failing everywhere would hide everything, so a row must say where it holds. */
const TOO_WIDE = /^[*\s]*$/

/**
 * The rows of every table whose head is `| id | where | difference | reason |`. Patterns stand in backticks, any
 * number of them in the second column (cases) and in the third (causes): `*` is any text, `{a,b}` one of several,
 * all else itself. Throws an Error naming the row that has no pattern, no reason, or an id that another row has.
 */
export function parseKnownDifferences(markdown: string): KnownDifference[] {
  const known: KnownDifference[] = []
  let inTable = false
  for (const line of markdown.split('\n')) {
    const cells = cellsOf(line)
    if (cells === undefined) {
      inTable = false
      continue
    }
    if (cells[0] === 'id' && cells[1]?.startsWith('where') === true) {
      inTable = true
      continue
    }
    if (!inTable || /^:?-+:?$/.test(cells[0] ?? '')) continue
    known.push(rowOf(cells, known))
  }
  return known
}

function rowOf(cells: readonly string[], before: readonly KnownDifference[]): KnownDifference {
  const [id = '', where = '', difference = '', reason = ''] = cells
  const problem = (text: string) => new Error(`known difference ${id || '(no id)'}: ${text}`)
  if (id === '') throw problem('a row needs an id')
  if (before.some((other) => other.id === id)) throw problem('another row has this id')
  if (reason === '') throw problem('a row needs a reason')
  const patterns = patternsIn(where)
  if (patterns.length === 0) throw problem('the second column holds no pattern in backticks')
  if (patterns.some((pattern) => TOO_WIDE.test(pattern)))
    throw problem('a pattern matches all cases')
  return {
    id,
    where: patterns.map(expressionOf),
    causes: patternsIn(difference).map(expressionOf),
  }
}

function cellsOf(line: string): string[] | undefined {
  const text = line.trim()
  if (!text.startsWith('|')) return undefined
  const cells = text.replace(/^\||\|$/g, '').split(/(?<!\\)\|/)
  return cells.map((cell) => cell.replaceAll('\\|', '|').trim())
}

const patternsIn = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, pattern]) => pattern ?? [])

const quoted = (text: string): string => text.replace(/[\\^$.+?()[\]{}|/-]/g, '\\$&')

/** A pattern as an expression for the whole text. Braces without a comma mean themselves. */
export function expressionOf(pattern: string): RegExp {
  const source = pattern
    .split(/(\{[^{}]*,[^{}]*\})/)
    .map((part) => {
      if (/^\{[^{}]*,[^{}]*\}$/.test(part)) {
        return `(?:${part.slice(1, -1).split(',').map(quoted).join('|').replaceAll('*', '.*')})`
      }
      return quoted(part).replaceAll('*', '.*')
    })
    .join('')
  return new RegExp(`^${source}$`, 's')
}

/** Rows that hold for a case at all, whether it fails or not. */
export function rowsFor(outcome: Outcome, rows: readonly KnownDifference[]): KnownDifference[] {
  return rows.filter(({ where }) => where.some((pattern) => matchesCase(pattern, outcome)))
}

/** A pattern names a case by its id; a path alone names the requests of every method. */
function matchesCase(pattern: RegExp, outcome: Outcome): boolean {
  if (pattern.test(outcome.id)) return true
  return outcome.part === 'bodies' && pattern.test(outcome.id.slice(outcome.id.indexOf(' ') + 1))
}

/** Rows that explain a failed case; none when even one of its differences is explained by no row. */
export function explanation(outcome: Outcome, rows: readonly KnownDifference[]): KnownDifference[] {
  const here = rowsFor(outcome, rows)
  const used = new Set<KnownDifference>()
  for (const difference of outcome.differences) {
    const row = here.find((candidate) => explains(candidate, difference))
    if (row === undefined) return []
    used.add(row)
  }
  return [...used]
}

const explains = (row: KnownDifference, difference: Difference): boolean =>
  row.causes.length === 0 || row.causes.some((pattern) => pattern.test(difference.cause))
