import { type Html, html, trusted } from '../html.ts'

/** A name with its colon, a string, empty containers, structural characters, and all other literals. */
const TOKEN = /("(?:[^"\\]|\\.)*")\s*:|("(?:[^"\\]|\\.)*")|(\{\}|\[\]|[{}[\],])|([^\s{}[\],:"]+)/g

/** Excludes all characters that need escaping in an attribute, except the ampersand. */
const WEB_ADDRESS = /^"https?:\/\/[^\s"'<>\\]+"$/

/**
 * JSON text with one value per line, coloured, with URLs as links. Values are copied as text, so numbers keep their
 * digits. A page has tens of thousands of values, so they are concatenated as text, in elements with short names
 * (`j-n` a name, `j-s` a string, `j-d` digits, `j-w` a word).
 */
export function jsonMarkup(text: string): Html {
  let result = ''
  let depth = 0
  const newLine = () => `\n${'  '.repeat(depth)}`
  for (const [, name, string, sign, word] of text.matchAll(TOKEN)) {
    if (name !== undefined) result += `<j-n>${escaped(name)}</j-n>: `
    else if (string !== undefined) result += stringMarkup(string)
    else if (word !== undefined) result += wordMarkup(escaped(word))
    else if (sign === '{' || sign === '[') {
      depth += 1
      result += sign + newLine()
    } else if (sign === '}' || sign === ']') {
      depth -= 1
      result += newLine() + sign
    } else result += sign === ',' ? sign + newLine() : sign
  }
  // Structural characters and spaces need no escaping, and everything else has been escaped.
  return html`<pre class="json" tabindex="0" role="region" aria-label="JSON"><code>${trusted(result)}</code></pre>`
}

function stringMarkup(token: string): string {
  const text = escaped(token)
  if (!WEB_ADDRESS.test(token)) return `<j-s>${text}</j-s>`
  const address = text.slice(1, -1)
  return `<j-s>"<a href="${address}">${address}</a>"</j-s>`
}

const wordMarkup = (word: string): string => (/^[-\d]/.test(word) ? `<j-d>${word}</j-d>` : `<j-w>${word}</j-w>`)

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Text escaped for element content. */
const escaped = (text: string): string => text.replace(/[&<>]/g, (character) => ENTITIES[character] ?? '')
