/** A number with its noun: `1 warning`, `2 warnings`. `plural` is given where it is not the noun with an s. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`

/** The verb that goes with that many. */
export const isOrAre = (count: number): string => (count === 1 ? 'is' : 'are')
