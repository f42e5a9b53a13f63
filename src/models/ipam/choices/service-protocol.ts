import { choices } from '../../../schema/choices.ts'

/** Protocols of a service. */
export const serviceProtocol = choices([
  ['tcp', 'TCP'],
  ['udp', 'UDP'],
  ['sctp', 'SCTP'],
])
