import { StatementFailed } from '../../db/failures.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { RefusedValue } from './refused-value.ts'

/** Maximum length of an expression. */
const LONGEST = 500
/** Maximum number of positions after counted repetitions are expanded: the last of `a{3}` is the third. */
const MOST_PLACES = 200

/** As `boundedPattern`. Also throws for an expression that PostgreSQL cannot read. */
export async function checkPattern(database: Queryable, pattern: string): Promise<string> {
  const expression = boundedPattern(pattern)
  try {
    await database.query(sql`select '' ~ ${expression} as matches`)
  } catch (error) {
    // 2201B: invalid_regular_expression.
    if (!(error instanceof StatementFailed) || error.code !== '2201B') throw error
    throw new RefusedValue('Enter a valid regular expression.')
  }
  return expression
}

/**
 * The expression in PostgreSQL's syntax. Throws for anything that lets a short expression take unbounded time, which
 * would keep a connection busy: back-references, which alone need backtracking, lookaround at every position, and
 * repetitions that expand to very many positions. The time for anything else grows with the length of the text.
 */
export function boundedPattern(pattern: string): string {
  if (pattern.length > LONGEST) {
    throw new RefusedValue(`A regular expression may have at most ${LONGEST} characters.`)
  }
  if (OTHER_SYNTAX.test(pattern)) {
    throw new RefusedValue('A regular expression may not switch to another syntax.')
  }
  const expression = translate(pattern)
  if (looksAroundWithin(expression)) {
    throw new RefusedValue('A regular expression may look ahead only at its start, as in ^(?!…).')
  }
  if (placesOf(expression) > Math.max(MOST_PLACES, expression.length)) {
    throw new RefusedValue('A regular expression may not repeat its parts so often.')
  }
  return expression
}

/** Prefixes, options and comments that make PostgreSQL read an expression differently from `placesOf`. */
const OTHER_SYNTAX = /^\*\*\*|^\(\?[a-z]*[beqx]|\(\?#/

const TOKENS = /\\.|\[\^?\]?(?:\[[:.=].*?[:.=]\]|[^\]])*\]|\(\?P<\w+>|\(\?[:=!]|\(\?<[=!]|[()]|\{\d+(?:,\d*)?\}|./gs

/** Python's syntax for word boundaries and named groups. */
const translate = (expression: string): string =>
  expression.replace(TOKENS, (token) => {
    if (token === '\\b') return '\\y'
    if (token === '\\B') return '\\Y'
    if (/^\\[1-9]$/.test(token)) {
      throw new RefusedValue('A regular expression may not refer back to a group.')
    }
    return token.startsWith('(?P<') ? '(' : token
  })

/**
 * Whether the expression has lookaround elsewhere than at its very start (`^(?!…)`): PostgreSQL then scans the rest of
 * the text at each position.
 */
export function looksAroundWithin(expression: string): boolean {
  const tokens = [...expression.matchAll(TOKENS)].map(([token]) => token)
  let remaining = tokens
  if (tokens[0] === '^') {
    remaining = tokens.slice(1)
    while (remaining[0] === '(?=' || remaining[0] === '(?!') {
      const length = groupLength(remaining)
      if (remaining.slice(1, length).some(isLookaround)) return true
      remaining = remaining.slice(length)
    }
  }
  return remaining.some(isLookaround)
}

const isLookaround = (token: string): boolean => /^\(\?<?[=!]/.test(token)

/** Number of tokens at the start of such a group. */
function groupLength(tokens: readonly string[]): number {
  let depth = 0
  const last = tokens.findIndex((token) => {
    if (token.startsWith('(')) depth += 1
    if (token === ')') depth -= 1
    return depth === 0
  })
  return last < 0 ? tokens.length : last + 1
}

/** Number of characters and classes in the expression, counting those within `{n,m}` m times. */
export function placesOf(expression: string): number {
  const open: { sum: number; last: number }[] = []
  let here = { sum: 0, last: 0 }
  for (const [token] of expression.matchAll(TOKENS)) {
    const counted = /^\{(\d+)(?:,(\d*))?\}$/.exec(token)
    if (counted) {
      const times = Number(counted[2] || counted[1])
      here.sum += here.last * (times - 1)
      here.last *= times
    } else if (token.startsWith('(')) {
      open.push(here)
      here = { sum: 0, last: 0 }
    } else if (token === ')') {
      const group = here.sum
      here = open.pop() ?? { sum: 0, last: 0 }
      here = { sum: here.sum + group, last: group }
    } else if (!/^[*+?|]$/.test(token)) {
      here = { sum: here.sum + 1, last: 1 }
    }
  }
  return open.reduce((sum, group) => sum + group.sum, here.sum)
}
