import { choices } from '../../../schema/choices.ts'

/** Values of IPAddress Family. */
export const ipAddressFamily = choices([
  [4, 'IPv4'],
  [6, 'IPv6'],
])
