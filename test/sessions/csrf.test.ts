import { afterAll, beforeAll, expect, it } from 'vitest'
import { CSRF_FIELD } from '../../src/api/transport/form-body.ts'
import { ADMIN_TOKEN, type Api, startApi } from '../support/api.ts'
import { Browser, hiddenFields } from './browser.ts'

let api: Api
let browser: Browser
let other: Browser
beforeAll(async () => {
  api = await startApi({
    TRUST_PROXY: 'true',
    CSRF_TRUSTED_ORIGINS: 'https://tools.example.com,https://*.trusted.example',
  })
  browser = new Browser(api.url)
  other = new Browser(api.url)
  await browser.logIn('admin', 'admin')
  await other.logIn('admin', 'admin')
})
afterAll(() => api.close())

const token = (of: Browser): string => of.cookies.get('csrftoken') ?? ''
const own = (): string => new URL(api.url).origin

interface Proof {
  readonly name: string
  readonly headers: () => Readonly<Record<string, string>>
  /** Undefined: the request is accepted. */
  readonly refusal?: string
}

// Proofs of origin in a request of a session → reason of the refusal.
const proofs: readonly Proof[] = [
  { name: 'the token', headers: () => ({ 'x-csrftoken': token(browser) }) },
  { name: 'no token', headers: () => ({}), refusal: 'CSRF token missing.' },
  {
    name: 'an empty token',
    headers: () => ({ 'x-csrftoken': '' }),
    refusal: 'CSRF token missing.',
  },
  {
    name: 'a wrong token',
    headers: () => ({ 'x-csrftoken': 'A'.repeat(43) }),
    refusal: 'CSRF token incorrect.',
  },
  {
    name: "another session's token",
    headers: () => ({ 'x-csrftoken': token(other) }),
    refusal: 'CSRF token incorrect.',
  },
  {
    name: 'the token from another site',
    headers: () => ({ 'x-csrftoken': token(browser), origin: 'https://evil.example' }),
    refusal: 'Origin checking failed - https://evil.example does not match any trusted origins.',
  },
  {
    name: 'the token from a page that hides its origin',
    headers: () => ({ 'x-csrftoken': token(browser), origin: 'null' }),
    refusal: 'Origin checking failed - null does not match any trusted origins.',
  },
  {
    name: 'the token from the same host by another scheme',
    headers: () => ({ 'x-csrftoken': token(browser), origin: own().replace('http', 'https') }),
    refusal: 'Origin checking failed - ',
  },
  {
    name: 'the token from a trusted site',
    headers: () => ({ 'x-csrftoken': token(browser), origin: 'https://tools.example.com' }),
  },
  {
    name: 'the token from a host below a trusted one',
    headers: () => ({ 'x-csrftoken': token(browser), origin: 'https://a.b.trusted.example' }),
  },
  {
    name: 'the token from a host that only ends like a trusted one',
    headers: () => ({ 'x-csrftoken': token(browser), origin: 'https://untrusted.example' }),
    refusal: 'Origin checking failed - ',
  },
]

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE']

it.each(METHODS.flatMap((method) => proofs.map((proof) => ({ method, ...proof }))))(
  '$method with $name',
  async ({ method, headers, refusal }) => {
    const { status, text } = await browser.visit('/api/dcim/sites/', {
      method,
      body: method === 'POST' ? {} : [{ id: 999_999 }],
      headers: { accept: 'application/json', ...headers() },
    })
    if (refusal === undefined) {
      // Accepted: the body is invalid, or nothing.
      expect(status).toBe({ POST: 400, DELETE: 204 }[method] ?? 200)
      return
    }
    expect(status).toBe(403)
    expect(JSON.parse(text).detail).toContain(`CSRF Failed: ${refusal}`)
  },
)

it.each(['GET', 'HEAD', 'OPTIONS'])('%s needs no CSRF token', async (method) => {
  const headers = { origin: 'https://evil.example', accept: 'application/json' }
  const { status } = await browser.visit('/api/dcim/sites/', { method, headers })
  expect(status).toBe(200)
})

