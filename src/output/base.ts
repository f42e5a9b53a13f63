/**
 * Stands for the base URL in texts that outlive a request (the memory of nested forms). It can occur
 * nowhere else: JSON escapes it, and PostgreSQL stores no NUL.
 */
export const BASE = '\u0000'

/** The text with the base URL (scheme, host, base path; no slash at the end) in its places. */
export const withBase = (text: string, base: string): string =>
  // A function, since `$` has a meaning in a replacement text.
  text.replaceAll(BASE, () => escapeBase(base))

// A host comes from a request header: whatever is in it must not end the JSON string.
const escapeBase = (base: string): string => JSON.stringify(base).slice(1, -1)
