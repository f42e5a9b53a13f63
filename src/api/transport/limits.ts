import { ApiError, tooManyObjects } from '../../base/errors.ts'

/**
 * Maximum nesting of lists and objects. Real data has a few levels; each one costs stack in functions that walk it.
 */
const MOST_LEVELS = 100
/** A shorter document cannot exceed the maximum nesting. */
const SHORTEST_DEEP = 2 * MOST_LEVELS

const malformed = (detail: string) => new ApiError({ kind: 'malformed', detail })

/** Throws `malformed` for a query or form with more than `most` parameters; counts them before parsing. */
export function checkParameters(query: string, most: number): void {
  let count = 1
  for (let at = query.indexOf('&'); at >= 0; at = query.indexOf('&', at + 1)) count += 1
  if (count > most) throw malformed(`A request may have at most ${most} parameters.`)
}

/** Throws `malformed` for a list of more than `most` objects. */
export function checkBulk(document: unknown, most: number): void {
  if (Array.isArray(document) && document.length > most) {
    throw tooManyObjects(document.length, most)
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** The bit that differs between `[` and `{`, and between `]` and `}`. */
const CURLY = 0x20
const OPENING = 0x7b
const CLOSING = 0x7d

/**
 * Throws `malformed` for JSON that is nested too deeply for recursive functions. Scans the bytes, because the
 * document must not be built before the check; invalid JSON may pass.
 */
export function checkDepth(json: Uint8Array): void {
  if (json.length < SHORTEST_DEEP) return
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0
    if (isText) {
      if (byte === BACKSLASH) at += 1
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if ((byte | CURLY) === OPENING) {
      depth += 1
      if (depth > MOST_LEVELS) {
        throw malformed(`A document may have at most ${MOST_LEVELS} levels.`)
      }
    } else if ((byte | CURLY) === CLOSING) depth -= 1
  }
}
