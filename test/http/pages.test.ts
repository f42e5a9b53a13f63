import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadDemo } from '../../src/transfer/demo/load-demo.ts'
import { type Api, startApi } from '../support/api.ts'

const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

describe('HTML pages', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi()
    await loadDemo(api.service)
  })
  afterAll(() => api.close())

  it.each([
    ['a browser', '/api/dcim/sites/', HTML, 'text/html; charset=utf-8'],
    ['a program that accepts anything', '/api/dcim/sites/', { accept: '*/*' }, 'application/json'],
    ['a program without Accept', '/api/dcim/sites/', {}, 'application/json'],
    ['format=api', '/api/dcim/sites/?format=api', {}, 'text/html; charset=utf-8'],
    ['a browser with format=json', '/api/dcim/sites/?format=json', HTML, 'application/json'],
    ['a browser at a drawing', '/api/dcim/racks/1/elevation/?render=svg', HTML, 'image/svg+xml'],
    ['a browser at the health', '/health/', HTML, 'application/json'],
    ['a browser at an endpoint without GET', '/api/dcim/devices/1/render-config/', HTML, 'text/html; charset=utf-8'],
  ])('%s gets the right type', async (_, path, headers, type) => {
    const answer = await api.ask('GET', path, { headers })
    expect(answer.headers.get('content-type')).toBe(type)
  })

  it.each(['/api/', '/api/dcim/devices/?limit=2&ordering=-name', '/api/dcim/devices/1/'])(
    'show the response of %s as a program gets it',
    async (path) => {
      const { text } = await api.ask('GET', path, { headers: HTML })
      const json = text.match(/<pre class="json"[^>]*><code>([\s\S]*?)<\/code>/)?.[1] ?? ''
      const plain = json
        .replaceAll(/<[^>]+>/g, '')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&')
      expect(JSON.parse(plain)).toEqual((await api.ask('GET', path)).json)
      expect(text).toContain(`<code>${path.replaceAll('&', '&amp;')}</code>`)
    },
  )

  it.each([
    ['/api/dcim/devices/?limit=2', '/dcim/devices/', '/api/dcim/devices/?limit=2&amp;format=json'],
    ['/api/dcim/devices/1/', '/dcim/devices/1/', '/api/dcim/devices/1/?format=json'],
    ['/api/ipam/prefixes/1/', '/ipam/prefixes/1/', '/api/ipam/prefixes/1/?format=json'],
  ])('link from %s to its page for people, the JSON and the documentation', async (path, page, plain) => {
    const { text } = await api.ask('GET', path, { headers: HTML })
    const main = text.slice(text.indexOf('<main'))
    for (const address of [page, plain, '/api/schema/swagger-ui/']) expect(main).toContain(`href="${address}">`)
    expect((await api.ask('GET', page, { headers: HTML })).status).toBe(200)
  })

  it.each([
    ['limit=3&offset=3', ['limit=3', 'limit=3&amp;offset=6']],
    ['limit=3', ['limit=3&amp;offset=3']],
    ['limit=50', []],
  ])('link to the adjacent pages of a list with %s', async (query, queries) => {
    const { text } = await api.ask('GET', `/api/dcim/devices/?${query}`, { headers: HTML })
    const links = [...text.matchAll(/rel="(?:prev|next)" href="[^"?]*\/api\/dcim\/devices\/\?([^"]+)"/g)]
    expect(links.map(([, each]) => each)).toEqual(queries)
  })

  it('link to a response that is too long to be shown', async () => {
    const body = { name: 'Long', slug: 'long', comments: 'x'.repeat(1_000_000) }
    const { id } = (await api.ask('POST', '/api/dcim/sites/', { body })).json
    const { text } = await api.ask('GET', `/api/dcim/sites/${id}/`, { headers: HTML })
    expect(text.length).toBeLessThan(100_000)
    expect(text).toContain(`<a href="/api/dcim/sites/${id}/?format=json">Open it separately</a>`)
    await api.ask('DELETE', `/api/dcim/sites/${id}/`)
  })

  it('of the documentation load the operations of one app, less than two fifths of the whole document', async () => {
    const whole = await api.ask('GET', '/api/schema/?format=json&version=4.7')
    const { text } = await api.ask('GET', '/api/schema/swagger-ui/start.js')
    const names = [...text.matchAll(/"url":"([^"]+)"/g)].map(([, name]) => name)
    expect(names).toContain('dcim.json')
    const paths: string[] = []
    for (const name of names) {
      const part = await api.ask('GET', `/api/schema/swagger-ui/${name}`)
      expect(part.text.length, name).toBeLessThan(whole.text.length * 0.4)
      paths.push(...Object.keys(part.json.paths ?? {}))
    }
    expect(paths.toSorted()).toEqual(Object.keys(whole.json.paths ?? {}).toSorted())
  })

  it('exist for every endpoint, without a form that writes', async () => {
    const broken: string[] = []
    for (const { path } of api.service.registry.models.values()) {
      if (path === '') continue
      const { status, text } = await api.ask('GET', `/api/${path}/`, { headers: HTML })
      const main = text.slice(text.indexOf('<main'))
      const isReadable = status === 200 || status === 405
      if (!isReadable || !text.endsWith('</html>\n') || main.includes('<form')) broken.push(`${path} ${status}`)
    }
    expect(broken).toEqual([])
  })

  it('escape all stored text', async () => {
    const name = `"><script>alert(1)</script>&<b>'`
    const created = await api.ask('POST', '/api/extras/tags/', { body: { name, slug: 'evil' } })
    expect(created.status).toBe(201)
    const id = Number(created.json.id)
    const value = encodeURIComponent(name)
    for (const path of ['', `${id}/`, `?name=${value}`, `?unknown=${value}`]) {
      const { text } = await api.ask('GET', `/api/extras/tags/${path}`, { headers: HTML })
      expect(text, path).not.toMatch(/<script>alert|&<b>/)
    }
  })

  it.each(['/login/', '/start/sample/'])(
    '%s shows the product in a picture without styles of its own',
    async (path) => {
      const { text } = await api.ask('GET', path, { headers: HTML })
      const [picture = ''] = /<svg class="product-picture".*?<\/svg>/s.exec(text) ?? []
      expect(picture).toContain('role="img" aria-label="Three racks')
      expect(picture).toMatch(/class="device \w+ added"/)
      expect(picture).not.toContain('style=')
    },
  )

  it('ask anonymous users to sign in, and show nothing else', async () => {
    const { status, text } = await api.ask('GET', '/api/dcim/sites/', {
      token: null,
      headers: HTML,
    })
    expect(status).toBe(403)
    expect(text).toContain('href="/login/?next=%2Fapi%2Fdcim%2Fsites%2F"')
    expect(text).not.toContain('Page of this list')
  })

  it('show the reason for a refusal', async () => {
    const { status, text } = await api.ask('POST', '/api/dcim/sites/', {
      headers: HTML,
      body: { name: '' },
    })
    expect(status).toBe(400)
    expect(text).toContain('400 Bad Request')
    expect(text).toContain('slug')
  })

  it('are not cached, but their static files are', async () => {
    const page = await api.ask('GET', '/api/', { headers: HTML })
    expect(page.headers.get('cache-control')).toBe('no-store')
    const [, script = ''] = page.text.match(/src="([^"]+\.client\.ts[^"]*)"/) ?? []
    const file = await api.ask('GET', script)
    expect(file.headers.get('cache-control')).toContain('immutable')
    const known = await api.ask('GET', '/static/dropdowns.client.ts')
    const tag = known.headers.get('etag') ?? ''
    const again = await api.ask('GET', '/static/dropdowns.client.ts', {
      headers: { 'if-none-match': tag },
    })
    expect(again.status).toBe(304)
    expect((await api.ask('GET', '/static/../package.json')).status).toBe(404)
    expect((await api.ask('GET', '/static/nothing.client.ts')).status).toBe(404)
    const island = await api.ask('GET', '/static/api-request.client.ts')
    expect(island.headers.get('content-type')).toContain('text/javascript')
  })
})

