import type { Measurement } from '../result.ts'

/** How the requests of a measurement were put, in a few words. */
export const loadWords = ({ connections, varied }: Measurement): string =>
  `${connections}${varied ? '' : ' same'}`
