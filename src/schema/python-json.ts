/** A JSON text up to the next separator; separators within strings do not count. */
const UP_TO_SEPARATOR = /(?:[^",:]|"(?:[^"\\]|\\.)*")*[,:]/gy
/** Characters that Python's `json.dumps` escapes and JSON.stringify does not. */
const BEYOND_ASCII = /[\u007f-\uffff]/g

/**
 * A JSON text as Python's `json.dumps` formats it: ASCII only, with a space after each separator. The text is not
 * parsed, so the order of keys and all digits of numbers are preserved.
 */
export const pythonJson = (json: string): string => json.replace(UP_TO_SEPARATOR, '$& ').replace(BEYOND_ASCII, escaped)

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
