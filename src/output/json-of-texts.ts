const COMMA = ','.charCodeAt(0)
/** Bytes of the longest character in UTF-8. Where fewer are left, one may not have found room. */
const LONGEST = 4
/** Most bytes of a UTF-16 code unit in UTF-8. */
const WIDEST = 3
/** How much longer than the first text the others may be on average until a larger buffer is needed. */
const USUAL = 1.2
/** Most bytes that are reserved by the length of the first text, which may be by far the longest. */
const MOST_AT_FIRST = 8_388_608

/**
 * As `jsonList`, of documents that are texts, about `count` of them. They are written into one buffer: a buffer for each takes longer, and
 * so does a string of them all, where a single character is beyond Latin-1.
 */
export function jsonListOfTexts(
  texts: Iterable<string>,
  count: number,
  before: string,
  after: string,
): Buffer {
  let buffer: Buffer = Buffer.alloc(0)
  let at = 0
  const reserve = (size: number): void => {
    const larger = Buffer.allocUnsafe(Math.ceil(size))
    larger.set(buffer.subarray(0, at))
    buffer = larger
  }
  const add = (text: string): void => {
    const written = buffer.write(text, at)
    // A character that does not fit is left out, with all that follow.
    if (at + written + LONGEST <= buffer.length) {
      at += written
      return
    }
    reserve(2 * buffer.length + WIDEST * text.length + LONGEST)
    at += buffer.write(text, at)
  }
  add(`${before}[`)
  let isFirst = true
  for (const text of texts) {
    if (isFirst) {
      const expected = USUAL * count * (text.length + 1) + after.length + 2 * LONGEST
      reserve(at + Math.min(expected, MOST_AT_FIRST))
    } else buffer[at++] = COMMA
    add(text)
    isFirst = false
  }
  add(`]${after}`)
  return buffer.subarray(0, at)
}
