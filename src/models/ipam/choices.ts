import { choices } from '../../schema/choices.ts'

/** IP versions of an address. */
export const ipAddressFamily = choices([
  [4, 'IPv4'],
  [6, 'IPv6'],
])

/** Protocols of a service. */
export const serviceProtocol = choices([
  ['tcp', 'TCP'],
  ['udp', 'UDP'],
  ['sctp', 'SCTP'],
])
