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

  it('show in the JSON view the response that a program gets', async () => {
    const path = '/api/dcim/devices/?limit=2&ordering=-name'
    const { text } = await api.ask('GET', `${path}&_view=json`, { headers: HTML })
    const json = text.match(/<pre class="json"[^>]*><code>([\s\S]*?)<\/code>/)?.[1] ?? ''
    const plain = json
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
    expect(JSON.parse(plain)).toEqual((await api.ask('GET', path)).json)
    expect(text).toContain('<code>/api/dcim/devices/?limit=2&amp;ordering=-name</code>')
  })

  it.each(['/api/dcim/devices/?limit=2', '/api/dcim/devices/1/'])(
    'show %s without JSON, and link to the JSON',
    async (path) => {
      const { text } = await api.ask('GET', path, { headers: HTML })
      const [pathname = '', query = ''] = path.split('?')
      const view = `${pathname}?${query === '' ? '' : `${query}&amp;`}_view=json`
      expect(text).not.toContain('class="json"')
      expect(text).toContain(`<a href="${view}">JSON</a>`)
    },
  )

  it('a list takes less than a kilobyte for each object', async () => {
    const bytesOf = async (query: string) => {
      const { text } = await api.ask('GET', `/api/dcim/interfaces/?${query}`, { headers: HTML })
      return text.length
    }
    const [short, long] = [await bytesOf('limit=1'), await bytesOf('limit=21')]
    expect((long - short) / 20).toBeLessThan(1_000)
    // Custom fields are one field of the body, with any number of form fields.
    expect(await bytesOf('limit=21&_view=json')).toBeGreaterThan(20 * 4_000)
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

  it('exist for every endpoint, with the form for a new object', async () => {
    const broken: string[] = []
    for (const { path } of api.service.registry.models.values()) {
      if (path === '') continue
      for (const query of ['', '?_view=new', '?_view=options']) {
        const { status, text } = await api.ask('GET', `/api/${path}/${query}`, { headers: HTML })
        if (status !== 200 || !text.endsWith('</html>\n')) broken.push(`${path}${query} ${status}`)
      }
    }
    expect(broken).toEqual([])
  })

  it('have a form field for every field of a body', async () => {
    const { text } = await api.ask('GET', '/api/dcim/devices/?_view=new', { headers: HTML })
    const { json } = await api.ask('OPTIONS', '/api/dcim/devices/')
    const writable = Object.entries(json.actions?.POST ?? {})
      .filter(([, metadata]) => String(metadata.read_only) === 'false')
      .map(([name]) => name)
    const fields = [...text.matchAll(/data-field="([^"]+)"/g)].map(([, name]) => name)
    // Custom fields are one field of the body, with any number of form fields.
    expect([...fields, 'custom_fields'].toSorted()).toEqual(writable.toSorted())
  })

  it('escape all stored text', async () => {
    const name = `"><script>alert(1)</script>&<b>'`
    const created = await api.ask('POST', '/api/extras/tags/', { body: { name, slug: 'evil' } })
    expect(created.status).toBe(201)
    const id = Number(created.json.id)
    const paths = ['', `${id}/`, `${id}/?_view=change`, `${id}/?_view=delete`]
    for (const path of [...paths, `?name=${encodeURIComponent(name)}`, `?_view=${encodeURIComponent(name)}`]) {
      const { text } = await api.ask('GET', `/api/extras/tags/${path}`, { headers: HTML })
      expect(text, path).not.toMatch(/<script>alert|&<b>/)
    }
  })

  it('ask anonymous users to sign in, and show nothing else', async () => {
    const { status, text } = await api.ask('GET', '/api/dcim/sites/', {
      token: null,
      headers: HTML,
    })
    expect(status).toBe(403)
    expect(text).toContain('href="/login/?next=%2Fapi%2Fdcim%2Fsites%2F"')
    expect(text).not.toContain('_filters')
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

  it.each([['/api/dcim/sites/?_filters=1&q=&_lookup.name=ic&name=x', '/api/dcim/sites/?name__ic=x']])(
    '%s leads to %s',
    async (from, to) => {
      const { status, headers } = await api.ask('GET', from, { headers: HTML })
      expect([status, headers.get('location')]).toEqual([302, to])
    },
  )

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

  it('anonymous users can read, and see no forms that would be refused', async () => {
    const { status, text } = await api.ask('GET', '/api/dcim/sites/1/', {
      token: null,
      headers: HTML,
    })
    expect(status).toBe(200)
    expect(text).toContain('Log in')
    expect(text).not.toMatch(/_view=(?!json)|Users<|You have not signed in/)
    const home = await api.ask('GET', '/', { token: null, headers: HTML })
    expect(home.text).toMatch(/Devices<\/a> <span class="count">7</)
    expect(home.text).not.toContain('/api/users/tokens/')
  })

  it('HEAD has the headers of GET, without the page', async () => {
    const { status, headers, text } = await api.ask('HEAD', '/api/dcim/sites/', { headers: HTML })
    expect([status, headers.get('content-type'), text]).toEqual([200, 'text/html; charset=utf-8', ''])
  })
})
