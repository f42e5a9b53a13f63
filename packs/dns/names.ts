/** Names of the domain name system: their forms, their rules, and the networks that reverse zones stand for. */

import { domainToASCII, domainToUnicode } from 'node:url'
import { shortened } from 'cadastre'

const LONGEST_LABEL = 63
/** In the form of a text without its trailing dot. */
const LONGEST_NAME = 253

/** A name, or why a text is none, as a sentence. */
export type ParsedName = { readonly name: string } | { readonly problem: string }

/** Beginnings that only some types have: services, and what verifies them. */
const WITH_UNDERSCORE: ReadonlySet<string> = new Set([
  ...[
    'CNAME',
    'DNAME',
    'SRV',
    'SVCB',
    'HTTPS',
    'TLSA',
    'SMIMEA',
    'TXT',
    'NS',
    'PTR',
    'URI',
    'NAPTR',
    'OPENPGPKEY',
    'RP',
  ],
])

/** The labels in the stored form: other alphabets as punycode (RFC 5891), everything else as it is written. */
function asciiLabel(label: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with control characters
  return /^[\x00-\x7f]*$/.test(label) ? label : domainToASCII(label.normalize('NFC'))
}

interface NameOptions {
  /** The type of the record with this name, which decides about underscores; absent for zones. */
  readonly type?: string
  /** The first label may be an asterisk. */
  readonly hasWildcard?: boolean
  /** The name is part of a value: it leads to names that others may have chosen, with underscores anywhere. */
  readonly isTarget?: boolean
}

/** The name in its stored form, without a trailing dot. */
export function parseName(text: string, { type, hasWildcard = false, isTarget = false }: NameOptions = {}): ParsedName {
  const problem = (why: string) => ({ problem: `${shown(text)} is not a valid name: ${why}.` })
  const relative = text.endsWith('.') ? text.slice(0, -1) : text
  if (relative === '') return problem('it is empty')
  // Nobody writes so long a name in any alphabet, and its conversion takes time.
  if (text.length > 4 * LONGEST_NAME) return problem('it is too long')
  const labels = relative.split(/[.\u3002\uff0e\uff61]/)
  const ascii: string[] = []
  for (const [index, label] of labels.entries()) {
    if (label === '') return problem('it has an empty label')
    if (label === '*' && index === 0 && (hasWildcard || isTarget)) {
      ascii.push(label)
      continue
    }
    const converted = asciiLabel(label)
    if (converted === '') return problem(`${shown(label)} cannot be converted to ASCII`)
    if (converted.length > LONGEST_LABEL) return problem(`a label has at most ${LONGEST_LABEL} characters`)
    const hasUnderscore = type === undefined || WITH_UNDERSCORE.has(type)
    const complaint = isTarget ? targetProblem(converted) : labelProblem(converted, hasUnderscore)
    if (complaint !== undefined) return problem(complaint)
    ascii.push(converted)
  }
  const name = ascii.join('.')
  return name.length > LONGEST_NAME ? problem(`it has more than ${LONGEST_NAME} characters`) : { name }
}

/** Why the label cannot be used; the slash is that of classless reverse zones (RFC 2317). */
function labelProblem(label: string, hasUnderscore: boolean): string | undefined {
  const body = hasUnderscore && label.startsWith('_') ? label.slice(1) : label
  if (!/^[a-z0-9]([a-z0-9/-]*[a-z0-9])?$/i.test(body)) {
    return `${shown(label)} may only have letters, digits and hyphens, with none at its ends`
  }
  return /^..--/.test(label) && !/^xn--/i.test(label)
    ? `only "xn--" may have two hyphens in the third place`
    : undefined
}

const targetProblem = (label: string): string | undefined =>
  /^[a-z0-9_/+*-]+$/i.test(label) ? undefined : `${shown(label)} has characters that names cannot have`

const shown = (text: string): string => `"${shortened(text, 81)}"`

/** The name for people: punycode in its own alphabet. */
export const unicodeName = (name: string): string =>
  name
    .split('.')
    .map((label) => (/^xn--/i.test(label) ? domainToUnicode(label) || label : label))
    .join('.')

/** The name below the zone, `@` for the zone itself; undefined for a name outside of it. Both without trailing dots. */
export function relativeTo(zone: string, name: string): string | undefined {
  const [inner, outer] = [name.toLowerCase(), zone.toLowerCase()]
  if (inner === outer) return '@'
  return inner.endsWith(`.${outer}`) ? name.slice(0, -outer.length - 1) : undefined
}

/** The whole name, with a trailing dot, of a name below a zone. */
export const absoluteName = (name: string, zone: string): string => {
  if (name.endsWith('.')) return name
  return name === '@' ? `${zone}.` : `${name}.${zone}.`
}

/**
 * The network that a reverse zone stands for, such as 192.0.2.0/24 for 2.0.192.in-addr.arpa; null for all other names.
 */
export function reverseNetwork(zone: string): string | null {
  const name = zone.toLowerCase()
  if (name.endsWith('.in-addr.arpa')) {
    const octets = name.slice(0, -'.in-addr.arpa'.length).split('.').reverse()
    if (octets.length > 4 || !octets.every((octet) => /^(0|[1-9]\d{0,2})$/.test(octet) && Number(octet) < 256))
      return null
    const padded = [...octets, ...Array<string>(4 - octets.length).fill('0')]
    return `${padded.join('.')}/${octets.length * 8}`
  }
  if (name.endsWith('.ip6.arpa')) {
    const digits = name.slice(0, -'.ip6.arpa'.length).split('.').reverse()
    if (digits.length > 32 || !digits.every((digit) => /^[0-9a-f]$/.test(digit))) return null
    const groups = digits.join('').padEnd(32, '0').match(/.{4}/g) ?? []
    return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}/${digits.length * 4}`
  }
  return null
}
