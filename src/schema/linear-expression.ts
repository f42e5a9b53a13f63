import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

/** A user's regular expression that is matched in time linear in the length of the text. */
export interface LinearExpression {
  /** Whether the text begins with a match, as Python's re.match does. */
  matchesStart(text: string): boolean
  /** Whether a match is anywhere in the text. */
  test(text: string): boolean
  /**
   * The text with each match replaced. `groups` returns the text of a group of the match by number or name, `0` for the
   * whole match; an empty text for groups that do not exist.
   */
  replaceAll(text: string, replacement: (groups: (name: string) => string) => string): string
}

/** Maximum number of cached expressions; there are as many as fields and schemas with one. */
const MOST_KEPT = 500
const compiled = new LRUCache<string, { readonly expression: LinearExpression | undefined }>({
  max: MOST_KEPT,
})

/**
 * The compiled expression; undefined for invalid syntax and for features that need backtracking: lookaround and back
 * references.
 */
export function linearExpression(pattern: string): LinearExpression | undefined {
  const cached = compiled.get(pattern)
  if (cached) return cached.expression
  const expression = compile(pattern)
  compiled.set(pattern, { expression })
  return expression
}

function compile(pattern: string): LinearExpression | undefined {
  try {
    const expression = RE2JS.compile(translate(pattern))
    return {
      matchesStart: (text) => expression.matcher(text).lookingAt(),
      test: (text) => expression.matcher(text).find(),
      replaceAll: (text, replacement) => replaceAll(expression, text, replacement),
    }
  } catch {
    // The reason is ignored: the error message for the client names the expression.
    return undefined
  }
}

function replaceAll(
  expression: RE2JS,
  text: string,
  replacement: (groups: (name: string) => string) => string,
): string {
  const matcher = expression.matcher(text)
  const groups = (name: string): string => {
    try {
      return matcher.group(/^\d+$/.test(name) ? Number(name) : name) ?? ''
    } catch {
      return ''
    }
  }
  let result = ''
  let end = 0
  while (matcher.find()) {
    result += `${text.slice(end, matcher.start())}${replacement(groups)}`
    end = matcher.end()
  }
  return result + text.slice(end)
}

/** Syntax of Python and JavaScript that the engine spells differently. */
const SPELLINGS = /\\(?:Z|u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|.)/gs

const translate = (pattern: string): string =>
  pattern.replace(SPELLINGS, (written, long?: string, short?: string) => {
    if (written === '\\Z') return '\\z'
    const code = long ?? short
    return code === undefined ? written : `\\x{${code}}`
  })
