import { randomBytes } from 'node:crypto'
import type { Settings } from '../../config/settings.ts'
import type { Observed, Observer } from './observe.ts'
import { isProbe } from './request-log.ts'

/**
 * Milliseconds between two messages to the collector, spans per message, and spans that wait while it does not respond.
 */
const PERIOD = 5_000
const BATCH = 512
const MOST_WAITING = 2_048
/** Milliseconds. */
const TIMEOUT = 10_000

/** W3C Trace Context §3.2: version, trace, parent and flags. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/

type Value = { readonly stringValue: string } | { readonly intValue: string } | { readonly doubleValue: number }

interface Attribute {
  readonly key: string
  readonly value: Value
}

/**
 * Sends a span for each request to an OpenTelemetry collector, as OTLP over HTTP with JSON. Traces that the client does
 * not sample, and probes, are left out.
 */
export class Traces {
  readonly #url: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #resource: { readonly attributes: readonly Attribute[] }
  readonly #warn: (sentence: string) => void
  readonly #timer: NodeJS.Timeout
  #waiting: object[] = []
  #sending: Promise<void> | undefined
  #hasFailed = false

  constructor(endpoint: string, settings: Settings, version: string, warn: (sentence: string) => void) {
    this.#url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
    this.#headers = {
      'Content-Type': 'application/json',
      ...Object.fromEntries(settings.otelExporterOtlpHeaders.map(headerOf)),
    }
    this.#resource = {
      attributes: [text('service.name', settings.otelServiceName), text('service.version', version)],
    }
    this.#warn = warn
    this.#timer = setInterval(() => void this.#flush(), PERIOD).unref()
  }

  readonly observer: Observer = (observed) => {
    if (isProbe(observed.pattern)) return
    const [, traceId = randomBytes(16).toString('hex'), parentSpanId, flags = '01'] =
      TRACEPARENT.exec(observed.traceparent ?? '') ?? []
    const isSampled = (Number.parseInt(flags, 16) & 1) === 1
    if (!isSampled || this.#waiting.length >= MOST_WAITING) return
    this.#waiting.push(spanOf(observed, { traceId, parentSpanId }))
    if (this.#waiting.length >= BATCH) void this.#flush()
  }

  /** Sends what waits. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#sending
    await this.#flush()
  }

  #flush(): Promise<void> {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  async #send(): Promise<void> {
    if (this.#waiting.length === 0) return
    const spans = this.#waiting
    this.#waiting = []
    const scopeSpans = [{ scope: { name: 'cadastre' }, spans }]
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: this.#headers,
        body: JSON.stringify({ resourceSpans: [{ resource: this.#resource, scopeSpans }] }),
        signal: AbortSignal.timeout(TIMEOUT),
      })
      await response.text()
      if (!response.ok) throw new Error(`it returns status ${response.status}`)
      this.#hasFailed = false
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error
      const reason = cause instanceof Error ? cause.message : String(cause)
      if (!this.#hasFailed) this.#warn(`Traces cannot be sent to OTEL_EXPORTER_OTLP_ENDPOINT and are lost: ${reason}.`)
      this.#hasFailed = true
    }
  }
}

const text = (key: string, value: string): Attribute => ({ key, value: { stringValue: value } })
const whole = (key: string, value: number): Attribute => ({ key, value: { intValue: String(value) } })

/** `name=value` with escapes as in URLs. */
function headerOf(entry: string): readonly [string, string] {
  const [name = '', ...valueParts] = entry.split('=')
  return [name.trim(), decodeURIComponent(valueParts.join('=').trim())]
}

const SERVER = 2
const ERROR = 2

function spanOf(
  { id, method, url, pattern, status, milliseconds, userId, statements }: Observed,
  ids: { readonly traceId: string; readonly parentSpanId: string | undefined },
): object {
  const end = Date.now()
  return {
    ...{ ...ids, spanId: randomBytes(8).toString('hex'), kind: SERVER },
    name: pattern === undefined ? method : `${method} ${pattern}`,
    startTimeUnixNano: nanoseconds(end - milliseconds),
    endTimeUnixNano: nanoseconds(end),
    attributes: [
      text('http.request.method', method),
      ...(pattern === undefined ? [] : [text('http.route', pattern)]),
      // The query is left out, because it may contain secrets.
      text('url.path', url.split('?')[0] ?? ''),
      whole('http.response.status_code', status),
      text('cadastre.request_id', id),
      ...(userId === undefined ? [] : [text('user.id', String(userId))]),
      whole('cadastre.database.statements', statements?.count ?? 0),
      { key: 'cadastre.database.milliseconds', value: { doubleValue: statements?.milliseconds ?? 0 } },
    ],
    ...(status >= 500 && { status: { code: ERROR } }),
  }
}

const nanoseconds = (milliseconds: number): string => `${BigInt(Math.round(milliseconds * 1_000)) * 1_000n}`
