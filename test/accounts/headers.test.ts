import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOfTest, startApi } from '../support/api.ts'

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

/** Responses of each kind: pages, data, files, refusals, redirects, invalid requests. */
const PLACES: readonly {
  readonly name: string
  readonly method?: string
  readonly path: string
  readonly accept?: string
  readonly token?: null
  readonly status: number
  readonly type: RegExp
}[] = [
  { name: 'data', path: '/api/dcim/sites/', status: 200, type: /json/ },
  { name: 'a refusal', path: '/api/dcim/sites/', token: null, status: 403, type: /json/ },
  { name: 'nothing', path: '/api/dcim/sites/9999/', status: 404, type: /json/ },
  { name: 'no such page', path: '/nowhere/', status: 404, type: /html/ },
  { name: 'a redirect', path: '/api/dcim/sites', status: 302, type: /html/ },
  { name: 'a mistaken path', path: '/api/%', status: 400, type: /json/ },
  { name: 'a wrong method', method: 'DELETE', path: '/api/status/', status: 405, type: /json/ },
  {
    name: 'the documentation',
    path: '/api/schema/swagger-ui/',
    token: null,
    status: 200,
    type: /html/,
  },
  { name: 'its script', path: '/api/schema/swagger-ui/start.js', status: 200, type: /javascript/ },
  { name: 'the login page', path: '/login/', token: null, status: 200, type: /html/ },
  {
    name: 'data as a page',
    path: '/api/dcim/sites/',
    accept: 'text/html',
    status: 200,
    type: /html/,
  },
]

/** An image of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('headers that protect browsers', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
  })
  afterAll(() => api.close())

  it.each(PLACES)('$name', async ({ method = 'GET', path, accept, status, type, ...rest }) => {
    const answer = await api.ask(method, path, {
      ...rest,
      ...(accept !== undefined && { headers: { accept } }),
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, expect.stringMatching(type)])
    expect(Object.fromEntries(answer.headers)).toMatchObject(ALWAYS)
    expect(answer.headers.get('strict-transport-security')).toBeNull()
    expect(answer.headers.get('server')).toBeNull()
    expect(answer.headers.get('x-powered-by')).toBeNull()
    if (type.test('text/html')) {
      const policy = answer.headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/default-src '(self|none)'/)
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toMatch(/^(?!.*script-src [^;]*unsafe)/)
      expectNothingInline(answer.text)
    }
  })

  /** Fails for content that a policy of `default-src 'self'` blocks. */
  function expectNothingInline(page: string): void {
    expect(page).not.toMatch(/<script(?![^>]*\bsrc=)[^>]*>/)
    expect(page).not.toMatch(/<style\b|\sstyle="|\son[a-z]+="|javascript:/i)
  }

  it('drawings may not run scripts', async () => {
    const { json: site } = await api.ask('POST', '/api/dcim/sites/', {
      body: { name: 's', slug: 's' },
    })
    const { json: rack } = await api.ask('POST', '/api/dcim/racks/', {
      body: { name: '<script>alert(1)</script>', site: site.id },
    })
    const drawn = await api.ask('GET', `/api/dcim/racks/${rack.id}/elevation/?render=svg`)
    expect(drawn.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(drawn.text).not.toContain('<script')
  })

  it('require HTTPS if that is configured', async () => {
    const strict = await apiOfTest({
      SECURE_HSTS_SECONDS: '3600',
      SECURE_HSTS_INCLUDE_SUBDOMAINS: 'true',
    })
    const { headers } = await strict.ask('GET', '/api/status/')
    expect(headers.get('strict-transport-security')).toBe('max-age=3600; includeSubDomains')
  })

  it('uploaded files cannot run scripts', async () => {
    const form = new FormData()
    form.append('object_type', 'dcim.site')
    const { json: site } = await api.ask('POST', '/api/dcim/sites/', {
      body: { name: 'pictured', slug: 'pictured' },
    })
    form.append('object_id', String(site.id))
    form.append('image', new Blob([PIXEL], { type: 'image/png' }), 'pixel.png')
    const { json } = await api.ask('POST', '/api/extras/image-attachments/', { body: form })
    const { headers, status } = await api.ask('GET', new URL(String(json.image)).pathname)
    expect([status, headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('an internal error reveals only the request id', async () => {
    const broken = await apiOfTest({ LOG_LEVEL: 'silent' })
    await broken.service.database.script('alter table extras_tag rename to hidden_name')
    const answer = await broken.ask('GET', '/api/extras/tags/')
    expect(answer.status).toBe(500)
    expect(Object.keys(answer.json)).toEqual(['detail'])
    expect(answer.json.detail).toContain(answer.headers.get('x-request-id'))
    expect(answer.text).not.toMatch(/tag|relation|select|at .*:\d+/)
    expect(Object.fromEntries(answer.headers)).toMatchObject(ALWAYS)
    // A browser gets a page that says the same.
    const page = await broken.ask('GET', '/extras/tags/', { headers: { accept: 'text/html,*/*' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8'])
    expect(page.text).toContain(`under the request id ${page.headers.get('x-request-id')}`)
    expect(page.text).not.toMatch(/extras_tag|relation|at .*:\d+/)
    const data = await broken.ask('GET', '/extras/tags/', { headers: { accept: 'application/json' } })
    expect(Object.keys(data.json)).toEqual(['detail'])
  })
})
