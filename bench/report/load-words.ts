import type { Measurement } from '../result.ts'
import type { Way } from '../way.ts'

const WORDS: Readonly<Record<Way, string>> = {
  varied: '',
  same: ' same',
  nothingKept: ' nothing kept',
}

/** How the requests of a measurement were put, in a few words. */
export const loadWords = (
  { connections, varied }: Measurement,
  way: Way = varied ? 'varied' : 'same',
): string => `${connections}${WORDS[way]}`
