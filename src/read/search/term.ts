import { formatInterface, formatIp, networkOf, parseInterface, widthOf } from '../../schema/net/ip.ts'
import { parseHardwareAddress } from '../query/parse-hardware-address.ts'

/** A term with its meanings besides the text. */
export interface Term {
  readonly text: string
  readonly address: AddressTerm | undefined
  /** A complete hardware address, as entries spell it. */
  readonly hardwareAddress: string | undefined
  /** A part of one in another spelling (`aa-bb`, `aabb.c`), as entries spell it. */
  readonly partOfHardwareAddress: string | undefined
}

export interface AddressTerm {
  /** The address without a length. */
  readonly host: string
  /** The network with its length; for a single address, the full length. */
  readonly network: string
  /** No shorter length was given. */
  readonly isHost: boolean
}

/** The term with this text. */
export function parseTerm(text: string): Term {
  const complete = parseHardwareAddress(text, 6) ?? parseHardwareAddress(text, 8)
  return {
    text,
    address: parseAddress(text),
    hardwareAddress: complete?.toUpperCase(),
    partOfHardwareAddress: partOfHardwareAddress(text),
  }
}

function parseAddress(text: string): AddressTerm | undefined {
  const address = parseInterface(text)
  if (!address) return undefined
  return {
    host: formatIp(address),
    network: formatInterface(networkOf(address)),
    isHost: address.length === widthOf(address.family),
  }
}

/**
 * Groups separated by hyphens or points, complete except for the last one, or at least half an address without
 * separators.
 */
const PARTS = /^(?:(?:[0-9a-f]{2}-)+[0-9a-f]{0,2}|(?:[0-9a-f]{4}\.)+[0-9a-f]{0,4}|[0-9a-f]{6,})$/i

function partOfHardwareAddress(text: string): string | undefined {
  if (!PARTS.test(text)) return undefined
  const digits = text.replace(/[-.]/g, '').toUpperCase()
  return digits.length > 16 ? undefined : digits.match(/..?/g)?.join(':')
}
