/** A name in the database between quotes. Throws for a name that PostgreSQL can't have. */
export function quoteName(name: string): string {
  // PostgreSQL refuses both; an error here names the identifier rather than a position in a statement.
  if (name === '') throw new Error('An SQL identifier is empty')
  if (name.includes('\0'))
    throw new Error(`An SQL identifier contains NUL: ${JSON.stringify(name)}`)
  return `"${name.replaceAll('"', '""')}"`
}
