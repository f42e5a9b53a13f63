/** Pseudo-random numbers: the same seed gives the same sequence. */
export interface Random {
  /** An integer from 0 up to, but not including, `limit`. */
  below(limit: number): number
  /** One of the items. Throws for an empty list. */
  pick<T>(items: readonly T[]): T
  /** True with probability 1/n. */
  oneIn(n: number): boolean
}

/** A mulberry32 generator: fast, and random enough for test data. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    oneIn: (n) => below(n) === 0,
    pick: (items) => {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('There is nothing to pick from')
      return item
    },
  }
}
