import type { Difference } from './difference.ts'
import type { Outcome } from './outcome.ts'

/** A known difference from the reference with its reason: one row of conformance/differences.md. */
export interface KnownDifference {
  readonly id: string
  /** Patterns of the affected cases. */
  readonly where: readonly RegExp[]
  /** Patterns of the causes that it explains; empty if it explains every cause. */
  readonly causes: readonly RegExp[]
}

/** A row that applies everywhere would hide every difference, so a row must name its cases. */
const TOO_WIDE = /^[*\s]*$/

/**
 * The rows of every table with the header `| id | where | difference | reason |`. Patterns are in backticks, any
 * number of them in the second column (cases) and in the third (causes): `*` is any text, `{a,b}` is one of several,
 * all other text is literal. Throws an Error naming a row without a pattern or reason, or with a duplicate id.
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
  if (patterns.some((pattern) => TOO_WIDE.test(pattern))) throw problem('a pattern matches all cases')
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

const patternsIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, pattern]) => pattern ?? [])

const quoted = (text: string): string => text.replace(/[\\^$.+?()[\]{}|/-]/g, '\\$&')

/** A pattern as an expression for the whole text. Braces without a comma are literal. */
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

/** Rows that apply to a case, whether it fails or not. */
export function rowsFor(outcome: Outcome, rows: readonly KnownDifference[]): KnownDifference[] {
  return rows.filter(({ where }) => where.some((pattern) => matchesCase(pattern, outcome)))
}

/** Whether the pattern is the id of a case, with or without `@4.7`, or a path that covers the requests of every method. */
function matchesCase(pattern: RegExp, outcome: Outcome): boolean {
  if (pattern.test(outcome.id) || pattern.test(outcome.id.replace('@4.7', ''))) return true
  return outcome.part === 'bodies' && pattern.test(outcome.id.slice(outcome.id.indexOf(' ') + 1))
}

/** Rows that explain a failed case; none if any of its differences is not explained. */
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
