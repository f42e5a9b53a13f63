import { SourceError } from './source-error.ts'

/** True if the argument of an import is the address of a service rather than a directory. */
export const isAddress = (text: string): boolean => /^https?:\/\//i.test(text)

/** The address of a service without a trailing slash; `/api/` at its end is optional. Throws SourceError. */
export function parseAddress(text: string): string {
  if (!isAddress(text) || !URL.canParse(text)) {
    throw new SourceError('Enter the address of a service: https://<name>/.')
  }
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') {
    throw new SourceError('The address must not contain a user name or password; use an API token.')
  }
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/api$/, '')
}

/** The Authorization header for a token of either version. Throws SourceError. */
export function authorizationFor(token: string): string {
  // The message must not contain the token, as that of fetch would for a token with a line break.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new SourceError('The token contains spaces or other characters that are not allowed.')
  }
  return token.startsWith('nbt_') ? `Bearer ${token}` : `Token ${token}`
}
