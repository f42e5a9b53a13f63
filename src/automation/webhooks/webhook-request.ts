import { createHmac } from 'node:crypto'
import type { ApiVersion } from '../../base/api-version.ts'
import { PROGRAM_VERSION } from '../../config/program-version.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../schema/json.ts'
import { pythonJson } from '../../schema/python-json.ts'
import { AttemptFailure } from './attempt-failure.ts'

/** Value of X-Hook-Signature: the hexadecimal HMAC-SHA512 of the body. */
export const signatureOf = (secret: string, body: Uint8Array): string =>
  createHmac('sha512', secret).update(body).digest('hex')

/** The part of a webhook that determines its requests. */
export interface WebhookTemplate {
  readonly url: string
  readonly method: string
  readonly contentType: string
  readonly headers: string
  readonly body: string
  readonly secret: string
}

/** An event in the form stored with deliveries; `data`, `request` and `snapshots` are JSON texts. */
export interface DeliveredEvent {
  readonly event: string
  readonly timestamp: string
  readonly objectType: string
  /** Null for events of the service itself. */
  readonly username: string | null
  readonly requestId: string | null
  readonly data: string
  /** Null if no HTTP request caused the event. */
  readonly request: string | null
  /** Null for events of jobs. */
  readonly snapshots: string | null
  /** Field and value of the date that has been reached; null for other events. */
  readonly date: string | null
  /** JSON text of an object whose values those of `data` override; null if the rule has none. */
  readonly actionData: string | null
}

/** A request that is ready to be sent. */
export interface PreparedRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Renders a template. `singleLine`: line breaks in values become spaces. Throws AttemptFailure. */
export type RenderText = (
  template: string,
  context: JsonObject,
  options: { readonly singleLine: boolean },
) => Promise<string>

/** The request of a delivery. Throws AttemptFailure if a template fails or the URL is invalid. */
export async function prepareRequest(
  template: WebhookTemplate,
  event: DeliveredEvent,
  deliveryId: string,
  { version, render }: { readonly version: ApiVersion; readonly render: RenderText },
): Promise<PreparedRequest> {
  const context = BODIES[version](event)
  let parsed: JsonObject | undefined
  const rendered = async (text: string, singleLine: boolean): Promise<string> => {
    if (!TEMPLATE.test(text)) return text
    parsed ??= parseJson(context) as JsonObject // made of JSON texts
    return await render(text, parsed, { singleLine })
  }
  const url = urlOf(await rendered(template.url, true))
  const headerList = headersOf(await rendered(template.headers, true))
  const body = Buffer.from(template.body.trim() === '' ? pythonJson(context) : await rendered(template.body, false))
  const headers = new Map<string, readonly [string, string]>()
  const set = (name: string, value: string) => headers.set(name.toLowerCase(), [name, value])
  set('Accept-Encoding', 'identity')
  set('User-Agent', `Cadastre/${PROGRAM_VERSION}`)
  set('Content-Type', template.contentType)
  for (const [name, value] of headerList) set(name, value)
  if (template.secret !== '') set('X-Hook-Signature', signatureOf(template.secret, body))
  set('X-Hook-Delivery', deliveryId)
  return { url, method: template.method, headers: Object.fromEntries(headers.values()), body }
}

const TEMPLATE = /\{\{|\{%|\{#/

/** Names of events in requests: those of NetBox 4.6.8. */
const EVENT_NAMES: Readonly<Record<string, string>> = {
  object_created: 'created',
  object_updated: 'updated',
  object_deleted: 'deleted',
  job_started: 'job_started',
  job_completed: 'job_ended',
  job_failed: 'job_ended',
  job_errored: 'job_ended',
}

/** JSON text of the names available to templates and of the default body, in an API version. */
const BODIES: Readonly<Record<ApiVersion, (event: DeliveredEvent) => string>> = {
  '4.6': (event) =>
    bodyText(
      { ...headOf(event), username: event.username, request_id: event.requestId },
      { ...event, request: event.request && withoutParameters(event.request) },
    ),
  '4.7': (event) => bodyText(headOf(event), { ...event, request: event.request && fullRequest(event.request) }),
}

const headOf = (event: DeliveredEvent) => ({
  event: EVENT_NAMES[event.event] ?? event.event,
  timestamp: event.timestamp.replace(/Z$/, '+00:00'),
  object_type: event.objectType,
})

function bodyText(head: JsonObject, event: DeliveredEvent): string {
  const request = event.request === null ? '' : `,"request":${event.request}`
  const snapshots = event.snapshots === null ? '' : `,"snapshots":${event.snapshots}`
  const date = event.date === null ? '' : `,"date":${event.date}`
  return `${JSON.stringify(head).slice(0, -1)},"data":${dataText(event)}${request}${snapshots}${date}}`
}

function withoutParameters(text: string): string {
  if (!text.includes('"GET"')) return text
  const { GET: _parameters, ...request } = parseJson(text) as JsonObject // as events store it
  return JSON.stringify(request)
}

/** The HTTP request with its path under both names, and its parameters. */
function fullRequest(text: string): string {
  const { id, path, method, GET = {}, user } = parseJson(text) as JsonObject // as events store it
  return JSON.stringify({ id, path, path_info: path, method, GET, user })
}

function dataText({ data, actionData }: DeliveredEvent): string {
  if (actionData === null) return data
  const [template, payload] = [parseJson(actionData) as Json, parseJson(data) as Json]
  return isJsonObject(template) && isJsonObject(payload) ? JSON.stringify({ ...template, ...payload }) : data
}

function urlOf(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new AttemptFailure('The URL does not begin with http:// or https://.')
  }
  return url
}

/** Headers that describe the message itself, which only the HTTP client may set. */
const FRAMING: ReadonlySet<string> = new Set(['connection', 'content-length', 'expect', 'transfer-encoding', 'upgrade'])

/** Headers from lines such as `Name: value`; other lines are skipped. */
function headersOf(text: string): (readonly [string, string])[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0)).trim()
    if (name === '' || FRAMING.has(name.toLowerCase())) return []
    return [[name, line.slice(colon + 1).trim()] as const]
  })
}
