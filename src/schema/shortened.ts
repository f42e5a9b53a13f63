/** The beginning of a text: at most `count` characters, as fields count them, which are never split. */
export const firstCharacters = (text: string, count: number): string =>
  text.length <= count ? text : [...text.slice(0, 2 * count)].slice(0, count).join('')

/** A part of a text, without the halves of characters at its ends. */
export const wholeCharacters = (part: string): string => part.replaceAll(/^\p{Surrogate}|\p{Surrogate}$/gu, '')

/** The text, or its beginning with an ellipsis as the last of `most` characters; at least one character stays. */
export function shortened(text: string, most: number): string {
  const characters = [...text]
  return characters.length > most ? `${characters.slice(0, Math.max(most - 1, 1)).join('')}…` : text
}

/** The name, or its beginning and its end around an ellipsis: systematic names differ at their ends. */
export function shortenedName(name: string, most: number): string {
  const characters = [...name]
  if (characters.length <= most) return name
  const end = Math.floor((most - 1) / 2)
  return end < 1
    ? shortened(name, most)
    : `${characters.slice(0, most - 1 - end).join('')}…${characters.slice(-end).join('')}`
}
