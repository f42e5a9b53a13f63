import type { CacheMode } from '../cache-mode.ts'
import type { Measurement } from '../result.ts'

const WORDS: Readonly<Record<CacheMode, string>> = {
  varied: '',
  same: ' same',
  nothingKept: ' nothing kept',
}

/** How the requests of a measurement were put, in a few words. */
export const loadLabel = (
  { connections, varied }: Measurement,
  mode: CacheMode = varied ? 'varied' : 'same',
): string => `${connections}${WORDS[mode]}`
