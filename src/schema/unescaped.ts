/** A part of a URL with its escapes decoded; text that is not escaped, such as `100%`, stays as it is. */
export function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
