import { describe, expect, it } from 'vitest'
import { localPath } from './local-path.ts'

const here = new URL('https://inventory.example:8443/login/')

describe('a login', () => {
  // requested target → where the login redirects
  it.each([
    ['/api/dcim/sites/?q=a&limit=5#top', '/api/dcim/sites/?q=a&limit=5#top'],
    ['/%2f/evil.example/', '/%2f/evil.example/'],
    ['/@evil.example/', '/@evil.example/'],
    ['/\r\nSet-Cookie: a=b', '/Set-Cookie:%20a=b'],
    [undefined, '/'],
    ['', '/'],
    ['api/', '/'],
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['//evil.example@inventory.example:8443/', '/'],
    ['/\\evil.example/', '/'],
    ['\\\\evil.example/', '/'],
    ['/\t/evil.example/', '/'],
    ['/\n/evil.example/', '/'],
    ['/.//evil.example/', '/'],
    ['/..//evil.example/', '/'],
    ['///evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['data:text/html,x', '/'],
  ])('with next=%j redirects to %s', (next, path) => {
    expect(localPath(next, here, '')).toBe(path)
  })

  it.each([
    ['/inventory/api/', '/inventory/api/'],
    ['/other/', '/inventory/'],
    ['/inventory/../other/', '/inventory/'],
    ['/inventory-2/', '/inventory/'],
  ])('below a base path with next=%s redirects to %s', (next, path) => {
    expect(localPath(next, here, '/inventory')).toBe(path)
  })
})
