import type { Measurement, Result } from './result.ts'

/** How requests were put, and what the service may keep in between, in the order of tables. */
export const WAYS = {
  varied: 'every request another',
  same: 'the same again',
  nothingKept: 'nothing kept',
} as const

export type Way = keyof typeof WAYS

/** Something for each way that was measured. */
export type ByWay<T> = { readonly [way in Way]?: T }

// Keys of the table above, as written there.
export const ALL_WAYS = Object.keys(WAYS) as readonly Way[]

export const wayOf = ({ nothingKept }: Result, { varied }: Measurement): Way => {
  if (nothingKept) return 'nothingKept'
  return varied ? 'varied' : 'same'
}

/** `calculate` for each way that there is; ways for which it finds nothing are left out. */
export function eachWay<T, R>(
  given: ByWay<T>,
  calculate: (value: T, way: Way) => R | undefined,
): ByWay<R> {
  const found: { [way in Way]?: R } = {}
  for (const way of ALL_WAYS) {
    const value = given[way]
    const result = value === undefined ? undefined : calculate(value, way)
    if (result !== undefined) found[way] = result
  }
  return found
}
