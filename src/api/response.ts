/** A response before the common headers are added. */
export interface HttpResponse {
  readonly status: number
  /** Absent: no body, as after a deletion. An iterable of parts is for bodies that are too large to build at once. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>
  /** Media type of the body; JSON if it is absent. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Values of Set-Cookie. */
  readonly cookies?: readonly string[]
}

/** A response whose body, if it has one, is complete. */
export type WholeResponse = Omit<HttpResponse, 'body'> & { readonly body?: string | Uint8Array }

/** The response with all parts of its body joined. */
export async function wholeResponse(response: HttpResponse): Promise<WholeResponse> {
  const { body, ...head } = response
  if (body === undefined) return head
  if (isWhole(body)) return { ...head, body }
  const parts: Uint8Array[] = []
  for await (const chunk of body) parts.push(chunk)
  return { ...head, body: Buffer.concat(parts) }
}

export const isWhole = (body: NonNullable<HttpResponse['body']>): body is string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array

/** The body as text; for JSON and HTML. */
export const bodyText = ({ body }: WholeResponse): string =>
  typeof body === 'string' ? body : Buffer.from(body ?? '').toString()

export const JSON_TYPE = 'application/json'
export const HTML_TYPE = 'text/html; charset=utf-8'

/** A response whose body is already JSON. */
export const okResponse = (
  body: NonNullable<HttpResponse['body']>,
  headers: HttpResponse['headers'] = {},
): HttpResponse => ({
  status: 200,
  body,
  headers,
})

export const jsonResponse = (status: number, body: unknown, headers: HttpResponse['headers'] = {}): WholeResponse => ({
  status,
  body: JSON.stringify(body),
  headers,
})

/** A response with the keys of tokens: it must not be cached, and is not compressed (transport/compression.ts). */
export const secretResponse = (response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, 'Cache-Control': 'no-store' },
})
