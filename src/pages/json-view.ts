import { type Html, html, trusted } from './html.ts'

/** A name with its colon, a string, empty containers, signs, and whatever else stands between signs. */
const TOKEN = /("(?:[^"\\]|\\.)*")\s*:|("(?:[^"\\]|\\.)*")|(\{\}|\[\]|[{}[\],])|([^\s{}[\],:"]+)/g

const WEB_ADDRESS = /^"https?:\/\/[^\s"<>\\]+"$/

/**
 * JSON text with a value on each line, coloured, addresses as links. Values are shown as they are
 * written, so that numbers keep their digits.
 */
export function jsonView(text: string): Html {
  const parts: (string | Html)[] = []
  let depth = 0
  const newLine = () => parts.push(`\n${'  '.repeat(depth)}`)
  for (const [, name, string, sign, rest] of text.matchAll(TOKEN)) {
    if (name !== undefined) parts.push(html`<span class="name">${name}</span>: `)
    else if (string !== undefined) parts.push(stringView(string))
    else if (rest !== undefined) parts.push(html`<span class="${kindOf(rest)}">${rest}</span>`)
    else if (sign === '{' || sign === '[') {
      depth += 1
      parts.push(sign)
      newLine()
    } else if (sign === '}' || sign === ']') {
      depth -= 1
      newLine()
      parts.push(sign)
    } else {
      parts.push(sign ?? '')
      if (sign === ',') newLine()
    }
  }
  // Signs and blanks need no escaping, and everything else has been through a template.
  return html`<pre class="json" tabindex="0" aria-label="JSON"><code>${trusted(parts.join(''))}</code></pre>`
}

function stringView(token: string): Html {
  const text = WEB_ADDRESS.test(token) ? token.slice(1, -1) : undefined
  return text === undefined
    ? html`<span class="string">${token}</span>`
    : html`<span class="string">"<a href="${text}">${text}</a>"</span>`
}

const kindOf = (token: string): string => (/^[-\d]/.test(token) ? 'number' : 'word')
