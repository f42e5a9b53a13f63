import { JsonBytes } from './json-bytes.ts'

const COMMA = ','.charCodeAt(0)
/** How much longer than the first item the others may be on average until a larger buffer is needed. */
const USUAL = 1.2
/** Most bytes that are reserved by the length of the first item, which may be by far the longest. */
const MOST_AT_FIRST = 8_388_608

/** Writes an item of a JSON list. */
export type WriteItem = (out: JsonBytes) => void

/** The items as one JSON list between `before` and `after`, in one buffer. */
export function listOfItems(items: readonly WriteItem[], before: string, after: string): Buffer {
  const out = new JsonBytes()
  out.text(`${before}[`)
  const start = out.length
  for (const [index, write] of items.entries()) {
    if (index === 1) {
      const expected = USUAL * items.length * (out.length - start) + after.length
      out.reserve(Math.min(Math.ceil(expected), MOST_AT_FIRST))
    }
    if (index > 0) out.byte(COMMA)
    write(out)
  }
  out.text(`]${after}`)
  return out.bytes
}
