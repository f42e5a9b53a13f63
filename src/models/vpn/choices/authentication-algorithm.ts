import { choices } from '../../../schema/choices.ts'

/** Authentication algorithms. */
export const authenticationAlgorithm = choices([
  ['hmac-sha1', 'SHA-1 HMAC'],
  ['hmac-sha256', 'SHA-256 HMAC'],
  ['hmac-sha384', 'SHA-384 HMAC'],
  ['hmac-sha512', 'SHA-512 HMAC'],
  ['hmac-md5', 'MD5 HMAC'],
])
