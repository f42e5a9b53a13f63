import { createHmac } from 'node:crypto'

/** Value of X-Hook-Signature: the hexadecimal HMAC-SHA512 of the body. */
export const signatureOf = (secret: string, body: Uint8Array): string =>
  createHmac('sha512', secret).update(body).digest('hex')
