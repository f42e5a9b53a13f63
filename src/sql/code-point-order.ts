/** Compares texts as PostgreSQL's collation `C` does: by code points, where `<` would compare UTF-16 code units. */
export function compareCodePoints(left: string, right: string): number {
  const end = Math.min(left.length, right.length)
  for (let index = 0; index < end; index++) {
    const [one, other] = [left.charCodeAt(index), right.charCodeAt(index)]
    if (one !== other) return rankOf(one) - rankOf(other)
  }
  return left.length - right.length
}

const [FIRST_SURROGATE, AFTER_SURROGATES, ABOVE_ALL] = [0xd800, 0xe000, 0x10000] as const

/** Surrogates, of which code points above U+FFFF consist, come after all other code units. */
const rankOf = (unit: number): number =>
  unit >= FIRST_SURROGATE && unit < AFTER_SURROGATES ? unit + ABOVE_ALL : unit
