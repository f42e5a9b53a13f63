import { BASE } from '../../schema/fields/file.ts'

/** The base URL (scheme, host, base path; no slash at the end) as a part of a JSON string. */
// The host comes from a request header, so its characters must not be able to end the string.
export const baseText = (base: string): string => JSON.stringify(base).slice(1, -1)

/** Replaces the placeholders of the base URL in a text. */
export function baseReplacer(base: string): (text: string) => string {
  // A `$` has a meaning in a replacement text.
  const replacement = baseText(base).replaceAll('$', '$$$$')
  return (text) => text.replaceAll(BASE, replacement)
}

/** As `baseReplacer`, for a single text. */
export const withBase = (text: string, base: string): string => baseReplacer(base)(text)
