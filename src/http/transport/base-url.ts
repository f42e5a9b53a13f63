import { ApiError } from '../../errors.ts'

/** A name or an address, with a port or without; nothing that could end the URL that it becomes part of. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i

/**
 * Scheme, host and base path as the client sees them. Throws `malformed` for a host that is none: it
 * becomes part of every URL in the answer.
 */
export function baseUrl(protocol: string, host: string, basePath: string): string {
  if (!HOST.test(host)) {
    throw new ApiError({ kind: 'malformed', detail: 'The Host header is not a host name.' })
  }
  return `${protocol}://${host}${basePath}`
}
