import { type IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Names in which capitals are not only at the start of each word. */
const SPECIAL: Readonly<Record<string, string>> = {
  'api-version': 'API-Version',
  etag: 'ETag',
  'www-authenticate': 'WWW-Authenticate',
  'x-request-id': 'X-Request-ID',
}

const written = new Map<string, string>()

/** The name as specifications and NetBox write it: `API-Version`, `Content-Type`. */
function writtenName(name: string): string {
  const cached = written.get(name)
  if (cached !== undefined) return cached
  const lower = name.toLowerCase()
  const result = SPECIAL[lower] ?? lower.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase())
  written.set(name, result)
  return result
}

/**
 * Writes the names of headers as specifications do. The framework sends them in lower case, but some clients store them
 * in a plain dictionary and look for `API-Version`.
 */
export class NamedHeaders<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  override setHeader(name: string, value: number | string | readonly string[]): this {
    return super.setHeader(writtenName(name), value)
  }

  override writeHead(status: number, ...parameters: unknown[]): this {
    const headers = parameters.at(-1)
    if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
      return super.writeHead(status, ...(parameters as [string]))
    }
    const renamed: OutgoingHttpHeaders = {}
    for (const [name, value] of Object.entries(headers)) renamed[writtenName(name)] = value
    return super.writeHead(status, ...(parameters.slice(0, -1) as []), renamed)
  }
}
