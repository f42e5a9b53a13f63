import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN_TOKEN, type Api, apiOfTest, startApi } from '../support/api.ts'
import { MODERN, modernMessage } from './client.ts'

describe('the protocol of agents', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi({ MCP_ENABLED: 'true', CSRF_TRUSTED_ORIGINS: 'https://tools.example.com' })
  })
  afterAll(() => api.close())

  const legacy = (method: string, params?: object, headers: Record<string, string> = {}) =>
    api.ask('POST', '/mcp', { body: { jsonrpc: '2.0', id: 'a', method, params }, headers })

  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2025-11-25'],
    [MODERN, '2025-11-25'],
  ])('a client that opens with %s gets %s', async (requested, served) => {
    const { status, json } = await legacy('initialize', {
      protocolVersion: requested,
      capabilities: {},
      clientInfo: {},
    })
    expect([status, json.id]).toEqual([200, 'a'])
    expect(json.result).toMatchObject({
      protocolVersion: served,
      capabilities: { tools: {} },
      serverInfo: { name: 'cadastre' },
    })
    const headers = { 'MCP-Protocol-Version': served }
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect((await api.ask('POST', '/mcp', { body: initialized, headers })).status).toBe(202)
    expect((await legacy('ping', undefined, headers)).json.result).toEqual({})
    const { result } = (await legacy('tools/list', {}, headers)).json
    expect(result?.tools?.length).toBeGreaterThan(8)
    expect(result).not.toHaveProperty('resultType')
    const called = await legacy('tools/call', { name: 'describe', arguments: { type: 'dcim.site' } }, headers)
    expect(called.json.result).toMatchObject({ isError: false, structuredContent: { type: 'dcim.site' } })
  })

  it('a client without a handshake discovers and lists', async () => {
    const discovered = (await api.ask('POST', '/mcp', modernMessage('server/discover'))).json.result
    expect(discovered).toMatchObject({
      resultType: 'complete',
      supportedVersions: [MODERN],
      capabilities: { tools: {} },
    })
    expect(discovered?._meta).toHaveProperty('io.modelcontextprotocol/serverInfo')
    const { result } = (await api.ask('POST', '/mcp', modernMessage('tools/list'))).json
    expect(result).toMatchObject({ resultType: 'complete', cacheScope: 'public' })
    for (const { name, inputSchema, annotations } of result?.tools ?? []) {
      expect(inputSchema, String(name)).toMatchObject({ type: 'object', additionalProperties: false })
      expect(annotations, String(name)).toMatchObject({ readOnlyHint: String(name) !== 'plan', destructiveHint: false })
    }
  })

  it('documents and schemas are resources in both eras', async () => {
    const { result } = (await api.ask('POST', '/mcp', modernMessage('resources/list'))).json
    expect(result).toMatchObject({ resultType: 'complete', cacheScope: 'private' })
    const uris = (result?.resources ?? []).map(({ uri }) => String(uri))
    expect(uris).toContain('cadastre://schema/dcim.site')
    const documents = uris.filter((uri) => uri.startsWith('cadastre://docs/'))
    expect(documents.length).toBeGreaterThan(5)
    for (const uri of documents) {
      const answer = (await api.ask('POST', '/mcp', modernMessage('resources/read', { uri }))).json
      expect(answer.result).toMatchObject({ contents: [{ uri, text: expect.stringMatching(/^# /) }] })
      expect((await legacy('resources/read', { uri })).json.result?.contents).toEqual(answer.result?.contents)
    }
    const read = (await legacy('resources/read', { uri: 'cadastre://schema/dcim.site' })).json.result
    expect(JSON.parse(String(read?.contents?.[0]?.text))).toMatchObject({ type: 'dcim.site', fields: { name: {} } })
    const templates = (await legacy('resources/templates/list')).json.result
    expect(templates).toMatchObject({ resourceTemplates: [{ uriTemplate: 'cadastre://schema/{type}' }] })
  })

  it.each(['cadastre://schema/dcim.planet', 'cadastre://docs/../package.json', 'file:///etc/passwd', ''])(
    'there is no resource %j',
    async (uri) => {
      const modern = (await api.ask('POST', '/mcp', modernMessage('resources/read', { uri }))).json
      expect(modern.error).toMatchObject({ code: -32602, data: { uri } })
      expect((await legacy('resources/read', { uri })).json.error).toMatchObject({ code: -32002, data: { uri } })
    },
  )

  const message = modernMessage('tools/call', { name: 'search', arguments: { text: 'x' } })
  const without = (header: string) =>
    Object.fromEntries(Object.entries(message.headers).filter(([name]) => name !== header))
  const { _meta, ...params } = message.body.params
  const withoutName = (method: string, of: object) => {
    const { body, headers } = modernMessage(method, { ...of })
    const { 'Mcp-Name': _, ...rest } = headers
    return [body, rest] as const
  }
  it.each<[string, object, Record<string, string>, number, number]>([
    ['no version header', message.body, without('MCP-Protocol-Version'), 400, -32020],
    ['no method header', message.body, without('Mcp-Method'), 400, -32020],
    ['no name header', message.body, without('Mcp-Name'), 400, -32020],
    ['another name header', message.body, { ...message.headers, 'Mcp-Name': 'plan' }, 400, -32020],
    [
      'no name header of a resource',
      ...withoutName('resources/read', { uri: 'cadastre://docs/use/apply.md' }),
      400,
      -32020,
    ],
    ['an encoded name header', message.body, { ...message.headers, 'Mcp-Name': '=?base64?c2VhcmNo?=' }, 200, 0],
    ['no _meta', { ...message.body, params }, message.headers, 400, -32602],
    [
      'no capabilities',
      { ...message.body, params: { ...params, _meta: { 'io.modelcontextprotocol/protocolVersion': MODERN } } },
      ...([message.headers, 400, -32602] as const),
    ],
    [
      'an unknown version in a header',
      { ...message.body, params },
      { 'MCP-Protocol-Version': '2099-01-01' },
      400,
      -32602,
    ],
    [
      'an unknown version',
      ...(({ body, headers }) => [body, headers] as const)(modernMessage('tools/list', {}, '2099-01-01')),
      400,
      -32022,
    ],
    [
      'two versions',
      modernMessage('tools/list', {}, '2099-01-01').body,
      modernMessage('tools/list').headers,
      400,
      -32020,
    ],
    [
      'a handshake of a revision without one',
      ...(({ body, headers }) => [body, headers] as const)(modernMessage('initialize')),
      404,
      -32601,
    ],
    ['an unknown method', modernMessage('tools/guess').body, modernMessage('tools/guess').headers, 404, -32601],
    [
      'an unknown tool',
      ...(({ body, headers }) => [body, headers] as const)(modernMessage('tools/call', { name: 'x' })),
      200,
      -32602,
    ],
    ['an unknown method of a session', { jsonrpc: '2.0', id: 1, method: 'tools/guess' }, {}, 200, -32601],
    ['a batch', [message.body], {}, 400, -32600],
    ['no id that is allowed', { ...message.body, id: null }, message.headers, 400, -32600],
  ])('a message with %s is answered as the protocol says', async (_name, body, headers, status, code) => {
    const { json, ...answer } = await api.ask('POST', '/mcp', { body, headers })
    expect([answer.status, json.error?.code ?? 0]).toEqual([status, code])
  })

  it('a body that is not JSON is refused as the protocol says', async () => {
    const { status, json } = await api.ask('POST', '/mcp', {
      body: '{',
      headers: { 'content-type': 'application/json' },
    })
    expect([status, json.error?.code]).toEqual([400, -32700])
  })

  it.each([
    ['without a token', null, {}, 401],
    ['with a wrong token', 'f'.repeat(40), {}, 401],
    ['from another site', ADMIN_TOKEN, { Origin: 'https://evil.example.com' }, 403],
    ['by a name that leads here', ADMIN_TOKEN, { Host: 'evil.example.com', Origin: 'http://evil.example.com' }, 403],
    ['from a trusted site', ADMIN_TOKEN, { Origin: 'https://tools.example.com' }, 200],
    ['with a token as a bearer', null, { Authorization: `Bearer ${ADMIN_TOKEN}` }, 200],
  ])('a request %s gets the right status', async (_name, token, headers, status) => {
    const message = modernMessage('server/discover')
    const answer = await api.ask('POST', '/mcp', { ...message, token, headers: { ...message.headers, ...headers } })
    expect(answer.status, answer.text).toBe(status)
    expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null)
  })

  it('only POST is served, and there is no page of an authorization server', async () => {
    for (const method of ['GET', 'DELETE']) expect((await api.ask(method, '/mcp')).status).toBe(405)
    for (const path of ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration']) {
      expect((await api.ask('GET', `/.well-known/${path}`)).status).toBe(404)
    }
  })
})

it('agents are not served unless the configuration says so', async () => {
  const api = await apiOfTest()
  expect((await api.ask('POST', '/mcp', modernMessage('server/discover'))).status).toBe(404)
})

it('a token has a limited number of calls in a minute', async () => {
  const api = await apiOfTest({ MCP_ENABLED: 'true', MCP_CALLS_PER_MINUTE: '3' })
  const call = () => api.ask('POST', '/mcp', modernMessage('tools/call', { name: 'describe', arguments: {} }))
  const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await call()).status))
  // A minute may begin between two of them.
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(4)
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(3)
})
