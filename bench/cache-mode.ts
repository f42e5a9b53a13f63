import type { Measurement, Result } from './result.ts'

/** How requests were put, and what the service may keep in between, in the order of tables. */
export const CACHE_MODE_LABELS = {
  varied: 'every request another',
  same: 'the same again',
  nothingKept: 'nothing kept',
} as const

export type CacheMode = keyof typeof CACHE_MODE_LABELS

/** Something for each way that was measured. */
export type ByCacheMode<T> = { readonly [mode in CacheMode]?: T }

// Keys of the table above, as written there.
export const CACHE_MODES = Object.keys(CACHE_MODE_LABELS) as readonly CacheMode[]

export const cacheModeOf = ({ nothingKept }: Result, { varied }: Measurement): CacheMode => {
  if (nothingKept) return 'nothingKept'
  return varied ? 'varied' : 'same'
}

/** `calculate` for each way that there is; ways for which it finds nothing are left out. */
export function mapCacheModes<T, R>(
  given: ByCacheMode<T>,
  calculate: (value: T, mode: CacheMode) => R | undefined,
): ByCacheMode<R> {
  const found: { [mode in CacheMode]?: R } = {}
  for (const mode of CACHE_MODES) {
    const value = given[mode]
    const result = value === undefined ? undefined : calculate(value, mode)
    if (result !== undefined) found[mode] = result
  }
  return found
}
