/** A quoted name. Throws for a name that PostgreSQL does not allow. */
export function quoteName(name: string): string {
  // PostgreSQL refuses both; an error here names the identifier instead of a position in a statement.
  if (name === '') throw new Error('An SQL identifier is empty')
  if (name.includes('\0')) throw new Error(`An SQL identifier contains NUL: ${JSON.stringify(name)}`)
  return `"${name.replaceAll('"', '""')}"`
}
