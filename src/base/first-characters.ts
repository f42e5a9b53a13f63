/** The beginning of a text: at most `count` characters, as fields count them. Never splits a surrogate pair. */
export const firstCharacters = (text: string, count: number): string =>
  text.length <= count ? text : [...text.slice(0, 2 * count)].slice(0, count).join('')
