import { ApiError } from '../../base/errors.ts'

/** A host name or address, with or without a port, without characters that could end the URL it becomes part of. */
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i

/**
 * Scheme, host and base path as the client sees them. Throws `malformed` for an invalid host, which would become part
 * of every URL in the response.
 */
export function baseUrl(protocol: string, host: string, basePath: string): string {
  if (!HOST.test(host)) {
    throw new ApiError({ kind: 'malformed', detail: 'The Host header is not a host name.' })
  }
  return `${protocol}://${host}${basePath}`
}
