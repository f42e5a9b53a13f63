/** Zone files (RFC 1035 §5): the text of a zone, and the records in a text. */
import { firstCharacters } from 'cadastre'
import { absoluteName, parseName, relativeTo } from './names.ts'
import { isType, parseValue, TEXTS } from './values.ts'

/** A record of a zone as its text shows it. */
export interface ZoneRecord {
  /** Relative to the zone. */
  readonly name: string
  readonly type: string
  readonly value: string
  /** Undefined for that of the zone. */
  readonly ttl: number | undefined
}

/** The text of a zone: its records in their order, with whole names in values. */
export function zoneText(zone: string, defaultTtl: number, records: readonly ZoneRecord[]): string {
  const lines = records.map(({ name, type, value, ttl }) => {
    const meaning = parseValue(type, value, zone)
    const text = 'problem' in meaning ? value : TEXTS.has(type) ? meaning.canonical : meaning.absolute
    return `${name}\t${ttl === undefined || ttl === defaultTtl ? '' : ttl}\tIN\t${type}\t${ascii(text)}\n`
  })
  return `$ORIGIN ${zone}.\n$TTL ${defaultTtl}\n${lines.join('')}`
}

/** Other characters as the bytes that they are. */
const ascii = (text: string): string =>
  text.replace(/[^\x20-\x7e]+/g, (part) =>
    [...Buffer.from(part)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join(''),
  )

/** A record of a zone file, with the number of its line. */
export interface FileRecord {
  readonly line: number
  /** Relative to the zone, `@` for the zone itself. */
  readonly name: string
  readonly type: string
  readonly value: string
  /** Undefined if neither the record nor the file says. */
  readonly ttl: number | undefined
}

/** The records of a zone file, and why lines cannot be used: `Line 7: …`. */
export interface ZoneFile {
  readonly records: readonly FileRecord[]
  readonly problems: readonly string[]
}

/** Problems that are reported at most. */
const MOST_PROBLEMS = 50

/** The records in the text of a zone file. `zone`: its name, which the file need not have. */
export function readZoneFile(text: string, zone: string): ZoneFile {
  const records: FileRecord[] = []
  const problems: string[] = []
  let [origin, ttl, owner]: [string, number | undefined, string | undefined] = [zone, undefined, undefined]
  for (const entry of entriesOf(text)) {
    if (problems.length >= MOST_PROBLEMS) break
    const problem = (why: string): void => {
      problems.push(`Line ${entry.line}: ${why}`)
    }
    if (entry.problem !== undefined) {
      problem(entry.problem)
      continue
    }
    const [first, ...rest] = entry.words
    if (first?.startsWith('$')) {
      const directive = first.toUpperCase()
      if (directive === '$ORIGIN') {
        const named = wholeName(rest[0] ?? '', origin)
        if ('problem' in named) problem(named.problem)
        else origin = named.name
      } else if (directive === '$TTL') {
        ttl = secondsOf(rest[0] ?? '')
        if (ttl === undefined) problem(`"${firstCharacters(rest[0] ?? '', 40)}" is not a TTL.`)
      } else problem(`${firstCharacters(first, 40)} is not supported. Insert the records instead.`)
      continue
    }
    const words = entry.hasOwner ? rest : entry.words
    if (entry.hasOwner) owner = first
    const read = readRecord(owner, words, origin, zone)
    if ('problem' in read) problem(read.problem)
    else records.push({ ...read, ttl: read.ttl ?? ttl, line: entry.line })
  }
  return { records, problems }
}

/** A record of its words. */
function readRecord(
  owner: string | undefined,
  words: readonly string[],
  origin: string,
  zone: string,
): Omit<FileRecord, 'line'> | { readonly problem: string } {
  if (owner === undefined) return { problem: 'The first record has no name.' }
  let ttl: number | undefined
  let index = 0
  for (; index < 2; index++) {
    const word = words[index] ?? ''
    const seconds = /^\d/.test(word) ? secondsOf(word) : undefined
    if (seconds !== undefined) ttl = seconds
    else if (/^(CH|HS|CS)$/i.test(word)) return { problem: `The class ${word} is not supported.` }
    else if (!/^IN$/i.test(word)) break
  }
  const [type = '', ...values] = words.slice(index)
  // Words without quotes are texts of their own here.
  const isText = TEXTS.has(type.toUpperCase()) && values[0] !== '\\#'
  const value = values.map((word) => (isText && !word.startsWith('"') ? `"${word}"` : word)).join(' ')
  if (!isType(type.toUpperCase())) return { problem: `There is no type of records "${firstCharacters(type, 40)}".` }
  const named = wholeName(owner, origin, type.toUpperCase())
  if ('problem' in named) return named
  const name = relativeTo(zone, named.name)
  if (name === undefined) return { problem: `${named.name}. is not within the zone ${zone}.` }
  // It follows from the zone, whatever the file says.
  if (type.toUpperCase() === 'SOA') return { name, type: 'SOA', value, ttl }
  const meaning = parseValue(type.toUpperCase(), value, origin)
  if ('problem' in meaning) return meaning
  const isSame = origin.toLowerCase() === zone.toLowerCase()
  return { name, type: type.toUpperCase(), value: isSame ? value : meaning.absolute, ttl }
}

function wholeName(text: string, origin: string, type?: string) {
  if (text === '@') return { name: origin }
  const parsed = parseName(text, { hasWildcard: true, ...(type !== undefined && { type }) })
  if ('problem' in parsed) return parsed
  return { name: text.endsWith('.') ? parsed.name : absoluteName(parsed.name, origin).slice(0, -1) }
}

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** Seconds of a TTL such as 3600, 1h30m or 2W; undefined for another text. */
function secondsOf(text: string): number | undefined {
  if (!/^(\d{1,10}|(\d{1,9}[smhdw])+)$/i.test(text)) return undefined
  const seconds = /^\d+$/.test(text)
    ? Number(text)
    : [...text.matchAll(/(\d+)([smhdw])/gi)].reduce(
        (sum, [, count, unit]) => sum + Number(count) * (UNITS[unit?.toLowerCase() ?? ''] ?? 0),
        0,
      )
  return seconds <= 2_147_483_647 ? seconds : undefined
}

/** The words of one entry, which parentheses continue on further lines. */
interface Entry {
  readonly line: number
  readonly words: readonly string[]
  /** The first line begins with a name, not with a blank. */
  readonly hasOwner: boolean
  readonly problem?: string
}

const WORD = /\s*(?:(;.*)|([()])|((?:"(?:[^"\\]|\\.)*"|[^\s"();\\]|\\.)+))/y

function* entriesOf(text: string): Iterable<Entry> {
  let [words, depth, start, hasOwner]: [string[], number, number, boolean] = [[], 0, 0, false]
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (depth === 0) [words, start, hasOwner] = [[], index + 1, /^\S/.test(line)]
    WORD.lastIndex = 0
    let problem: string | undefined
    while (line.slice(WORD.lastIndex).trim() !== '') {
      const match = WORD.exec(line)
      if (!match) {
        problem = 'A quotation mark or an escape is not closed.'
        break
      }
      const [, comment, bracket, word] = match
      if (comment !== undefined) break
      if (bracket === '(') depth++
      else if (bracket === ')') depth--
      else if (word !== undefined) words.push(word)
      if (depth < 0 || depth > 20) {
        problem = 'A parenthesis has no other one.'
        break
      }
    }
    if (problem !== undefined) {
      depth = 0
      yield { line: index + 1, words, hasOwner, problem }
    } else if (depth === 0 && words.length > 0) yield { line: start, words, hasOwner }
  }
  if (depth > 0) yield { line: start, words, hasOwner, problem: 'A parenthesis is not closed.' }
}
