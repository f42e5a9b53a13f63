/**
 * Values of records in the form of zone files (RFC 1035 §5.1, and the document of each type): whether they are correct,
 * what they mean, and with whole names. The text is kept as it is written.
 */

import { isIPv4, isIPv6 } from 'node:net'
import { firstCharacters } from 'cadastre'
import { absoluteName, parseName } from './names.ts'

/** A part of a value: a word, or a quoted text. */
interface Token {
  readonly text: string
  readonly isQuoted: boolean
}

/** What a value means. `canonical` is equal for values with the same meaning; `absolute` has whole names. */
export interface Meaning {
  readonly canonical: string
  readonly absolute: string
}

export type ParsedValue = Meaning | { readonly problem: string }

/** Longest text of one character string, in bytes. */
const LONGEST_STRING = 255

/** The parts of a value; undefined if quotes, escapes or parentheses are wrong. */
function tokensOf(value: string): readonly Token[] | undefined {
  const tokens: Token[] = []
  const pattern =
    /[ \t]+|"((?:[^"\\\n]|\\\d{3}|\\[^\d\n])*)"|((?:[^\s"\\;]|\\\d{3}|\\[^\d\n])+(?:(?<==)"(?:[^"\\\n]|\\\d{3}|\\[^\d\n])*")?)/y
  while (pattern.lastIndex < value.length) {
    const match = pattern.exec(value)
    if (!match) return undefined
    const [, quoted, word] = match
    if (quoted !== undefined) tokens.push({ text: quoted, isQuoted: true })
    else if (word !== undefined) tokens.push({ text: word, isQuoted: false })
  }
  return tokens
}

/** The bytes of a text with escapes; undefined if an escape names no byte. */
function bytesOf(text: string): Buffer | undefined {
  const parts: Buffer[] = []
  for (const [part, digits, character] of text.matchAll(/\\(\d{3})|\\(.)|[^\\]+/gs)) {
    if (digits !== undefined) {
      if (Number(digits) > 255) return undefined
      parts.push(Buffer.of(Number(digits)))
    } else parts.push(Buffer.from(character ?? part))
  }
  return Buffer.concat(parts)
}

/** Reads one part of a value; returns its canonical form, or undefined if it is wrong. */
interface Part {
  /** What the part is, for messages. */
  readonly what: string
  /** Takes the rest of the value: none, some or all of its words. */
  readonly rest?: 'any' | 'some'
  readonly read: (token: Token, zone: string) => string | { readonly name: string } | undefined
}

const number = (what: string, highest: number): Part => ({
  what: `${what} from 0 to ${highest}`,
  read: ({ text }) => (/^\d{1,10}$/.test(text) && Number(text) <= highest ? String(Number(text)) : undefined),
})
const u8 = number('a number', 255)
const u16 = number('a number', 65_535)
const u32 = number('a number', 4_294_967_295)
const word = (what: string, pattern: RegExp): Part => ({
  what,
  read: ({ text }) => (pattern.test(text) ? text.toLowerCase() : undefined),
})
const name: Part = {
  what: 'a name',
  read: ({ text, isQuoted }, zone) => {
    if (isQuoted) return undefined
    if (text === '.') return { name: '.' }
    if (text === '@') return { name: `${zone}.` }
    const parsed = parseName(text.replaceAll('\\.', '-'), { isTarget: true })
    if ('problem' in parsed) return undefined
    const ascii = text.includes('\\') ? text : parsed.name + (text.endsWith('.') ? '.' : '')
    return { name: absoluteName(ascii, zone) }
  },
}
const string: Part = {
  what: 'a text of at most 255 characters',
  read: ({ text }) => {
    const bytes = bytesOf(text)
    return bytes && bytes.length <= LONGEST_STRING ? quoted(bytes) : undefined
  },
}
/** A text that may be longer than a character string. */
const longText: Part = {
  what: 'a text',
  read: ({ text }) => {
    const bytes = bytesOf(text)
    return bytes && quoted(bytes)
  },
}
const strings: Part = { ...string, rest: 'some', what: 'texts of at most 255 characters each' }
const ipv4: Part = { what: 'an IPv4 address', read: ({ text }) => (isIPv4(text) ? text : undefined) }
const ipv6: Part = {
  what: 'an IPv6 address',
  read: ({ text }) => (isIPv6(text) && !text.includes('%') ? canonicalIpv6(text) : undefined),
}
const hex: Part = { ...word('hexadecimal digits', /^([0-9a-f]{2})+$/i), rest: 'some' }
const base64: Part = {
  what: 'text in base 64',
  rest: 'some',
  read: ({ text }) => (/^[a-z0-9+/]+={0,2}$/i.test(text) ? text : undefined),
}
const mnemonics: Part = {
  what: 'types of records',
  rest: 'any',
  read: ({ text }) => (/^[a-z][a-z0-9-]*$/i.test(text) ? text.toUpperCase() : undefined),
}
const algorithm = word('the number or name of an algorithm', /^(\d{1,3}|[a-z][a-z0-9-]{0,30})$/i)
const kind = word('a type of records', /^[a-z][a-z0-9-]{0,20}$/i)
const date = word('a time as YYYYMMDDHHMMSS', /^\d{10}(\d{4})?$/)

