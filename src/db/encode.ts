/**
 * A parameter in PostgreSQL's text form; null for SQL's null. Dates become
 * ISO 8601, arrays become array literals. Throws for objects: JSON is bound as text.
 */
export function encode(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
      return String(value)
    case 'boolean':
      return value ? 't' : 'f'
    case 'undefined':
      return null
    case 'object':
      if (value === null) return null
      if (value instanceof Date) return value.toISOString()
      if (Array.isArray(value)) return encodeArray(value)
  }
  throw new TypeError(`A ${describe(value)} cannot be bound to a statement`)
}

function encodeArray(items: readonly unknown[]): string {
  return `{${items.map(encodeItem).join(',')}}`
}

const SPECIAL = /["\\]/
const ALL_SPECIAL = /["\\]/g

function encodeItem(item: unknown): string {
  if (Array.isArray(item)) return encodeArray(item)
  const text = typeof item === 'string' ? item : encode(item)
  if (text === null) return 'NULL'
  if (typeof item === 'number' || typeof item === 'bigint' || typeof item === 'boolean') return text
  // Always quoted: otherwise the text NULL, blanks at the ends and braces would change their meaning.
  return SPECIAL.test(text) ? `"${text.replace(ALL_SPECIAL, '\\$&')}"` : `"${text}"`
}

const describe = (value: unknown): string =>
  typeof value === 'object' ? (value?.constructor?.name ?? 'plain object') : typeof value
