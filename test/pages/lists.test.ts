import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
  await create('/api/dcim/sites/', [
    { name: 'Akron', slug: 'akron', status: 'active', custom_fields: {} },
    { name: 'Boston', slug: 'boston', status: 'planned' },
    { name: 'Albany <b>', slug: 'albany', status: 'planned' },
  ])
  await create('/api/dcim/locations/', [{ name: 'Hall', slug: 'hall', site: { slug: 'akron' } }])
})
afterAll(() => api.close())

async function create(path: string, body: unknown): Promise<ApiAnswer> {
  const answer = await api.ask('POST', path, { body })
  expect(answer.status, answer.text).toBe(201)
  return answer
}

const get = (path: string): Promise<ApiAnswer> => api.ask('GET', path, { headers: { accept: 'text/html' } })

function post(path: string, fields: readonly (readonly [string, string])[]): Promise<ApiAnswer> {
  const body = new FormData()
  for (const [name, value] of fields) body.append(name, value)
  return api.ask('POST', path, { body, headers: { accept: 'text/html' } })
}

const idOf = async (path: string): Promise<number> => {
  const { json } = await api.ask('GET', path)
  return Number(json.results?.[0]?.id)
}

const headings = (text: string): readonly string[] =>
  [...text.matchAll(/<th scope="col"[^>]*>(?:<a[^>]*>)?([^<]+)/g)].map(([, label]) => label ?? '')

describe('filters in use', () => {
  it('are described in words and can be removed one by one', async () => {
    const site = await idOf('/api/dcim/sites/?slug=akron')
    const { text } = await get(`/dcim/locations/?site_id=${site}&name__ic=ha`)
    expect(text).toContain('>Site: <bdi>Akron</bdi></button><a href="?name__ic=ha"')
    expect(text).toContain(`>Name contains: <bdi>ha</bdi></button><a href="?site_id=${site}"`)
    expect(text).toContain('>Hall<')
  })

  it('show labels of choices and names for slugs', async () => {
    expect((await get('/dcim/sites/?status=planned')).text).toContain('Status: <bdi>Planned</bdi>')
    expect((await get('/dcim/locations/?site=akron')).text).toContain('Site: <bdi>Akron</bdi>')
  })

  it('name objects instead of their ids, including generic relations, and requests by author and time', async () => {
    const site = await idOf('/api/dcim/sites/?slug=akron')
    const panel = await create('/api/dcim/power-panels/', { name: 'P', site })
    const { text: cables } = await get(`/dcim/cables/?site_id=${site}`)
    expect(cables).toContain('>Site: <bdi>Akron</bdi></button>')
    const { text: groups } = await get(`/ipam/vlan-groups/?scope_type=dcim.site&scope_id=${site}`)
    expect(groups).toContain('<bdi>Akron</bdi>')
    const query = `changed_object_type=dcim.powerpanel&changed_object_id=${panel.json.id}`
    const { json } = await api.ask('GET', `/api/core/object-changes/?${query}`)
    const request = String(json.results?.[0]?.request_id)
    const { text: made } = await get(`/dcim/power-panels/?modified_by_request=${request}`)
    expect(made).toMatch(/Modified by request: <bdi>admin, \d{4}-\d\d-\d\d \d\d:\d\d UTC<\/bdi>/)
    expect(made).not.toContain(`<bdi>${request}`)
  })

  it.each([
    ['/dcim/locations/?site_id=999999', 'site_id', 'Site: there is none with the id 999999.'],
    ['/dcim/sites/?status=nonsense', 'status', 'Status: “nonsense” is not a valid value. Choose: Planned, '],
  ])('that are invalid are reported at their fields and above the list: %s', async (path, name, says) => {
    const { status, text } = await get(path)
    expect(status).toBe(400)
    const field = text.slice(text.indexOf(`data-field="${name}"`))
    expect(field.slice(0, field.indexOf('</div>\n') + 2000)).toContain('class="error"')
    expect(text).toContain(`<div class="notice bad" role="alert"><p>${says}`)
  })

  it.each([
    ['time_after=2026-01-02', 'datetime-local', '2026-01-02T00:00'],
    ['time_after=2026-01-02T10:20:30.5Z', 'datetime-local', '2026-01-02T10:20:30'],
    ['time_after=2026-01-02T10:20:30%2B02:00', 'text', '2026-01-02T10:20:30+02:00'],
    ['time_after=', 'datetime-local', ''],
  ])('by a time have a picker if it can show the value: %s', async (query, type, value) => {
    const { text } = await get(`/core/changelog/?${query}`)
    const [input = ''] = /<input[^>]*name="time_after"[^>]*>/.exec(text) ?? []
    expect([input.includes(`type="${type}"`), input.includes(`value="${value}"`)]).toEqual([true, true])
  })

  it('that the list does not have are reported', async () => {
    const { status, text } = await get('/dcim/sites/?nonsense=<b>')
    expect(status).toBe(200)
    expect(text).toContain('This list has no filter “<bdi>nonsense</bdi>”')
  })

  it('submitted with a form get a URL without empty fields', async () => {
    const { status, headers } = await get('/dcim/sites/?_filters=1&q=&status=planned&_lookup.name=ic&name=bo&limit=25')
    expect(status).toBe(303)
    expect(headers.get('location')).toBe('/dcim/sites/?status=planned&name__ic=bo&limit=25')
  })

  it('can be applied with the order and the page size through URLs of NetBox', async () => {
    const { headers } = await get('/dcim/sites/?status=planned&sort=-name&per_page=1&page=2')
    expect(headers.get('location')).toBe('/dcim/sites/?status=planned&ordering=-name&limit=1&offset=1')
  })
})

