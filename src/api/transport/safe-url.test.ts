import { expect, it } from 'vitest'
import { safeUrl } from './safe-url.ts'

it.each([
  ['/api/dcim/sites/', '/api/dcim/sites/'],
  ['/api/dcim/sites/?q=ams&limit=5', '/api/dcim/sites/?q=ams&limit=5'],
  ['/api/?token=abc&q=x', '/api/?token=…&q=x'],
  ['/oidc/callback?code=abc&state=def&iss=x', '/oidc/callback?code=…&state=…&iss=x'],
  ['/api/extras/webhooks/?secret__ic=abc', '/api/extras/webhooks/?secret__ic=…'],
  ['/api/?pass%77ord=abc', '/api/?pass%77ord=…'],
  ['/api/?%=abc&API_KEY=x', '/api/?%=abc&API_KEY=…'],
  ['/api/?flag&=x', '/api/?flag&=x'],
])('%s is logged as %s', (url, expected) => {
  expect(safeUrl(url)).toBe(expected)
})
