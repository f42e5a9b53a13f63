import { translated } from './translated.client.ts'

/** A refusal of the API, or a request that did not reach it. The message is a text for users. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused'
  /** HTTP status; 0: the service cannot be reached. */
  readonly status: number
  /** Texts by field; under an empty name: about the request as a whole. */
  readonly byField: ReadonlyMap<string, string>

  constructor(status: number, byField: ReadonlyMap<string, string>) {
    super([...byField].map(([field, text]) => (field === '' ? text : `${field}: ${text}`)).join(' '))
    this.status = status
    this.byField = byField
  }
}

/** Parts of a request that most requests do not need. */
export interface RequestOptions {
  /** Sent as JSON; a `FormData` as a form with files. */
  readonly body?: unknown
  /** The JSON of the body, in place of `body`. */
  readonly json?: string | undefined
  /** Version of the object that the change is based on (`ETag`). */
  readonly ifMatch?: string
  readonly signal?: AbortSignal
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Path of the service before each of its paths: empty, or `/inventory`. */
export const basePath = (): string => document.body.dataset.basePath ?? ''

/** Names the branch that the page shows, for requests of its scripts; empty on main. */
export function branchHeader(): Readonly<Record<string, string>> {
  const { branch } = document.body.dataset
  return branch === undefined ? {} : { 'X-NetBox-Branch': branch }
}

/**
 * The response of the public API to the viewer. `path` is below the base path: `/api/dcim/devices/1/`. The caller declares
 * the type of the response, which is not checked; undefined for an empty response. Throws `RequestRefused`.
 */
export async function apiRequest<Answer = undefined>(
  method: Method,
  path: string,
  options?: RequestOptions,
): Promise<Answer> {
  return (await identifiedRequest<Answer>(method, path, options)).document
}

/** As `apiRequest`, with the id of the request, by which its changes can be undone. */
export async function identifiedRequest<Answer>(
  method: Method,
  path: string,
  { body, json, ifMatch, signal }: RequestOptions = {},
): Promise<{ readonly document: Answer; readonly requestId: string }> {
  const isForm = body instanceof FormData
  const text = isForm || body === undefined ? json : JSON.stringify(body)
  const sent = isForm ? body : text
  const response = await reach(`${basePath()}${path}`, {
    method,
    cache: 'no-store',
    headers: {
      Accept: 'application/json',
      ...branchHeader(),
      ...(text !== undefined && { 'Content-Type': 'application/json' }),
      ...(method !== 'GET' && { 'X-CSRFToken': csrfToken() }),
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    },
    ...(sent !== undefined && { body: sent }),
    ...(signal && { signal }),
  })
  const received = await response.text()
  const document: unknown = received === '' ? undefined : jsonIn(received)
  const requestId = response.headers.get('X-Request-ID') ?? ''
  if (response.ok) return { document: document as Answer, requestId } // declared by the caller
  throw new RequestRefused(response.status, textsByField(document, response.status))
}

/** Text for users for an error of `apiRequest`. */
export const requestErrorText = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function reach(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request)
  } catch (error) {
    if (request.signal?.aborted) throw error
    throw new RequestRefused(0, new Map([['', translated('The service cannot be reached.')]]))
  }
}

const csrfToken = (): string => document.cookie.match(/(?:^|; )csrftoken=([^;]*)/)?.[1] ?? ''

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Names under which the API reports errors that do not belong to a field. */
const WHOLE: ReadonlySet<string> = new Set(['__all__', 'non_field_errors', 'detail', 'error'])

function textsByField(document: unknown, status: number): ReadonlyMap<string, string> {
  const byField = new Map<string, string>()
  const add = (field: string, text: string): void => {
    const before = byField.get(field)
    byField.set(field, before === undefined ? text : `${before} ${text}`)
  }
  // Bulk requests are refused by a list, with an entry for each object.
  for (const part of [document].flat()) {
    if (typeof part === 'string') add('', part)
    else if (part !== null && typeof part === 'object') {
      for (const [name, messages] of Object.entries(part)) {
        for (const text of textsIn(messages)) add(WHOLE.has(name) ? '' : name, text)
      }
    }
  }
  if (byField.size === 0) add('', translated('The service responded with status {status}.', { status }))
  return byField
}

function textsIn(messages: unknown): readonly string[] {
  if (Array.isArray(messages)) return messages.flatMap(textsIn)
  if (messages === null || typeof messages !== 'object') return [String(messages)]
  return Object.entries(messages).flatMap(([name, inner]) => textsIn(inner).map((text) => `${name}: ${text}`))
}