/** One parameter of a service: `alpn=h2,h3`, `port=443`, `no-default-alpn`. */
const parameters: Part = {
  what: 'parameters such as alpn=h2',
  rest: 'any',
  read: ({ text, isQuoted }) => {
    const match = isQuoted ? null : /^([a-z0-9-]{1,63})(?:=(.*))?$/is.exec(text)
    if (!match) return undefined
    const [, key = '', value] = match
    return value === undefined ? key.toLowerCase() : `${key.toLowerCase()}=${value.replace(/^"(.*)"$/, '$1')}`
  },
}

const quoted = (bytes: Buffer): string => {
  let text = ''
  for (const byte of bytes) {
    if (byte === 34 || byte === 92) text += `\\${String.fromCharCode(byte)}`
    else if (byte >= 32 && byte < 127) text += String.fromCharCode(byte)
    else text += `\\${String(byte).padStart(3, '0')}`
  }
  return `"${text}"`
}

const canonicalIpv6 = (text: string): string => new URL(`http://[${text}]/`).hostname.slice(1, -1)

/** The parts of the values of each type; a type without a row is written as RFC 3597 says. */
const TYPES: ReadonlyMap<string, readonly Part[]> = new Map<string, readonly Part[]>(
  Object.entries({
    A: [ipv4],
    AAAA: [ipv6],
    AFSDB: [u16, name],
    AMTRELAY: [u8, number('a number', 1), u8, word('a relay', /^\S+$/)],
    AVC: [strings],
    CAA: [u8, word('a tag', /^[a-z0-9]{1,255}$/i), longText],
    CDNSKEY: [u16, u8, algorithm, base64],
    CDS: [u16, algorithm, u8, hex],
    CERT: [word('a type of certificates', /^(\d{1,5}|[a-z]+)$/i), u16, algorithm, base64],
    CNAME: [name],
    CSYNC: [u32, u16, mnemonics],
    DHCID: [base64],
    DLV: [u16, algorithm, u8, hex],
    DNAME: [name],
    DNSKEY: [u16, u8, algorithm, base64],
    DS: [u16, algorithm, u8, hex],
    DSYNC: [kind, word('a scheme', /^(\d{1,3}|[a-z]+)$/i), u16, name],
    EUI48: [word('six octets such as 00-00-5e-00-53-2a', /^([0-9a-f]{2}-){5}[0-9a-f]{2}$/i)],
    EUI64: [word('eight octets such as 00-00-5e-ef-10-00-00-2a', /^([0-9a-f]{2}-){7}[0-9a-f]{2}$/i)],
    GPOS: [string, string, string],
    HINFO: [string, string],
    HIP: [u8, hex, { ...base64, rest: 'any' }],
    HTTPS: [u16, name, parameters],
    IPSECKEY: [u8, number('a number', 3), u8, word('a gateway', /^\S+$/), { ...base64, rest: 'any' }],
    ISDN: [string, { ...string, rest: 'any' }],
    KEY: [word('flags', /^\S+$/), word('a protocol', /^\S+$/), algorithm, { ...base64, rest: 'any' }],
    KX: [u16, name],
    L32: [u16, ipv4],
    L64: [u16, word('a locator', /^([0-9a-f]{1,4}:){3}[0-9a-f]{1,4}$/i)],
    LOC: [
      {
        ...word('a place such as 52 22 23.000 N 4 53 32.000 E -2.00m', /^(\d+(\.\d+)?|[nsew]|-?\d+(\.\d+)?m?)$/i),
        rest: 'some',
      },
    ],
    LP: [u16, name],
    MB: [name],
    MD: [name],
    MF: [name],
    MG: [name],
    MINFO: [name, name],
    MR: [name],
    MX: [u16, name],
    NAPTR: [u16, u16, string, string, string, name],
    NID: [u16, word('a node', /^([0-9a-f]{1,4}:){3}[0-9a-f]{1,4}$/i)],
    NINFO: [strings],
    NS: [name],
    NSAP: [word('0x and hexadecimal digits', /^0x[0-9a-f.]+$/i)],
    NSAP_PTR: [name],
    NSEC: [name, mnemonics],
    NSEC3: [u8, u8, u16, word('a salt', /^(-|[0-9a-f]+)$/i), word('a hash', /^[0-9a-v]+$/i), mnemonics],
    NSEC3PARAM: [u8, u8, u16, word('a salt', /^(-|([0-9a-f]{2})+)$/i)],
    OPENPGPKEY: [base64],
    PTR: [name],
    PX: [u16, name, name],
    RESINFO: [strings],
    RP: [name, name],
    RRSIG: [kind, algorithm, u8, u32, date, date, u16, name, base64],
    RT: [u16, name],
    SIG: [kind, algorithm, u8, u32, date, date, u16, name, base64],
    SMIMEA: [u8, u8, u8, hex],
    SOA: [name, name, u32, u32, u32, u32, u32],
    SPF: [strings],
    SRV: [u16, u16, u16, name],
    SSHFP: [u8, u8, hex],
    SVCB: [u16, name, parameters],
    TA: [u16, algorithm, u8, hex],
    TLSA: [u8, u8, u8, hex],
    TXT: [strings],
    URI: [u16, u16, longText],
    WALLET: [strings],
    X25: [string],
    ZONEMD: [u32, u8, u8, hex],
  }),
)

