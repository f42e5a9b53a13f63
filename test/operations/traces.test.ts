import { createServer } from 'node:http'
import { Writable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startApi } from '../support/api.ts'
import { freePort } from '../support/free-port.ts'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]
  readonly status?: { readonly code: number }
}

/** A message of OTLP. */
interface Message {
  readonly resourceSpans: readonly {
    readonly resource: Pick<Span, 'attributes'>
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
  }[]
}

const valuesOf = ({ attributes }: Pick<Span, 'attributes'>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** A collector that answers with this status, and what it has received. */
async function collectorOfTest(status = 200) {
  const messages: Message[] = []
  const requests: { readonly url: string | undefined; readonly key: unknown; readonly type: string | undefined }[] = []
  const server = createServer(async (request, response) => {
    requests.push({ url: request.url, key: request.headers['x-key'], type: request.headers['content-type'] })
    messages.push((await json(request)) as Message)
    response.writeHead(status).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return { url: `http://127.0.0.1:${port}`, requests, messages }
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

describe('traces', () => {
  it('have a span for each request, within the trace of the client', async () => {
    const collector = await collectorOfTest()
    const api = await startApi({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20secret',
      OTEL_SERVICE_NAME: 'inventory',
    })
    const ask = (path: string, flags?: string) =>
      api.ask('GET', path, {
        headers: flags === undefined ? {} : { traceparent: `00-${TRACE}-${PARENT}-${flags}` },
      })
    const begin = Date.now()
    await ask('/api/dcim/sites/?q=hidden', '01')
    await ask('/api/dcim/sites/', '00')
    await ask('/api/dcim/sites/7/')
    await ask('/health/live')
    await api.ask('GET', '/api/dcim/sites/', { token: null, headers: { traceparent: 'nonsense' } })
    await api.close()

    expect(collector.requests).toEqual([{ url: '/v1/traces', key: 'a secret', type: 'application/json' }])
    const [resourceSpans] = collector.messages[0]?.resourceSpans ?? []
    expect(resourceSpans && valuesOf(resourceSpans.resource)).toMatchObject({ 'service.name': 'inventory' })
    const spans = resourceSpans?.scopeSpans[0]?.spans ?? []
    expect(spans.map((span) => valuesOf(span)['http.response.status_code'])).toEqual(['200', '404', '403'])
    const [listed, detail, anonymous] = spans
    expect(listed).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, kind: 2 })
    expect(listed?.spanId).toMatch(/^[\da-f]{16}$/)
    const [start, end] = [listed?.startTimeUnixNano, listed?.endTimeUnixNano].map((time) => Number(time) / 1_000_000)
    expect(start).toBeGreaterThanOrEqual(begin - 1)
    expect(end).toBeGreaterThanOrEqual(start ?? 0)
    const values = listed && valuesOf(listed)
    expect(values).toMatchObject({
      'http.request.method': 'GET',
      'http.route': expect.stringContaining('/api/dcim/sites/'),
      'url.path': '/api/dcim/sites/',
      'user.id': '1',
    })
    expect(Number(values?.['cadastre.database.statements'])).toBeGreaterThan(0)
    expect(values?.['cadastre.database.milliseconds']).toBeGreaterThan(0)
    expect(detail?.traceId).toMatch(/^[\da-f]{32}$/)
    expect(detail).not.toHaveProperty('parentSpanId')
    expect(anonymous && valuesOf(anonymous)).not.toHaveProperty('user.id')
    // They contain neither names nor queries.
    expect(JSON.stringify(collector.messages)).not.toMatch(/admin|hidden/)
  })
})

describe('a collector that does not work', () => {
  it.each([
    ['refuses', async () => (await collectorOfTest(503)).url, 'it returns status 503'],
    ['is not there', async () => `http://127.0.0.1:${await freePort()}`, 'ECONNREFUSED'],
  ])('and %s is reported in the log, and requests succeed', async (_what, url, reason) => {
    let output = ''
    const log = new Writable({
      write: (line, _encoding, done) => {
        output += line
        done()
      },
    })
    const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: await url(), LOG_LEVEL: 'warn' }
    const api = await startApi(environment, log)
    expect((await api.ask('GET', '/api/dcim/sites/')).status).toBe(200)
    await api.close()
    expect(output).toContain('Traces cannot be sent to OTEL_EXPORTER_OTLP_ENDPOINT and are lost')
    expect(output).toContain(reason)
  })
})
