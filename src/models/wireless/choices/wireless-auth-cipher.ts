import { choices } from '../../../schema/choices.ts'

/** Ciphers of a wireless network. */
export const wirelessAuthCipher = choices([
  ['auto', 'Auto'],
  ['tkip', 'TKIP'],
  ['aes', 'AES'],
])
