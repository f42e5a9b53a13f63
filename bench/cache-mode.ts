import type { Measurement, Result } from './result.ts'

/** Labels of the cache modes, in the order of the tables: how requests vary and which caches the service may use. */
export const CACHE_MODE_LABELS = {
  varied: 'distinct requests',
  same: 'repeated request',
  nothingKept: 'caches off',
} as const

export type CacheMode = keyof typeof CACHE_MODE_LABELS

/** A value for each mode that was measured. */
export type ByCacheMode<T> = { readonly [mode in CacheMode]?: T }

// Keys of the table above, in its order.
export const CACHE_MODES = Object.keys(CACHE_MODE_LABELS) as readonly CacheMode[]

export const cacheModeOf = ({ nothingKept }: Result, { varied }: Measurement): CacheMode => {
  if (nothingKept) return 'nothingKept'
  return varied ? 'varied' : 'same'
}

/** Result of `calculate` for each mode; modes for which it returns undefined are left out. */
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
