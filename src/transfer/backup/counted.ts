/** A number with its noun: `1 warning`, `2 warnings`. `plural` is for nouns that do not just add an s. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`

/** The form of "to be" that agrees with the number. */
export const isOrAre = (count: number): string => (count === 1 ? 'is' : 'are')
