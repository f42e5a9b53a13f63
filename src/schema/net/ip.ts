import { isIPv4, isIPv6 } from 'node:net'

/** An address: its family and its value as a number of 32 or 128 bits. */
export interface Ip {
  readonly family: 4 | 6
  readonly value: bigint
}
/** An address with the length of its network. */
export interface Interface extends Ip {
  /** Number of leading bits that identify the network, 0–32 or 0–128. */
  readonly length: number
}

/** Number of bits of an address of the family. */
export const widthOf = (family: 4 | 6): 32 | 128 => (family === 4 ? 32 : 128)

/** Parses dotted quads and the forms of RFC 4291 §2.2; undefined for anything else, including zones. */
export function parseIp(text: string): Ip | undefined {
  if (isIPv4(text)) return { family: 4, value: quads(text) }
  if (!isIPv6(text) || text.includes('%')) return undefined
  const [head = '', tail] = text.split('::')
  const left = words(head)
  const right = tail === undefined ? [] : words(tail)
  const gap = new Array<bigint>(8 - left.length - right.length).fill(0n)
  const value = [...left, ...gap, ...right].reduce((sum, word) => (sum << 16n) | word, 0n)
  return { family: 6, value }
}

/** Parses `address` or `address/length`; the default length is the address's whole width. */
export function parseInterface(text: string): Interface | undefined {
  const [address = '', length, more] = text.split('/')
  const ip = parseIp(address)
  if (!ip || more !== undefined) return undefined
  const width = widthOf(ip.family)
  if (length === undefined) return { ...ip, length: width }
  if (!/^\d{1,3}$/.test(length) || Number(length) > width) return undefined
  return { ...ip, length: Number(length) }
}

/** As `parseInterface`, for a value of the database. Throws an error for anything else. */
export function storedInterface(text: string): Interface {
  const parsed = parseInterface(text)
  if (!parsed) throw new Error(`${text} is not a network`)
  return parsed
}

/** The interface's network: host bits cleared. */
export function networkOf({ family, value, length }: Interface): Interface {
  const host = BigInt(widthOf(family) - length)
  return { family, length, value: (value >> host) << host }
}

/** Last address of the network. */
export function lastOf({ family, value, length }: Interface): Ip {
  const host = BigInt(widthOf(family) - length)
  return { family, value: value | ((1n << host) - 1n) }
}

/** True if the interface's network contains the address. */
export const contains = (network: Interface, ip: Ip): boolean =>
  network.family === ip.family &&
  ip.value >> BigInt(widthOf(ip.family) - network.length) ===
    network.value >> BigInt(widthOf(ip.family) - network.length)

/** Text as PostgreSQL writes it: RFC 5952, IPv4 in its own form within ::/96 and ::ffff:0:0/96. */
export function formatIp({ family, value }: Ip): string {
  if (family === 4) return formatQuads(value)
  const parts = Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(16 * (7 - index))) & 0xffffn))
  const { start, length } = longestZeros(parts)
  if (start === 0 && (length === 6 || (length === 5 && parts[5] === 0xffff))) {
    return `${length === 6 ? '::' : '::ffff:'}${formatQuads(value & 0xffffffffn)}`
  }
  const hex = (list: readonly number[]) => list.map((group) => group.toString(16)).join(':')
  if (length < 2) return hex(parts)
  return `${hex(parts.slice(0, start))}::${hex(parts.slice(start + length))}`
}

/** As `formatIp`, with the length. */
export const formatInterface = (network: Interface): string => `${formatIp(network)}/${network.length}`

const quads = (text: string): bigint => text.split('.').reduce((sum, octet) => (sum << 8n) | BigInt(octet), 0n)

const formatQuads = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.')

/** The 16-bit words of one side of `::`. */
const words = (text: string): bigint[] =>
  text === ''
    ? []
    : text.split(':').flatMap((group) => {
        if (!group.includes('.')) return [BigInt(`0x${group}`)]
        const value = quads(group)
        return [value >> 16n, value & 0xffffn]
      })

function longestZeros(parts: readonly number[]): { start: number; length: number } {
  let best = { start: -1, length: 0 }
  for (let start = 0; start < parts.length; start += 1) {
    let end = start
    while (parts[end] === 0) end += 1
    if (end - start > best.length) best = { start, length: end - start }
  }
  return best
}
