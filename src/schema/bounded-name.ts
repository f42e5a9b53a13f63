import { createHash } from 'node:crypto'

/** PostgreSQL truncates longer names silently. */
const LONGEST = 63
const HASH = 8

/** The parts joined by underscores; a name that is too long is truncated and gets a hash of the whole. */
export function boundedName(...parts: readonly string[]): string {
  const name = parts.join('_')
  if (Buffer.byteLength(name) <= LONGEST) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH)
  return `${name.slice(0, LONGEST - HASH - 1)}_${hash}`
}
