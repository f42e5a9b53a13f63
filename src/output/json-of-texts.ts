const COMMA = ','.charCodeAt(0)
/** Bytes of the longest character in UTF-8. Where fewer are left, one may not have found room. */
const LONGEST = 4
/** Most bytes of a UTF-16 code unit in UTF-8. */
const WIDEST = 3
/** Bytes per code unit that a buffer has room for at first: most texts are ASCII. */
const USUAL = 1.1

/**
 * As `jsonList`, of documents that are texts. They are written into one buffer: a buffer for each takes longer, and so does a string of
 * them all, where a single character is beyond Latin-1.
 */
export function jsonListOfTexts(texts: readonly string[], before: string, after: string): Buffer {
  let units = before.length + after.length + 2
  for (const text of texts) units += text.length + 1
  let buffer = Buffer.allocUnsafe(Math.ceil(units * USUAL) + LONGEST)
  let at = 0
  const add = (text: string): void => {
    const written = buffer.write(text, at)
    // A character that does not fit is left out, with all that follow.
    if (at + written + LONGEST <= buffer.length) {
      at += written
      return
    }
    const larger = Buffer.allocUnsafe(2 * buffer.length + WIDEST * text.length + LONGEST)
    larger.set(buffer.subarray(0, at))
    buffer = larger
    at += buffer.write(text, at)
  }
  add(`${before}[`)
  for (const [index, text] of texts.entries()) {
    if (index > 0) buffer[at++] = COMMA
    add(text)
  }
  add(`]${after}`)
  return buffer.subarray(0, at)
}
