/** The text, or its beginning with an ellipsis as the last of `most` characters; at least one character stays. */
export function shortened(text: string, most: number): string {
  const characters = [...text]
  return characters.length > most ? `${characters.slice(0, Math.max(most - 1, 1)).join('')}…` : text
}
