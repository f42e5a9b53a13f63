import { describe, expect, it } from 'vitest'
import { type Api, apiOfTest } from '../support/api.ts'

const TOOLS = 'https://tools.example.com'

/** CORS headers for the page's browser: whether it may read the response, and whether it may send the request. */
async function knock(api: Api, origin: string | undefined) {
  const from: Record<string, string> = origin === undefined ? {} : { origin }
  const read = await api.ask('GET', '/api/status/', { headers: from })
  const preflight = await api.ask('OPTIONS', '/api/dcim/sites/', {
    token: null,
    headers: {
      ...from,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
  })
  return {
    read: read.headers.get('access-control-allow-origin'),
    write: preflight.headers.get('access-control-allow-methods')?.includes('POST') ?? false,
  }
}

interface Case {
  readonly name: string
  readonly environment: Readonly<Record<string, string>>
  /** Expected Access-Control-Allow-Origin by origin. */
  readonly origins: Readonly<Record<string, string | null>>
}

const cases: readonly Case[] = [
  { name: 'nothing configured', environment: {}, origins: { [TOOLS]: null, null: null } },
  {
    name: 'a list of sites',
    environment: { CORS_ORIGIN_WHITELIST: `${TOOLS}, https://*.example.org` },
    origins: {
      [TOOLS]: TOOLS,
      'http://tools.example.com': null,
      'https://tools.example.com:8443': null,
      'https://tools.example.com.evil.net': null,
      'https://toolsXexample.com': null,
      'https://a.b.example.org': 'https://a.b.example.org',
      'https://example.org': null,
      'https://evil.net/.example.org': null,
      null: null,
    },
  },
  {
    name: 'expressions',
    environment: { CORS_ORIGIN_REGEX_WHITELIST: '["https://t[0-9]{1,2}\\\\.example\\\\.com"]' },
    origins: {
      'https://t1.example.com': 'https://t1.example.com',
      'https://t123.example.com': null,
      'https://t1.example.com.evil.net': null,
      'xhttps://t1.example.com': null,
    },
  },
  {
    name: 'everybody',
    environment: { CORS_ORIGIN_ALLOW_ALL: 'true' },
    origins: { [TOOLS]: '*', 'https://evil.net': '*' },
  },
]

describe('pages of other sites', () => {
  it.each(cases)('$name', async ({ environment, origins }) => {
    const api = await apiOfTest(environment)
    for (const [origin, read] of Object.entries(origins)) {
      expect([origin, await knock(api, origin)]).toEqual([origin, { read, write: read !== null }])
    }
  })

  it('cannot use the session of a browser, and OPTIONS still describes an endpoint', async () => {
    const api = await apiOfTest({ CORS_ORIGIN_WHITELIST: TOOLS })
    const headers = { origin: TOOLS }
    const answer = await api.ask('OPTIONS', '/api/dcim/sites/', { headers })
    expect(answer.json.name).toBe('Site List')
    expect(answer.headers.get('access-control-allow-origin')).toBe(TOOLS)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('vary')).toMatch(/origin/i)
    const refused = await api.ask('GET', '/api/dcim/sites/', { headers, token: null })
    // So that the page can show its user the reason.
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, TOOLS])
    expect((await api.ask('OPTIONS', '/api/dcim/sites/')).json.name).toBe('Site List')
  })
})
