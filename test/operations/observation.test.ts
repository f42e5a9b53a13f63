import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp } from '../../src/app/app.ts'
import { coreOver } from '../../src/app/core.ts'
import { loadSecrets } from '../../src/config/secrets.ts'
import { readSettings } from '../../src/config/settings.ts'
import { ADMIN_TOKEN, apiOfTest } from '../support/api.ts'
import { openTestDatabase } from '../support/database.ts'
import { directoryOfTest } from '../support/directory.ts'

/** The program with a log that can be read. */
async function logged(environment: Readonly<Record<string, string>>) {
  const lines: string[] = []
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: directoryOfTest(),
    SUPERUSER_PASSWORD: 'a-long-Passw0rd',
    SUPERUSER_API_TOKEN: ADMIN_TOKEN,
    ...environment,
  })
  const secrets = loadSecrets(settings, () => undefined)
  const core = await coreOver(await openTestDatabase('migrated'), settings, secrets)
  const log = new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line))
      done()
    },
  })
  const app = await createApp(core, pino({ level: settings.logLevel }, log))
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= app.close()
    return closing
  }
  onTestFinished(close)
  const url = await app.listen()
  return {
    ask: async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(url + path, init)
      await answer.text()
      return answer
    },
    /** Lines of requests, after the end of the program. */
    requests: async (): Promise<readonly Record<string, unknown>[]> => {
      await close()
      return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    },
    text: () => lines.join(''),
  }
}

const authorization = { authorization: `Token ${ADMIN_TOKEN}` }

describe('the log', () => {
  it('has a line for each request', async () => {
    const { ask, requests } = await logged({})
    const { headers } = await ask('/api/dcim/sites/?q=x', { headers: authorization })
    await ask('/api/dcim/sites/')
    await ask('/nowhere/')
    expect(await requests()).toEqual([
      expect.objectContaining({
        level: 30,
        request: headers.get('x-request-id'),
        method: 'GET',
        url: '/api/dcim/sites/?q=x',
        status: 200,
        ms: expect.any(Number),
        user: 'admin',
        address: '127.0.0.1',
      }),
      expect.not.objectContaining({ user: expect.anything() }),
      expect.objectContaining({ url: '/nowhere/', status: 404 }),
    ])
  })

  it.each([
    { environment: { REQUEST_LOG_LEVEL: 'off' }, lines: 0 },
    { environment: { LOG_LEVEL: 'warn' }, lines: 0 },
    { environment: { LOG_LEVEL: 'warn', REQUEST_LOG_LEVEL: 'warn' }, lines: 2 },
    { environment: { LOG_LEVEL: 'debug', REQUEST_LOG_LEVEL: 'debug' }, lines: 2 },
  ])('has $lines lines for two requests with $environment', async ({ environment, lines }) => {
    const { ask, requests } = await logged(environment)
    await ask('/api/schema/')
    await ask('/api/schema/')
    expect(await requests()).toHaveLength(lines)
  })

  it.each([
    { level: 'info', lines: 0 },
    { level: 'debug', lines: 1 },
  ])('has $lines lines for a probe at the level $level', async ({ level, lines }) => {
    const { ask, requests } = await logged({ LOG_LEVEL: level })
    await ask('/health/ready')
    expect(await requests()).toHaveLength(lines)
  })

  it('contains none of the secrets in requests', async () => {
    const { ask, requests, text } = await logged({ LOG_LEVEL: 'trace' })
    const secret = 'Wr0ng-and-secret'
    await ask('/api/users/tokens/provision/', {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: `sessionid=${secret}` },
      body: JSON.stringify({ username: 'admin', password: secret }),
    })
    await ask(`/api/dcim/sites/?token=${secret}`, { headers: authorization })
    await ask('/api/dcim/sites/', { headers: { authorization: `Bearer ${secret}` } })
    await ask('/api/users/tokens/provision/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: 'a-long-Passw0rd' }),
    })
    await requests()
    for (const word of [secret, ADMIN_TOKEN, 'a-long-Passw0rd']) expect(text()).not.toContain(word)
  })
})

describe('/metrics', () => {
  it('shows the end of the stream of events, and how far its positions lag behind', async () => {
    const api = await apiOfTest({ METRICS_ENABLED: 'true' })
    const metrics = async () =>
      (await api.ask('GET', '/metrics')).text.match(/^cadastre_events_(position|waiting) \d+$/gm)
    await api.ask('POST', '/api/dcim/sites/', { body: { name: 'Ams', slug: 'ams' } })
    expect(await metrics()).toEqual(['cadastre_events_position 0', 'cadastre_events_waiting 1'])
    await api.background.runUntilIdle()
    expect(await metrics()).toEqual(['cadastre_events_position 1', 'cadastre_events_waiting 0'])
  })

  it('counts requests by the pattern of their path', async () => {
    const api = await apiOfTest({ METRICS_ENABLED: 'true' })
    await api.ask('GET', '/api/dcim/sites/7/')
    await api.ask('GET', '/api/dcim/sites/')
    await api.ask('GET', '/api/dcim/sites/')
    await api.ask('GET', '/made/up/')
    const { status, headers, text } = await api.ask('GET', '/metrics')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    const lines = text.split('\n')
    const requests = 'cadastre_http_requests_total'
    expect(lines).toEqual(
      expect.arrayContaining([
        `${requests}{method="GET",route="/api/dcim/sites/:id/",status="4xx"} 1`,
        `${requests}{method="GET",route="/api/dcim/sites/",status="2xx"} 2`,
        `${requests}{method="GET",route="none",status="4xx"} 1`,
        'cadastre_http_request_duration_seconds_count{method="GET",route="/api/dcim/sites/"} 2',
        expect.stringMatching(/^cadastre_cache_lookups_total\{outcome="hit"\} \d+$/),
        expect.stringMatching(/^nodejs_eventloop_lag_seconds /),
        expect.stringMatching(/^process_resident_memory_bytes /),
      ]),
    )
    expect(text).toContain('cadastre_database_connections{state="open"}')
  })

  it.each([
    { environment: {}, token: ADMIN_TOKEN, status: 404 },
    { environment: { METRICS_ENABLED: 'true' }, token: null, status: 403 },
    { environment: { METRICS_ENABLED: 'true', LOGIN_REQUIRED: 'false' }, token: null, status: 403 },
    {
      environment: { METRICS_ENABLED: 'true', METRICS_LOGIN_REQUIRED: 'false' },
      token: null,
      status: 200,
    },
  ])('responds with $status to the token $token with $environment', async (given) => {
    const api = await apiOfTest(given.environment)
    expect((await api.ask('GET', '/metrics', { token: given.token })).status).toBe(given.status)
  })
})