describe('the context of a related object', () => {
  const first = async (path: string, body: unknown): Promise<number> => Number((await create(path, body)).json.id)

  it('has no part that the row or the page shows elsewhere', async () => {
    const site = await idOf('/api/dcim/sites/?slug=boston')
    const role = await first('/api/dcim/device-roles/', { name: 'Leaf', slug: 'leaf' })
    const maker = await first('/api/dcim/manufacturers/', { name: 'Fresnel', slug: 'fresnel' })
    const type = await first('/api/dcim/device-types/', { manufacturer: maker, model: 'F1', slug: 'f1' })
    const device = await first('/api/dcim/devices/', { name: 'leaf-7', site, role, device_type: type })
    const port = await first('/api/dcim/interfaces/', { device, name: 'mgmt0', type: 'virtual' })
    const assigned = { assigned_object_type: 'dcim.interface', assigned_object_id: port }
    const address = await first('/api/ipam/ip-addresses/', { address: '192.0.2.7/24', ...assigned })
    expect((await api.ask('PATCH', `/api/dcim/devices/${device}/`, { body: { primary_ip4: address } })).status).toBe(
      200,
    )
    for (const path of ['/dcim/devices/?q=leaf-7', `/dcim/devices/${device}/`]) {
      const { text } = await get(path)
      expect(/192\.0\.2\.7\/24<\/bdi><\/a> <small class="context"><bdi>([^<]*)/s.exec(text)?.[1], path).toBe('mgmt0')
    }
    const { text } = await get(`/ipam/ip-addresses/${address}/`)
    expect(text.replace(/<[^>]+>/g, '')).toContain('leaf-7 › mgmt0')
  })
})

describe('a saved filter', () => {
  it('is made from the filters of a list and may be the default', async () => {
    expect((await get('/dcim/sites/filters/?status=planned')).text).toContain('Status: Planned')
    const saved = await post('/dcim/sites/filters/', [
      ['query', 'status=planned&ordering=name'],
      ['name', 'Sites to come'],
      ['default', 'true'],
      ['do', 'save'],
    ])
    expect(saved.status, saved.text).toBe(303)
    const { json } = await api.ask('GET', '/api/extras/saved-filters/?slug=sites-to-come')
    expect(json.results?.[0]).toMatchObject({ shared: false, parameters: { status: ['planned'] } })
    const opened = await get('/dcim/sites/')
    expect(opened.headers.get('location')).toBe(saved.headers.get('location'))
    const { text } = await get(String(opened.headers.get('location')))
    expect(text).toContain('Saved filter: <bdi>Sites to come</bdi>')
    expect(text).not.toContain('>Akron<')
    expect((await get('/dcim/sites/?q=')).text).toContain('>Akron<')
  })

  it('is refused without a name, with the form shown again', async () => {
    const { status, text } = await post('/dcim/sites/filters/', [
      ['query', 'status=planned'],
      ['name', ''],
      ['do', 'save'],
    ])
    expect(status).toBe(400)
    expect(text).toContain('Not saved.')
    expect(text).toContain('Status: Planned')
  })

  it('is no longer the default after “No filter” was chosen', async () => {
    await post('/dcim/sites/filters/', [
      ['filter', ''],
      ['do', 'default'],
    ])
    expect((await get('/dcim/sites/')).status).toBe(200)
  })
})

