import { choices } from '../../../schema/choices.ts'

/** Values of wireless Auth Cipher. */
export const wirelessAuthCipher = choices([
  ['auto', 'Auto'],
  ['tkip', 'TKIP'],
  ['aes', 'AES'],
])
