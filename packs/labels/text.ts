/** A text with expressions in braces, in parts: texts, and expressions. */
export type TextPart = { readonly text: string } | { readonly expression: string }

const CLOSING = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\}/gs

/** The parts of a text; two braces in a row are one. Undefined if a brace is not closed. */
export function partsOf(source: string): readonly TextPart[] | undefined {
  const parts: TextPart[] = []
  let text = ''
  for (let at = 0; at < source.length; at += 1) {
    const character = source.charAt(at)
    if ((character === '{' || character === '}') && source.charAt(at + 1) === character) {
      text += character
      at += 1
    } else if (character === '{') {
      const end = closingBrace(source, at + 1)
      if (end === undefined) return undefined
      if (text !== '') parts.push({ text })
      text = ''
      parts.push({ expression: source.slice(at + 1, end).trim() })
      at = end
    } else if (character === '}') return undefined
    else text += character
  }
  return text === '' ? parts : [...parts, { text }]
}

/** Position of the brace that ends an expression, whose texts in quotation marks may contain some. */
function closingBrace(source: string, from: number): number | undefined {
  CLOSING.lastIndex = from
  for (let match = CLOSING.exec(source); match; match = CLOSING.exec(source)) if (match[0] === '}') return match.index
  return undefined
}
