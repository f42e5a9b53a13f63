/** Strings of a JSON text, and the separators between its values. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[,:]/g
/** Characters that Python's `json.dumps` escapes and JSON.stringify does not. */
const BEYOND_ASCII = /[\u007f-\uffff]/g

/**
 * A JSON text without blanks, as Python's `json.dumps` formats it: a blank behind each separator, and ASCII only. The text is
 * not parsed, so that the order of keys and the digits of numbers stay.
 */
export const pythonJson = (json: string): string =>
  json.replace(TOKENS, (token) => {
    if (token === ',') return ', '
    return token === ':' ? ': ' : token.replace(BEYOND_ASCII, escaped)
  })

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