describe('below a base path, readable without login', () => {
  let api: Api
  beforeAll(async () => {
    api = await startApi({
      BASE_PATH: '/inventory',
      LOGIN_REQUIRED: 'false',
      EXEMPT_VIEW_PERMISSIONS: '*',
    })
    await loadDemo(api.service)
  })
  afterAll(() => api.close())

  it.each(['/', '/api/', '/api/dcim/sites/', '/login/'])('the links of %s stay there', async (path) => {
    const { status, text } = await api.ask('GET', path, { headers: HTML })
    expect(status).toBe(200)
    const addresses = [...text.matchAll(/(?:href|src|action)="([^"#]+)"/g)].map(([, each]) => each)
    const strays = addresses.filter((each) => !/^(http:\/\/[^/]+)?\/inventory\//.test(each ?? ''))
    expect(strays).toEqual([])
  })

  it.each(['/api/schema/redoc/', '/api/schema/redoc/dcim/sites/'])('%s leads to the documentation', async (path) => {
    const { status, headers } = await api.ask('GET', path, { token: null })
    expect([status, headers.get('location')]).toEqual([302, '/inventory/api/schema/swagger-ui/'])
  })

  it('anonymous users can read', async () => {
    const { status, text } = await api.ask('GET', '/api/dcim/sites/1/', {
      token: null,
      headers: HTML,
    })
    expect(status).toBe(200)
    expect(text).toContain('Log in')
    expect(text).not.toMatch(/Users<|You have not signed in/)
    const home = await api.ask('GET', '/', { token: null, headers: HTML })
    expect(home.text).toMatch(/Devices<\/a> <span class="count">38</)
    expect(home.text).not.toContain('/api/users/tokens/')
  })

  it('HEAD has the headers of GET, without the page', async () => {
    const { status, headers, text } = await api.ask('HEAD', '/api/dcim/sites/', { headers: HTML })
    expect([status, headers.get('content-type'), text]).toEqual([200, 'text/html; charset=utf-8', ''])
  })
})
