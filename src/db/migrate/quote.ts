import { quoteName } from '../../sql/quote-name.ts'

/** A quoted name, as text of a statement. */
export const quoted = quoteName

/** The names as quoted identifiers, separated by commas. */
export const quotedList = (names: readonly string[]): string => names.map(quoted).join(', ')

/** A text constant, for statements that cannot have bound parameters. */
export const literal = (value: string): string =>
  value.includes('\\') ? ` E'${doubled(value)}'` : `'${doubled(value)}'`

const doubled = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll("'", "''")