/** Types without a form of their own here: their values are bytes (RFC 3597). */
const GENERIC: ReadonlySet<string> = new Set([
  ...['A6', 'APL', 'BRID', 'HHIT', 'NULL', 'NXT', 'TYPE0', 'UNSPEC', 'WKS'],
])

/** Whether there is a type of records with this name, in capitals. */
export const isType = (type: string): boolean => TYPES.has(type) || GENERIC.has(type)

/** Types with texts: without quotes, the whole value is one text, which may be longer than a character string. */
export const TEXTS: ReadonlySet<string> = new Set(['TXT', 'SPF', 'AVC', 'NINFO', 'RESINFO', 'WALLET'])

/** What the value of a record of the type means, or why it is wrong. `zone`: its zone, without a trailing dot. */
export function parseValue(type: string, value: string, zone: string): ParsedValue {
  const wrong = (why: string) => ({ problem: `The value is not valid for the type ${type}: ${why}.` })
  if (TEXTS.has(type) && !value.includes('"') && !value.startsWith('\\#')) return wholeText(value, wrong)
  const tokens = tokensOf(value.trim())
  if (!tokens) return wrong('quotes, escapes or semicolons outside of quotes are wrong')
  if (tokens.length === 0) return wrong('it is empty')
  if (tokens[0]?.text === '\\#') return generic(tokens, wrong)
  const parts = TYPES.get(type)
  if (!parts) return wrong('it has to be written as \\# and the length, followed by hexadecimal digits')
  const canonical: string[] = []
  const absolute: string[] = []
  let hasNames = false
  let index = 0
  for (const part of parts) {
    const taken = part.rest ? tokens.slice(index) : tokens.slice(index, index + 1)
    index += taken.length
    if (taken.length === 0 && part.rest !== 'any') return wrong(`${part.what} is missing`)
    const read: string[] = []
    for (const token of taken) {
      const result = part.read(token, zone)
      if (result === undefined) return wrong(`"${firstCharacters(token.text, 80)}" is not ${part.what}`)
      if (typeof result === 'string') {
        read.push(result)
        absolute.push(token.isQuoted ? `"${token.text}"` : token.text)
      } else {
        hasNames = true
        read.push(result.name.toLowerCase())
        absolute.push(result.name)
      }
    }
    canonical.push(part === hex || part === base64 ? read.join('') : read.join(' '))
  }
  if (index < tokens.length) return wrong('there is more than it may contain')
  return { canonical: canonical.join(' ').trim(), absolute: hasNames ? absolute.join(' ') : value }
}

/** A text without quotes, as character strings. */
function wholeText(value: string, wrong: (why: string) => ParsedValue): ParsedValue {
  const bytes = bytesOf(value)
  if (!bytes || bytes.length === 0 || /[\n\r\0]/.test(value)) return wrong('it is no text in one line')
  const parts: string[] = []
  for (let start = 0; start < bytes.length; start += LONGEST_STRING) {
    parts.push(quoted(bytes.subarray(start, start + LONGEST_STRING)))
  }
  return { canonical: parts.join(' '), absolute: value }
}

/** A value of any type as bytes (RFC 3597 §5): `\# 4 c0000201`. */
function generic(tokens: readonly Token[], wrong: (why: string) => ParsedValue): ParsedValue {
  const [, length, ...digits] = tokens
  const text = digits
    .map((token) => token.text)
    .join('')
    .toLowerCase()
  if (
    !/^\d{1,5}$/.test(length?.text ?? '') ||
    !/^([0-9a-f]{2})*$/.test(text) ||
    text.length !== Number(length?.text) * 2
  ) {
    return wrong('after \\# it needs the number of bytes, followed by as many as hexadecimal digits')
  }
  const canonical = `\\# ${Number(length?.text)} ${text}`
  return { canonical, absolute: canonical }
}
