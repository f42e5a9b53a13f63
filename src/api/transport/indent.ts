/**
 * JSON text with one value or name per line, `indent` spaces per level. Values are copied as text, so numbers keep
 * their notation.
 */
export function indentJson(text: string, indent: number): string {
  const step = ' '.repeat(indent)
  let result = ''
  let depth = 0
  const newLine = () => `\n${step.repeat(depth)}`
  for (const [token = ''] of text.matchAll(TOKEN)) {
    if (token === '{}' || token === '[]') result += token
    else if (token === '{' || token === '[') {
      depth += 1
      result += token + newLine()
    } else if (token === '}' || token === ']') {
      depth -= 1
      result += newLine() + token
    } else if (token === ',') result += token + newLine()
    else if (token === ':') result += ': '
    else result += token
  }
  return result
}

/** Empty containers, structural characters, strings, and all other literals. */
const TOKEN = /\{\}|\[\]|[{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+/g
