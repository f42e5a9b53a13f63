import { RE2JS } from 're2js'

/** A regular expression of a user's that is matched in time that grows with the text's length only. */
export interface LinearExpression {
  /** Whether the text begins with a match, as Python's re.match asks. */
  matchesStart(text: string): boolean
  /** Whether a match is anywhere in the text. */
  test(text: string): boolean
}

/** Compiled expressions that are kept; there are as many as fields and schemas that have one. */
const MOST_KEPT = 500
const kept = new Map<string, LinearExpression | undefined>()

/**
 * Undefined for what is no expression, and for what no linear-time engine can do: lookaround and
 * references back to a group.
 */
export function linearExpression(pattern: string): LinearExpression | undefined {
  if (kept.has(pattern)) return kept.get(pattern)
  const expression = compile(pattern)
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(pattern, expression)
  return expression
}

function compile(pattern: string): LinearExpression | undefined {
  try {
    const expression = RE2JS.compile(translate(pattern))
    return {
      matchesStart: (text) => expression.matcher(text).lookingAt(),
      test: (text) => expression.matcher(text).find(),
    }
  } catch {
    // Whatever an engine objects to: the sentence that a client gets names the expression.
    return undefined
  }
}

/** Spellings of Python and JavaScript that the engine has otherwise. */
const SPELLINGS = /\\(?:Z|u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|.)/gs

const translate = (pattern: string): string =>
  pattern.replace(SPELLINGS, (written, long?: string, short?: string) => {
    if (written === '\\Z') return '\\z'
    const code = long ?? short
    return code === undefined ? written : `\\x{${code}}`
  })