describe('columns', () => {
  const chosen = (...names: readonly string[]) =>
    names.flatMap((name) => [['column', name] as const, ['order', name] as const])

  it('are stored for the user, in their order, including custom fields and tags', async () => {
    await create('/api/extras/custom-fields/', {
      name: 'floor',
      label: 'Floor number',
      type: 'integer',
      object_types: ['dcim.site'],
    })
    await api.ask('PATCH', `/api/dcim/sites/${await idOf('/api/dcim/sites/?slug=akron')}/`, {
      body: { custom_fields: { floor: 4711 } },
    })
    const saved = await post('/dcim/sites/columns/', [
      ['query', 'status=active'],
      ...chosen('name', 'cf_floor', 'tags', 'id'),
      ['do', 'save'],
    ])
    expect(saved.headers.get('location')).toBe('/dcim/sites/?status=active')
    const { text } = await get('/dcim/sites/?status=active')
    expect(headings(text)).toEqual(['Name', 'Floor number', 'Tags', 'ID'])
    expect(text).toContain('<td data-label="Floor number">4711</td>')
    const { json } = await api.ask('GET', '/api/users/config/')
    expect(json.tables?.SiteTable?.columns).toEqual(['name', 'cf_floor', 'tags', 'id'])
  })

  it('move by buttons without being stored', async () => {
    const { text } = await post('/dcim/sites/columns/', [...chosen('name', 'status', 'region'), ['up', 'region']])
    const order = [...text.matchAll(/name="order" value="([^"]+)"/g)].map(([, name]) => name)
    expect(order.slice(0, 3)).toEqual(['name', 'region', 'status'])
  })

  it('can be reset to those of the view', async () => {
    await post('/dcim/sites/columns/', [['do', 'reset']])
    expect(headings((await get('/dcim/sites/?empty_columns=shown')).text)).toContain('Facility')
  })

  it('without values are left out with a sign that names them, unless the user has chosen them', async () => {
    const { text } = await get('/dcim/sites/?status=active')
    expect(headings(text)).not.toContain('Facility')
    expect(text).toMatch(/Empty: [^<]*Facility[^<]*<a href="\?status=active&amp;empty_columns=shown">Show/)
    await post('/dcim/sites/columns/', [...chosen('name', 'facility'), ['do', 'save']])
    expect(headings((await get('/dcim/sites/')).text)).toEqual(['Name', 'Facility'])
    await post('/dcim/sites/columns/', [['do', 'reset']])
  })

  it('of a table config are used by those who choose it', async () => {
    const stored = await post('/dcim/sites/columns/', [
      ...chosen('name', 'slug'),
      ['name', 'Short'],
      ['shared', 'true'],
      ['do', 'store'],
    ])
    const location = String(stored.headers.get('location'))
    expect(location).toMatch(/^\/dcim\/sites\/\?tableconfig_id=\d+$/)
    expect(headings((await get(location)).text)).toEqual(['Name', 'Slug'])
    const { json } = await api.ask('GET', '/api/extras/table-configs/?name=Short')
    expect(json.results?.[0]).toMatchObject({ table: 'SiteTable', columns: ['name', 'slug'] })
  })

  it('cannot all be removed', async () => {
    const { status, text } = await post('/dcim/sites/columns/', [
      ['order', 'name'],
      ['do', 'save'],
    ])
    expect(status).toBe(400)
    expect(text).toContain('Check at least one column.')
  })

  it('stored in NetBox’s preferences are used', async () => {
    await api.ask('PATCH', '/api/users/config/', {
      body: { tables: { DeviceTable: { columns: ['pk', 'name', 'manufacturer', 'actions'] } } },
    })
    await create('/api/dcim/manufacturers/', { name: 'Acme', slug: 'acme' })
    await create('/api/dcim/device-types/', {
      manufacturer: { slug: 'acme' },
      model: 'X',
      slug: 'x',
    })
    await create('/api/dcim/device-roles/', { name: 'Switch', slug: 'switch' })
    await create('/api/dcim/devices/', {
      name: 'sw1',
      role: { slug: 'switch' },
      device_type: { slug: 'x' },
      site: { slug: 'akron' },
    })
    const { text } = await get('/dcim/devices/')
    expect(headings(text)).toEqual(['Name', 'Manufacturer'])
    expect(text).toContain('>Acme<')
  })
})

describe('the order of a list', () => {
  it('is changed through its headings', async () => {
    const { text } = await get('/dcim/sites/?ordering=name&offset=1&limit=1')
    expect(text).toContain('aria-sort="ascending"><a href="?ordering=-name&amp;limit=1">Name</a>')
  })
})

describe('the export menu', () => {
  it('keeps the filters and offers the templates of the model', async () => {
    await create('/api/extras/export-templates/', {
      name: 'Names & more',
      object_types: ['dcim.site'],
      template_code: '{% for each in queryset %}{{ each.name }};{% endfor %}',
    })
    const { text } = await get('/dcim/sites/?status=active')
    expect(text).toContain('href="?status=active&amp;export=json"')
    const link = /href="(\?status=active&amp;export=Names[^"]*)"/.exec(text)?.[1] ?? ''
    const exported = await get(`/dcim/sites/${link.replaceAll('&amp;', '&')}`)
    expect(exported.text).toBe('Akron;')
  })

  it('exports the columns that the user has chosen', async () => {
    await post('/dcim/sites/columns/', [
      ['column', 'slug'],
      ['column', 'name'],
      ['order', 'slug'],
      ['order', 'name'],
      ['do', 'save'],
    ])
    const { text } = await get('/dcim/sites/?status=active&export=table')
    expect(text.split('\r\n').slice(0, 2)).toEqual(['Slug,Name', 'akron,Akron'])
    await post('/dcim/sites/columns/', [['do', 'reset']])
  })
})

it('a list of objects that cannot be changed offers a link to read them', async () => {
  const { text } = await get('/core/changelog/')
  expect(text).not.toContain('formaction')
  expect(text).not.toContain('aria-label="Edit ')
  const body = new FormData()
  body.append('ids', '1-100')
  body.append('do', 'apply')
  const headers = { accept: 'text/html' }
  expect((await api.ask('POST', '/core/changelog/delete/', { body, headers })).status).toBe(404)
})
