import { expect, it } from 'vitest'
import { proxyOf } from './webhook-client.ts'

const HTTP = 'http://proxy:3128'
const HTTPS = 'http://proxy:3129'

it.each([
  ['http://example.com/', [], HTTP],
  ['https://example.com/', [], HTTPS],
  ['https://example.com/', ['example.com'], undefined],
  ['https://a.example.com/', ['example.com'], undefined],
  ['https://a.example.com/', ['.example.com'], undefined],
  ['https://a.example.com/', ['*.example.com'], undefined],
  ['https://badexample.com/', ['example.com'], HTTPS],
  ['https://example.com/', ['example.com:443'], undefined],
  ['https://example.com:8443/', ['example.com:443'], HTTPS],
  ['http://127.0.0.1/', ['127.0.0.1'], undefined],
  ['http://example.com/', ['*'], undefined],
] as const)('requests to %s with NO_PROXY %s use %s', (url, noProxy, expected) => {
  expect(proxyOf(new URL(url), { httpProxy: HTTP, httpsProxy: HTTPS, noProxy })).toBe(expected)
})

it('without a proxy requests are sent directly', () => {
  const settings = { httpProxy: undefined, httpsProxy: undefined, noProxy: [] }
  expect(proxyOf(new URL('https://example.com/'), settings)).toBeUndefined()
})
