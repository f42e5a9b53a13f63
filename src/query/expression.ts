import { sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { StatementFailed } from '../storage/failures.ts'
import { RefusedValue } from './refused-value.ts'

const LONGEST = 500

/**
 * The expression in PostgreSQL's spelling, if it is one. Throws for an expression that PostgreSQL
 * can't read, and for what would let a short expression cost unbounded time: references back to a
 * group, which alone need backtracking, and very long ones. Everything else PostgreSQL matches in time
 * that grows with the text's length.
 */
export async function checkExpression(database: Queryable, given: string): Promise<string> {
  if (given.length > LONGEST) {
    throw new RefusedValue(`A regular expression may have at most ${LONGEST} characters.`)
  }
  const expression = translate(given)
  try {
    await database.query(sql`select '' ~ ${expression} as matches`)
  } catch (error) {
    // 2201B: invalid_regular_expression.
    if (!(error instanceof StatementFailed) || error.code !== '2201B') throw error
    throw new RefusedValue('Enter a valid regular expression.')
  }
  return expression
}

/** Python's spellings of a word's border and of named groups. */
function translate(expression: string): string {
  let isInBrackets = false
  return expression.replace(/\\.|\[|\]|\(\?P<\w+>/gs, (token) => {
    if (token === '[') isInBrackets = true
    else if (token === ']') isInBrackets = false
    else if (isInBrackets) return token
    else if (token === '\\b') return '\\y'
    else if (token === '\\B') return '\\Y'
    else if (/^\\[1-9]$/.test(token)) {
      throw new RefusedValue('A regular expression may not refer back to a group.')
    } else if (token.startsWith('(?P<')) return '('
    return token
  })
}