// Without Origin the Referer is checked; HTTPS requires one of them.
it.each([
  { scheme: 'http', referer: undefined, status: 400 },
  { scheme: 'http', referer: 'https://evil.example/page', status: 403 },
  { scheme: 'https', referer: undefined, status: 403 },
  { scheme: 'https', referer: 'self', status: 400 },
  { scheme: 'https', referer: 'nonsense', status: 403 },
])('over $scheme with the referer $referer: $status', async ({ scheme, referer, status }) => {
  const here = own().replace('http', scheme)
  const answer = await fetch(`${api.url}/api/dcim/sites/`, {
    method: 'POST',
    body: '{}',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-proto': scheme,
      'x-csrftoken': token(browser),
      cookie: `sessionid=${browser.cookies.get('sessionid')}`,
      ...(referer && { referer: referer === 'self' ? `${here}/api/` : referer }),
    },
  })
  expect(answer.status).toBe(status)
})

it.each([
  ['with a token nothing more is needed', `Token ${ADMIN_TOKEN}`, 400],
  ['a wrong token does not fall back to the cookie', `Token ${'0'.repeat(40)}`, 403],
])('%s', async (_name, authorization, status) => {
  const headers = { authorization, origin: 'https://evil.example' }
  const answer = await browser.visit('/api/dcim/sites/', { method: 'POST', body: {}, headers })
  expect(answer.status).toBe(status)
})

it('a form sends the token in a field, multipart or not', async () => {
  const form = new FormData()
  form.set('csrfmiddlewaretoken', token(browser))
  form.set('name', 'By form')
  form.set('slug', 'by-form')
  const cookie = `sessionid=${browser.cookies.get('sessionid')}`
  const send = (body: FormData | URLSearchParams) =>
    fetch(`${api.url}/api/dcim/sites/`, { method: 'POST', body, headers: { cookie } })
  const made = await send(form)
  expect([made.status, await made.json()]).toMatchObject([201, { slug: 'by-form' }])
  const urlEncoded = new URLSearchParams({ csrfmiddlewaretoken: token(browser) })
  expect((await send(urlEncoded)).status, 'let through, but no form that the API reads').toBe(415)
  form.set('csrfmiddlewaretoken', 'wrong')
  expect((await send(form)).status).toBe(403)
})

it('a browser that has lost the CSRF cookie gets it again', async () => {
  const before = token(browser)
  browser.cookies.delete('csrftoken')
  await browser.visit('/api/')
  expect(token(browser)).toBe(before)
})

// The login form is protected too: another site must not secretly sign a user in to an account of somebody else.
const loginProofs: readonly {
  name: string
  change: (visitor: Browser, form: Record<string, string>) => unknown
  headers?: Readonly<Record<string, string>>
  status: 303 | 403
}[] = [
  { name: 'as it came', change: () => undefined, status: 303 },
  { name: 'without the cookie', change: ({ cookies }) => cookies.clear(), status: 403 },
  {
    name: 'without the field',
    change: (_visitor, form) => Reflect.deleteProperty(form, CSRF_FIELD),
    status: 403,
  },
  {
    name: 'with another value',
    change: (_visitor, form) => Object.assign(form, { [CSRF_FIELD]: 'A'.repeat(43) }),
    status: 403,
  },
  {
    name: 'from another site',
    change: () => undefined,
    headers: { origin: 'https://evil.example' },
    status: 403,
  },
]
it.each(loginProofs)('the login form $name: $status', async ({ change, headers, status }) => {
  const visitor = new Browser(api.url)
  const form = hiddenFields((await visitor.visit('/login/')).text)
  change(visitor, form)
  const answer = await visitor.visit('/login/', {
    form: { ...form, username: 'admin', password: 'admin' },
    ...(headers && { headers }),
  })
  expect(answer.status).toBe(status)
  if (status === 403) expect(answer.text).toContain('CSRF Failed')
})

it('logging out needs the CSRF token', async () => {
  const visitor = new Browser(api.url)
  await visitor.logIn('admin', 'admin')
  const out = (csrfmiddlewaretoken: string) => visitor.visit('/logout/', { form: { csrfmiddlewaretoken } })
  expect((await out('wrong')).status).toBe(403)
  expect(visitor.cookies.has('sessionid')).toBe(true)
  expect((await out(token(visitor))).status).toBe(303)
  expect(visitor.cookies.has('sessionid')).toBe(false)
})
