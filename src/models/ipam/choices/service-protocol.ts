import { choices } from '../../../schema/choices.ts'

/** Values of service Protocol. */
export const serviceProtocol = choices([
  ['tcp', 'TCP'],
  ['udp', 'UDP'],
  ['sctp', 'SCTP'],
])
