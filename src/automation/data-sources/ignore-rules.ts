import { linearExpression } from '../../schema/linear-expression.ts'

/**
 * Whether a path of a source is excluded: a name in it begins with a dot, or one of the rules, one pattern per line,
 * matches the whole path or its last name. `*` and `?` match slashes too, as in Python's fnmatch.
 */
export function ignoredPaths(rules: string): (path: string) => boolean {
  const patterns = rules
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(expressionOf)
  return (path) => {
    const names = path.split('/')
    const last = names.at(-1) ?? ''
    return names.some((name) => name.startsWith('.')) || patterns.some((matches) => matches(path) || matches(last))
  }
}

/** `*`, `?`, `[…]`, `[!…]`; an unclosed bracket matches itself. */
const TOKEN = /\*+|\?|\[!?\]?[^\]]*\]|[^*?[]+|\[/g

/** Expressions are matched in linear time, so no pattern can occupy the service. */
function expressionOf(pattern: string): (text: string) => boolean {
  const source = (pattern.match(TOKEN) ?? []).map(translated).join('')
  const expression = linearExpression(`(?s)^(?:${source})$`)
  return (text) => expression?.test(text) ?? false
}

function translated(token: string): string {
  if (token.startsWith('*')) return '.*'
  if (token === '?') return '.'
  if (token.length < 3 || !token.startsWith('[')) return quoted(token)
  const isNegated = token.startsWith('[!')
  const members = token.slice(isNegated ? 2 : 1, -1).replace(/[\\[\]^&~|]/g, '\\$&')
  return `[${isNegated ? '^' : ''}${members}]`
}

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
