/** Whole numbers below a limit, the same in each run (mulberry32). */
export function randomNumbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

/** The body with names that no other object has. */
export const renamed = (body: object | undefined, count: number): object =>
  Object.fromEntries(
    Object.entries(body ?? {}).map(([name, value]) => [
      name,
      /^(name|slug|label|cid|model|description)$/.test(name) && typeof value === 'string' ? `${value}-${count}` : value,
    ]),
  )
