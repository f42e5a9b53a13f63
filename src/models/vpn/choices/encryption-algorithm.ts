import { choices } from '../../../schema/choices.ts'

/** Encryption algorithms. */
export const encryptionAlgorithm = choices([
  ['aes-128-cbc', '128-bit AES (CBC)'],
  ['aes-128-gcm', '128-bit AES (GCM)'],
  ['aes-192-cbc', '192-bit AES (CBC)'],
  ['aes-192-gcm', '192-bit AES (GCM)'],
  ['aes-256-cbc', '256-bit AES (CBC)'],
  ['aes-256-gcm', '256-bit AES (GCM)'],
  ['3des-cbc', '3DES'],
  ['des-cbc', 'DES'],
])
