/** What goes back to the client, before the headers that every answer has. */
export interface Answer {
  readonly status: number
  /** Absent: no body, as after a deletion. */
  readonly body?: string | Uint8Array
  /** Media type of the body; JSON where it is absent. */
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Values of Set-Cookie. */
  readonly cookies?: readonly string[]
}

/** The body as text; for JSON and HTML. */
export const textOf = ({ body }: Answer): string =>
  typeof body === 'string' ? body : Buffer.from(body ?? '').toString()

export const JSON_TYPE = 'application/json'
export const HTML_TYPE = 'text/html; charset=utf-8'

/** An answer whose body is JSON text already. */
export const ok = (body: string, headers: Answer['headers'] = {}): Answer => ({
  status: 200,
  body,
  headers,
})

export const json = (status: number, body: unknown, headers: Answer['headers'] = {}): Answer => ({
  status,
  body: JSON.stringify(body),
  headers,
})
