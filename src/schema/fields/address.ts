import { sql } from '../../sql/fragment.ts'
import { formatInterface, networkOf, parseInterface } from '../net/ip.ts'
import { accept, refuse } from '../outcome.ts'
import { builder, type OptionsOf, PLAIN_TEXT, quotePlain, type ScalarKind, type Stored, type ValueOf } from './kind.ts'

/** Filter by host addresses. */
export interface AddressField<Value = string> extends Stored<'address', Value> {
  /** All values are hosts: those of a network form a range, which an ordinary index finds. */
  readonly isHost?: boolean
}

/** Address of a host with the mask length of its network: 192.0.2.1/24. */
export const address = <const O extends OptionsOf<AddressField>>(options: O): AddressField<ValueOf<string, O>> =>
  builder<AddressField>('address')(options)

const AS_TEXT: ScalarKind<Stored<string, unknown>>['graphql'] = {
  type: () => 'String',
  lookup: () => ['StrFilterLookup', 'text'],
}

export const addressKind: ScalarKind<AddressField<unknown>> = {
  ...PLAIN_TEXT,
  options: { isHost: true },
  columnType: () => 'inet',
  parse: (_field, input) => {
    const parsed = typeof input === 'string' ? parseInterface(input.trim()) : undefined
    return parsed
      ? accept(formatInterface(parsed))
      : refuse('Enter an IPv4 or IPv6 address with an optional mask length.')
  },
  // Unlike the type's own output, the function keeps the length of a host: 192.0.2.1/32.
  select: (column) => sql`text(${column})`,
  metadata: () => ({ type: 'string' }),
  graphql: AS_TEXT,
}

/** Network without host bits: PostgreSQL cidr. */
export interface NetworkField<Value = string> extends Stored<'network', Value> {}

/** Network with its mask length, host bits zero: 192.0.2.0/24. */
export const network = <const O extends OptionsOf<NetworkField>>(options: O): NetworkField<ValueOf<string, O>> =>
  builder<NetworkField>('network')(options)

export const networkKind: ScalarKind<NetworkField<unknown>> = {
  ...PLAIN_TEXT,
  options: {},
  columnType: () => 'cidr',
  parse: (_field, input) => {
    const parsed = typeof input === 'string' ? parseInterface(input.trim()) : undefined
    if (!parsed) return refuse('Enter an IPv4 or IPv6 network in CIDR notation.')
    const network = networkOf(parsed)
    return parsed.value === network.value
      ? accept(formatInterface(network))
      : refuse(`${input} is an address within ${formatInterface(network)}, not a network.`)
  },
  metadata: () => ({ type: 'string' }),
  graphql: AS_TEXT,
}

/** MAC address (macaddr, 6 bytes) or world wide name (macaddr8, 8 bytes). */
export interface HardwareAddressField<Value = string> extends Stored<'hardwareAddress', Value> {
  readonly bytes: 6 | 8
}

/** Hardware address of 6 or 8 bytes, upper case with colons. */
export const hardwareAddress = <const O extends OptionsOf<HardwareAddressField>>(
  options: O,
): HardwareAddressField<ValueOf<string, O>> => builder<HardwareAddressField>('hardwareAddress')(options)

const HARDWARE_ADDRESS =
  /^([0-9a-f]{1,2}[:-])+[0-9a-f]{1,2}$|^([0-9a-f]{4}[.:-])+[0-9a-f]{4}$|^[0-9a-f]{6}-[0-9a-f]{6}$/i

export const hardwareAddressKind: ScalarKind<HardwareAddressField<unknown>> = {
  ...PLAIN_TEXT,
  options: { bytes: true },
  columnType: ({ bytes }) => (bytes === 6 ? 'macaddr' : 'macaddr8'),
  parse: ({ bytes }, input) => {
    const text = typeof input === 'string' ? input.trim() : ''
    const digits = text.replace(/[:.-]/g, '')
    const isWellFormed =
      digits.length === bytes * 2 && /^[0-9a-f]+$/i.test(digits) && (text === digits || HARDWARE_ADDRESS.test(text))
    return isWellFormed
      ? accept((digits.toUpperCase().match(/../g) ?? []).join(':'))
      : refuse(`Enter a hardware address of ${bytes} bytes.`)
  },
  text: () => (value) => quotePlain(String(value).toUpperCase()),
  filter: (path) => ({ kind: 'hardwareAddress', path }),
  metadata: ({ bytes }) => ({ type: bytes === 6 ? 'field' : 'string' }),
  graphql: AS_TEXT,
}
