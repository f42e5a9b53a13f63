import type { CacheMode } from '../cache-mode.ts'
import type { Measurement } from '../result.ts'

const WORDS: Readonly<Record<CacheMode, string>> = {
  varied: '',
  same: ' repeated',
  nothingKept: ' caches off',
}

/** Number of connections and cache mode, in a few words. */
export const loadLabel = (
  { connections, varied }: Measurement,
  mode: CacheMode = varied ? 'varied' : 'same',
): string => `${connections}${WORDS[mode]}`
