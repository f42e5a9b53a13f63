/** The stored form of a record, and what follows from its zone, name, type and value. */
import { absoluteName, parseName, relativeTo, unicodeName } from './names.ts'
import { parseValue } from './values.ts'

/** Types whose values are addresses. */
export const ADDRESSES: ReadonlySet<unknown> = new Set(['A', 'AAAA'])

interface ZoneName {
  readonly name: string
}

type RecordRow = Readonly<Record<string, unknown>>

/** The name below the zone in its stored form, or why it cannot be one. */
export function nameIn(
  zone: ZoneName,
  { name, type }: RecordRow,
): { readonly name: string } | { readonly problem: string } {
  const written = String(name)
  if (written === '@' || written === '') return { name: '@' }
  const parsed = parseName(written, { type: String(type), hasWildcard: true })
  if ('problem' in parsed) return parsed
  const relative = written.endsWith('.') ? relativeTo(zone.name, parsed.name) : parsed.name
  if (relative === undefined) return { problem: `${parsed.name}. is not within the zone ${zone.name}.` }
  return absoluteName(relative, zone.name).length > 254
    ? { problem: 'The whole name has more than 253 characters.' }
    : { name: relative }
}

/** The values of a record that follow from its name, type and value in the zone with the name. */
export function recordForm(zone: ZoneName, row: RecordRow) {
  const named = nameIn(zone, row)
  const name = 'name' in named ? named.name : String(row.name)
  const meaning = parseValue(String(row.type), String(row.value), zone.name)
  const isAddress = ADDRESSES.has(row.type)
  return {
    name,
    _name: name.toLowerCase(),
    _shown: unicodeName(name),
    fqdn: absoluteName(name, zone.name),
    _key: 'problem' in meaning ? '' : meaning.canonical,
    _address: isAddress && 'canonical' in meaning ? `${meaning.canonical}/${row.type === 'A' ? 32 : 128}` : null,
    ...(!isAddress && { disable_ptr: false }),
  }
}

/** What the value means; a value that is wrong means itself. */
export function meaningOf(type: string, value: string, zone: string): string {
  const meaning = parseValue(type, value, zone)
  return 'problem' in meaning ? value : meaning.canonical
}
