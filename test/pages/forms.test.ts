import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Browser } from '../sessions/browser.ts'
import { type Api, type ApiAnswer, type Document, startApi } from '../support/api.ts'
import { formData, type PageForm, readForm } from './read-form.ts'

let api: Api
const ids: Record<string, number> = {}
beforeAll(async () => {
  api = await startApi()
  const make = async (key: string, path: string, body: unknown): Promise<void> => {
    const { json, status, text } = await api.ask('POST', `/api/${path}/`, { body })
    expect(status, text).toBe(201)
    ids[key] = Number(json.id)
  }
  await make('akron', 'dcim/sites', { name: 'Akron', slug: 'akron' })
  await make('boston', 'dcim/sites', { name: 'Boston <b>', slug: 'boston' })
  for (const [key, site] of [
    ['rackA', 'akron'],
    ['rackB', 'boston'],
  ] as const) {
    await make(key, 'dcim/racks', { name: 'Closet', site: ids[site], u_height: 4 })
  }
  await make('maker', 'dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  const type = { manufacturer: ids.maker, model: 'Router', slug: 'router', u_height: 2 }
  await make('type', 'dcim/device-types', type)
  await make('role', 'dcim/device-roles', { name: 'Core', slug: 'core' })
  for (const [key, site] of [
    ['rtrA', 'akron'],
    ['rtrB', 'boston'],
  ] as const) {
    const body = { name: `${site}-rtr`, site: ids[site], device_type: ids.type, role: ids.role }
    await make(key, 'dcim/devices', body)
  }
  // More than fit into a list, so that forms offer a search.
  const names = Array.from({ length: 40 }, (_, index) => `ge-0/0/${index}`)
  for (const device of [ids.rtrA, ids.rtrB]) {
    const body = names.map((name) => ({ device, name, type: '1000base-t' }))
    expect((await api.ask('POST', '/api/dcim/interfaces/', { body })).status).toBe(201)
  }
})
afterAll(() => api.close())

type Values = Readonly<Record<string, readonly string[]>>
const id = (key: string): string => String(ids[key])
const open = async (path: string): Promise<PageForm & { readonly text: string }> => {
  const { status, text } = await api.ask('GET', path, { headers: { accept: 'text/html' } })
  expect(status, text).toBe(200)
  return { ...readForm(text), text }
}
const send = (
  path: string,
  { values }: PageForm,
  changes: Readonly<Record<string, readonly (string | Blob)[]>>,
): Promise<ApiAnswer> => {
  const body = formData(new Map([...values, ...Object.entries(changes)]))
  return api.ask('POST', path, { body, headers: { accept: 'text/html' } })
}
const problems = ({ text }: ApiAnswer): string =>
  `${[...readForm(text).errors].join('\n')}\n${/<div class="notice bad".*?<\/div>/s.exec(text)?.[0] ?? ''}`
const choices = async (query: string): Promise<readonly string[]> => {
  const { json } = await api.ask('GET', `/choices/${query}`)
  return (json.results ?? []).map(({ display, context }: Document) => `${display} · ${context}`)
}

describe('choices', () => {
  it.each([
    ['the name and the site of a rack', 'dcim/racks/?q=closet+bost', ['Closet · Boston <b>']],
    ['the name and the device of an interface', 'dcim/interfaces/?q=0/0/7+akron', ['ge-0/0/7 · akron-rtr']],
    ['words in any order', 'dcim/interfaces/?q=AKRON+ge-0/0/7', ['ge-0/0/7 · akron-rtr']],
    [
      'objects of all types of a relation',
      '?relation=ipam.ipaddress.assigned_object&q=akron+0/0/7',
      ['ge-0/0/7 · akron-rtr · Interface'],
    ],
    ['nothing for a word that does not occur', 'dcim/interfaces/?q=ge-0/0/7+nowhere', []],
    ['the type with its manufacturer', 'dcim/device-types/?q=maker+rout', ['Router · Maker']],
    ['signs that patterns of SQL have', 'dcim/sites/?q=%25', []],
  ])('are found by %s', async (_what, query, expected) => {
    expect(await choices(query)).toEqual(expected)
  })

  it('are narrowed by filters, and limited in number', async () => {
    const { json } = await api.ask('GET', `/choices/dcim/interfaces/?device_id=${id('rtrB')}&limit=5`)
    expect(json.results).toHaveLength(5)
    expect([json.has_more, json.results?.[0]?.context]).toEqual([true, 'boston-rtr'])
  })

  it('refuse invalid filters, and other paths', async () => {
    expect((await api.ask('GET', '/choices/dcim/racks/?site_id=x')).status).toBe(400)
    expect((await api.ask('GET', '/choices/dcim/nothing/')).status).toBe(404)
    expect((await api.ask('GET', '/choices/dcim/racks/', { token: null })).status).toBe(403)
  })

  it('are only those that the user may view', async () => {
    const browser = await restrictedUser('chooser', [
      ['dcim.rack', ['view', 'add'], { site__slug: 'akron' }],
      ['dcim.site', ['view'], { slug: 'akron' }],
    ])
    const { text } = await browser.visit('/choices/dcim/racks/?q=closet')
    expect(JSON.parse(text).results).toMatchObject([{ context: 'Akron' }])
    expect(JSON.parse((await browser.visit('/choices/dcim/racks/?q=boston')).text).results).toEqual([])
    const form = readForm((await browser.visit('/dcim/racks/add/')).text)
    expect([...(form.options.get('site')?.values() ?? [])]).toEqual(['—', 'Akron'])
    expect((await browser.visit('/choices/dcim/devices/')).status).toBe(403)
    expect((await browser.visit('/dcim/devices/add/')).status).toBe(403)
  })
})

async function restrictedUser(
  username: string,
  grants: readonly (readonly [string, readonly string[], unknown])[],
): Promise<Browser> {
  const password = 'Corr3ct-Horse-Battery'
  const { json } = await api.ask('POST', '/api/users/users/', { body: { username, password } })
  for (const [type, actions, constraints] of grants) {
    const body = { name: type, object_types: [type], actions, constraints, users: [json.id] }
    expect((await api.ask('POST', '/api/users/permissions/', { body })).status).toBe(201)
  }
  const browser = new Browser(api.url)
  await browser.logIn(username, password)
  return browser
}

describe('a form', () => {
  it('names objects with identifying details, and escapes their names', async () => {
    const { options, text } = await open('/dcim/devices/add/')
    expect([...(options.get('rack')?.values() ?? [])]).toEqual(['—', 'Closet · Akron', 'Closet · Boston <b>'])
    expect(text).not.toContain('Boston <b>')
  })

  it('is filled in from the query, which narrows choices', async () => {
    const { values, options } = await open(`/dcim/devices/add/?site=${id('akron')}&name=new&tags=x`)
    expect([values.get('site'), values.get('name')]).toEqual([[id('akron')], ['new']])
    expect([...(options.get('rack')?.keys() ?? [])]).toEqual(['', id('rackA')])
  })

  it('narrows choices by a generic relation only if the type fits', async () => {
    const vlan = { vid: 7, name: 'Seven', site: ids.akron }
    expect((await api.ask('POST', '/api/ipam/vlans/', { body: vlan })).status).toBe(201)
    const offered = async (type: string): Promise<number | undefined> => {
      const query = `scope_type=${type}&scope_id=${id('boston')}`
      return (await open(`/ipam/prefixes/add/?${query}`)).options.get('vlan')?.size
    }
    expect([await offered('dcim.region'), await offered('dcim.site')]).toEqual([2, 1])
  })

  it('offers a device its own addresses only', async () => {
    const ofDevice = async (device: string, address: string): Promise<void> => {
      const { json } = await api.ask('GET', `/api/dcim/interfaces/?device_id=${id(device)}&limit=1`)
      const assigned = { assigned_object_type: 'dcim.interface', assigned_object_id: json.results?.[0]?.id }
      expect((await api.ask('POST', '/api/ipam/ip-addresses/', { body: { address, ...assigned } })).status).toBe(201)
    }
    await ofDevice('rtrA', '198.51.100.1/24')
    await ofDevice('rtrB', '198.51.100.2/24')
    const { options } = await open(`/dcim/devices/${id('rtrA')}/edit/`)
    for (const name of ['primary_ip4', 'primary_ip6', 'oob_ip']) {
      const offered = [...(options.get(name)?.values() ?? [])].join()
      expect([offered.includes('198.51.100.1/24'), offered.includes('198.51.100.2/24')], name).toEqual([true, false])
    }
  })

  it('searches among many objects without scripts, and keeps the entered values', async () => {
    const path = '/ipam/ip-addresses/add/'
    const form = await open(path)
    const found = await send(path, form, {
      address: ['192.0.2.1/24'],
      _find: ['assigned_object'],
      'find.assigned_object': ['0/0/7 akron'],
    })
    expect(found.status).toBe(200)
    const { values, options } = readForm(found.text)
    expect(values.get('address')).toEqual(['192.0.2.1/24'])
    expect(options.get('assigned_object')?.get(values.get('assigned_object')?.[0] ?? '')).toBe(
      'ge-0/0/7 · akron-rtr · Interface',
    )
    const saved = await send(path, readForm(found.text), { _save: ['1'] })
    expect(saved.status, problems(saved)).toBe(303)
    const { json } = await api.ask('GET', '/api/ipam/ip-addresses/?address=192.0.2.1/24')
    expect(json.results?.[0]?.assigned_object?.name).toBe('ge-0/0/7')
  })

  it('offers the free positions of the rack', async () => {
    const query = `?site=${id('akron')}&rack=${id('rackA')}&device_type=${id('type')}&face=front`
    const form = await open(`/dcim/devices/add/${query}`)
    expect([...(form.options.get('position')?.values() ?? [])]).toEqual(['—', 'U3', 'U2', 'U1'])
    const saved = await send(`/dcim/devices/add/${query}`, form, {
      name: ['mounted'],
      role: [id('role')],
      position: ['2'],
    })
    expect(saved.status, problems(saved)).toBe(303)
    const { options } = await open(`/dcim/devices/add/${query}`)
    expect([...(options.get('position')?.values() ?? [])]).toEqual(['—'])
  })

  it('derives the slug from the name', async () => {
    const form = await open('/dcim/sites/add/')
    expect((await send('/dcim/sites/add/', form, { name: ['Zürich  Nord 1'] })).status).toBe(303)
    const { json } = await api.ask('GET', '/api/dcim/sites/?slug=zurich-nord-1')
    expect(json.count).toBe(1)
  })

  it('creates several components from a pattern', async () => {
    const path = `/dcim/interfaces/add/?device=${id('rtrA')}&type=virtual`
    const form = await open(path)
    const saved = await send(path, form, { name: ['lo[10-12]'], label: ['L[a-c]'] })
    expect(saved.headers.get('location'), problems(saved)).toMatch(
      /^\/dcim\/interfaces\/\?created_by_request=[\w-]+&saved=created-all&/,
    )
    const { json } = await api.ask('GET', '/api/dcim/interfaces/?name__isw=lo')
    expect(json.results?.map(({ name, label }: Document) => `${name} ${label}`)).toEqual([
      'lo10 La',
      'lo11 Lb',
      'lo12 Lc',
    ])
    const refused = await send(path, form, { name: ['x[1-3]'], label: ['L[a-b]'] })
    expect([refused.status, readForm(refused.text).errors.get('label')]).toEqual([
      400,
      'This pattern produces 2 values, but the pattern of the name produces 3.',
    ])
  })

  it.each(['ge[11-8]', 'x[1-100000]', 'Q[A-b]', 'Q[a-B]', 'a[1-3]b[c-a]', 'y[1,3-2]', 'z[1-40]w[1-40]'])(
    'refuses %s at the name, and creates nothing',
    async (name) => {
      for (const [path, errors] of [
        [`/dcim/interfaces/add/?device=${id('rtrA')}&type=virtual`, 'name'],
        [`/dcim/module-bays/add/?device=${id('rtrA')}`, 'name'],
      ] as const) {
        const refused = await send(path, await open(path), { name: [name] })
        expect(refused.status).toBe(400)
        expect(readForm(refused.text).errors.get(errors)).toContain('Write a pattern such as [1-8]')
      }
      const { json } = await api.ask('GET', `/api/dcim/interfaces/?name=${encodeURIComponent(name)}`)
      expect(json.count).toBe(0)
    },
  )

  it('accepts brackets that are not a pattern as part of the name', async () => {
    const path = `/dcim/interfaces/add/?device=${id('rtrA')}&type=virtual`
    const saved = await send(path, await open(path), { name: ['mgmt[old]'] })
    expect(saved.status, problems(saved)).toBe(303)
    const { json } = await api.ask('GET', '/api/dcim/interfaces/?name=mgmt%5Bold%5D')
    expect(json.count).toBe(1)
  })

  it.each([
    [
      'prefixes',
      { prefix: ['10.77.[0-1,8].0/24'], description: ['many'] },
      ['10.77.0.0/24', '10.77.1.0/24', '10.77.8.0/24'],
    ],
    ['ip-addresses', { address: ['2001:db8:77::[9-b]/64'] }, ['9', 'a', 'b'].map((n) => `2001:db8:77::${n}/64`)],
    [
      'vlans',
      { vid: ['770,772-773'], name: ['Voice {vid}'] },
      ['Voice 770 (770)', 'Voice 772 (772)', 'Voice 773 (773)'],
    ],
  ])('creates several %s from a pattern', async (list, values, displays) => {
    const path = `/ipam/${list}/bulk-add/?status=reserved`
    const saved = await send(path, await open(path), values)
    expect(saved.headers.get('location'), problems(saved)).toMatch(
      new RegExp(`^/ipam/${list}/\\?created_by_request=[^&]+&saved=created-all&`),
    )
    const { json } = await api.ask('GET', `/api/ipam/${list}/?status=reserved&limit=0`)
    expect(json.results?.map(({ display }: Document) => display)).toEqual(displays)
    const [field = ''] = Object.keys(values)
    const refused = await send(path, await open(path), { ...values, [field]: ['10.0.[7-3].0/24'] })
    expect([refused.status, readForm(refused.text).errors.get(field)]).toEqual([400, 'This pattern is not valid.'])
    expect((await api.ask('GET', `/ipam/${list}/add/`)).text).toContain(`/ipam/${list}/bulk-add/`)
  })

  it('connects ports with a cable, and shows its ends', async () => {
    const port = async (device: string, name: string): Promise<string> => {
      const { json } = await api.ask('GET', `/api/dcim/interfaces/?device_id=${id(device)}&name=${name}`)
      return String(json.results?.[0]?.id)
    }
    const [a, b] = [await port('rtrA', 'ge-0/0/1'), await port('rtrB', 'ge-0/0/1')]
    const path = `/dcim/cables/add/?a_terminations_type=dcim.interface&a_terminations=${a}&b_terminations_device=${id('rtrB')}`
    const form = await open(path)
    expect(form.values.get('a_terminations')).toEqual([a])
    expect(form.options.get('b_terminations')?.size).toBe(40)
    const saved = await send(path, form, { b_terminations: [b] })
    expect(saved.status, problems(saved)).toBe(303)
    const own = saved.headers.get('location')?.split('?')[0] ?? ''
    const { values } = await open(`${own}edit/`)
    expect([values.get('a_terminations'), values.get('b_terminations')]).toEqual([[a], [b]])
    expect([values.get('a_terminations_device'), values.get('b_terminations_device')]).toEqual([
      [id('rtrA')],
      [id('rtrB')],
    ])
    const again = await send(path, form, { b_terminations: [b] })
    expect([
      again.status,
      [...readForm(again.text).errors.keys()].length > 0 || again.text.includes('Not saved.'),
    ]).toEqual([400, true])
  })

  it('stores and removes a file', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    )
    const path = `/dcim/device-types/${id('type')}/edit/`
    const saved = await send(path, await open(path), {
      front_image: [new Blob([png], { type: 'image/png' })],
    })
    expect(saved.headers.get('location'), problems(saved)).toContain('saved=changed')
    const stored = async () => (await api.ask('GET', `/api/dcim/device-types/${id('type')}/`)).json.front_image
    expect(await stored()).toContain('/media/')
    await send(path, await open(path), { _clear: ['front_image'] })
    expect(await stored()).toBeNull()
  })

  it.each([
    ['/dcim/devices/add/', { name: ['x'] }, ['role', 'device_type', 'site']],
    ['/dcim/sites/add/', { name: [''] }, ['name', 'slug']],
    ['/dcim/sites/add/', { name: ['x'], latitude: ['1000'] }, ['latitude']],
  ])('%s lists its problems as links to the fields: %j', async (path, changes, fields) => {
    const refused = await send(path, await open(path), changes)
    expect(refused.status).toBe(400)
    const box = /<div class="notice bad" role="alert">(.*?)<\/div>/s.exec(refused.text)?.[1] ?? ''
    expect(box).toContain(fields.length === 1 ? '1 problem: ' : `${fields.length} problems: `)
    const targets = [...box.matchAll(/<a href="#([^"]+)">/g)].map(([, id]) => id)
    expect(targets.toSorted()).toEqual(fields.map((field) => `field-${field}`).toSorted())
    for (const id of targets) expect(refused.text).toContain(` id="${id}"`)
  })

  it('of the next circuit termination is for the free side', async () => {
    const provider = await api.make('circuits/providers', { name: 'Two ends', slug: 'two-ends' })
    const type = await api.make('circuits/circuit-types', { name: 'Two ends', slug: 'two-ends' })
    const circuit = await api.make('circuits/circuits', { cid: 'two-ends', provider, type })
    const path = '/circuits/circuit-terminations/add/'
    const sides: unknown[] = []
    for (let next = `${path}?circuit=${circuit}&term_side=A`; sides.length < 3; ) {
      const form = await open(next)
      sides.push([form.values.get('circuit'), form.values.get('term_side')])
      const saved = await send(path, form, { termination: ['dcim.site:1'], _addanother: ['1'] })
      next = saved.headers.get('location') ?? path
    }
    expect(sides).toEqual([
      [[`${circuit}`], ['A']],
      [[`${circuit}`], ['Z']],
      [[`${circuit}`], ['']],
    ])
  })

  it('confirms the action, with a link to the object', async () => {
    const form = await open('/dcim/sites/add/?status=planned')
    const path = '/dcim/sites/add/?status=planned'
    const saved = await send(path, form, { name: ['One <i>'], slug: ['one'], _addanother: ['1'] })
    const location = saved.headers.get('location') ?? ''
    const next = await open(location)
    expect(next.text).toMatch(
      /<p class="notice good toast" role="status"><span>Site <a href="\/dcim\/sites\/\d+\/"><bdi>One &lt;i&gt;<\/bdi><\/a> was created\. <a [^>]*>Undo<\/a><\/span>/,
    )
    expect([next.values.get('status'), next.values.get('name')]).toEqual([['planned'], ['']])
    // The page of another model also names what was created.
    const elsewhere = await send(path, form, {
      ...{ name: ['Four'], slug: ['four'], return_url: ['/dcim/regions/?q=a'] },
    })
    const shown = await open(elsewhere.headers.get('location') ?? '')
    expect(shown.text).toMatch(/role="status"><span>\w[\w ]+ <a href="[^"]+"><bdi>Four<\/bdi><\/a> was created/)
    const back = await send(path, form, { name: ['Two'], return_url: ['/dcim/regions/?q=a'] })
    expect(back.headers.get('location')).toMatch(
      /^\/dcim\/regions\/\?q=a&saved=created&saved_id=\d+&saved_request=[\w-]+&saved_model=dcim\.site$/,
    )
    const away = await send(path, form, {
      name: ['Three'],
      return_url: ['https://elsewhere.example/'],
    })
    expect(away.headers.get('location')).toMatch(/^\/dcim\/sites\/\d+\/\?saved=created/)
  })

  it('does not change the order of choices in a field that was not edited', async () => {
    const set = await api.ask('POST', '/api/extras/custom-field-choice-sets/', {
      body: { name: 'Sizes', extra_choices: ['s', 'm', 'l'].map((size) => [size, size]) },
    })
    const field = { name: 'sizes', type: 'multiselect', choice_set: set.json.id }
    const made = await api.ask('POST', '/api/extras/custom-fields/', {
      body: { ...field, object_types: ['dcim.region'] },
    })
    expect(made.status, made.text).toBe(201)
    const body = { name: 'East', slug: 'east', custom_fields: { sizes: ['l', 's'] } }
    const { json: region } = await api.ask('POST', '/api/dcim/regions/', { body })
    const path = `/dcim/regions/${region.id}/edit/`
    await send(path, await open(path), { description: ['The east'] })
    const { json } = await api.ask('GET', `/api/dcim/regions/${region.id}/`)
    expect([json.description, json.custom_fields?.sizes]).toEqual(['The east', ['l', 's']])
    const emptied = await send(path, await open(path), { 'custom_fields.sizes': [] })
    expect(emptied.status, problems(emptied)).toBe(303)
    const found = await api.ask('GET', '/api/dcim/regions/?cf_sizes__empty=true&slug=east')
    expect(found.json.results?.map(({ custom_fields }: Document) => custom_fields?.sizes)).toEqual([null])
  })

  it.each([
    [
      'of a new object, filled in already',
      '/dcim/device-types/add/',
      (): Values => ({ manufacturer: [id('maker')], model: ['Pizza'], slug: ['pizza'] }),
      '/api/dcim/device-types/?slug=pizza',
      { u_height: 1 },
    ],
    [
      'of an existing object',
      (): string => `/dcim/device-types/${id('type')}/edit/`,
      (): Values => ({ weight: ['12.50'], weight_unit: ['kg'] }),
      '/api/dcim/device-types/?slug=router',
      { weight: 12.5 },
    ],
    [
      'of a virtual machine',
      '/virtualization/virtual-machines/add/',
      (): Values => ({ name: ['vm'], site: [id('akron')], vcpus: ['4.0'] }),
      '/api/virtualization/virtual-machines/?name=vm',
      { vcpus: 4 },
    ],
    [
      'of a custom field, exactly',
      async (): Promise<string> => {
        const body = { name: 'share', type: 'decimal', object_types: ['dcim.region'] }
        expect((await api.ask('POST', '/api/extras/custom-fields/', { body })).status).toBe(201)
        return '/dcim/regions/add/'
      },
      (): Values => ({ name: ['Exact'], slug: ['exact'], 'custom_fields.share': ['9007199254740993.10'] }),
      '/api/dcim/regions/?slug=exact',
      '"share":9007199254740993.10',
    ],
  ] as const)('accepts decimals that end with a zero: %s', async (_what, path, changes, list, saved) => {
    const form = typeof path === 'function' ? await path() : path
    const sent = await send(form, await open(form), changes())
    expect(sent.status, problems(sent)).toBe(303)
    const { json, text } = await api.ask('GET', list)
    if (typeof saved === 'string') expect(text).toContain(saved)
    else expect(json.results?.[0]).toMatchObject(saved)
  })

  it('writes the note to the change log', async () => {
    const path = `/dcim/sites/${id('akron')}/edit/`
    await send(path, await open(path), { facility: ['F1'], changelog_message: ['Moved in'] })
    const { json } = await api.ask('GET', `/api/core/object-changes/?changed_object_id=${id('akron')}&limit=1`)
    expect(json.results?.[0]?.message).toBe('Moved in')
  })
})

describe('a preview', () => {
  it('shows Markdown as pages do', async () => {
    const form = await open('/dcim/sites/add/')
    const shown = await send('/dcim/sites/add/', form, {
      comments: ['**bold** <b>'],
      _preview: ['comments'],
    })
    expect(shown.text).toContain('<strong>bold</strong> &lt;b&gt;')
    expect(readForm(shown.text).values.get('comments')).toEqual(['**bold** <b>'])
  })

  it.each([
    [
      '{"site__slug": "akron", "name": "akron-rtr"}',
      /Devices<\/strong>: 1 object<ul><li><a href="\/dcim\/devices\/\d+\/"><bdi>akron-rtr/,
    ],
    ['[{"name": "akron-rtr"}, {"name": "boston-rtr"}]', /Devices<\/strong>: 2 objects/],
    ['{"nothing": 1}', /Devices<\/strong>: no objects/],
    ['{', /Constraints must be a JSON object/],
  ])('shows the objects that the constraints %s select', async (constraints, expected) => {
    const path = '/users/permissions/add/'
    const shown = await send(path, await open(path), {
      object_types: ['dcim.device'],
      constraints: [constraints],
      _preview: ['constraints'],
    })
    expect(shown.status).toBe(200)
    expect(shown.text).toMatch(expected)
  })
})

describe('an object that was changed in the meantime', () => {
  const change = (body: unknown) => api.ask('PATCH', `/api/dcim/sites/${id('boston')}/`, { body })

  it('is shown before the edit, with the other changes, and as entered, and the entered values can be saved', async () => {
    const path = `/dcim/sites/${id('boston')}/edit/`
    await change({ facility: 'old', description: 'old' })
    const form = await open(path)
    await change({ facility: 'theirs', physical_address: 'theirs too' })
    const conflict = await send(path, form, { facility: ['mine'], description: ['mine too'] })
    expect(conflict.status).toBe(412)
    for (const text of ['old', 'theirs', 'theirs too', 'mine', 'mine too']) {
      expect(conflict.text).toContain(`<bdi class="text">${text}</bdi>`)
    }
    const hidden = readForm(conflict.text.replace('<form class="card"', '<form class="edit"'))
    const saved = await send(path, hidden, { _save: ['1'] })
    expect(saved.status, problems(saved)).toBe(303)
    const { json } = await api.ask('GET', `/api/dcim/sites/${id('boston')}/`)
    expect([json.facility, json.description, json.physical_address]).toEqual(['mine', 'mine too', 'theirs too'])
  })
})

describe('values that are lists or documents', () => {
  const create = async (path: string, changes: Readonly<Record<string, readonly string[]>>) => {
    const saved = await send(path, await open(path), changes)
    expect(saved.status, problems(saved)).toBe(303)
    return /saved_id=(\d+)/.exec(saved.headers.get('location') ?? '')?.[1] ?? ''
  }
  const stored = async (path: string): Promise<Document> => (await api.ask('GET', path)).json

  it('are edited in a list if they are few, even if other fields narrow them', async () => {
    const { json } = await api.ask('POST', '/api/ipam/vlans/', {
      body: [7, 8].map((vid) => ({ vid, name: `v${vid}`, site: ids.akron })),
    })
    const [first, second] = (Array.isArray(json) ? json : []).map(({ id }) => String(id))
    const { text } = await open(`/dcim/interfaces/add/?device=${id('rtrA')}&tagged_vlans=${second}`)
    const list = text.slice(text.indexOf('data-field="tagged_vlans"'))
    expect(list).toContain(`<option value="${second}" selected>`)
    expect(list).toContain(`<option value="${first}">`)
  })

  it('are edited as ranges of numbers', async () => {
    const vlans = await create('/ipam/vlan-groups/add/', {
      ...{ name: ['Campus'], slug: ['campus'], vid_ranges: ['1-100, 200,300-310'] },
    })
    const { vid_ranges } = await stored(`/api/ipam/vlan-groups/${vlans}/`)
    expect(vid_ranges).toEqual([
      [1, 100],
      [200, 200],
      [300, 310],
    ])
    const form = await open(`/ipam/vlan-groups/${vlans}/edit/`)
    expect(form.values.get('vid_ranges')).toEqual(['1-100,200,300-310'])
    const refused = await send(`/ipam/vlan-groups/${vlans}/edit/`, form, { vid_ranges: ['1-x'] })
    expect(readForm(refused.text).errors.get('vid_ranges')).toBe('Write ranges of numbers, such as 1-100,200.')
  })

  it('are edited as units of a rack, one by one or as ranges', async () => {
    const reservation = await create(`/dcim/rack-reservations/add/?rack=${id('rackA')}`, {
      ...{ units: ['1-2,4'], user: ['1'], description: ['For the move'] },
    })
    expect((await stored(`/api/dcim/rack-reservations/${reservation}/`)).units).toEqual([1, 2, 4])
    const form = await open(`/dcim/rack-reservations/${reservation}/edit/`)
    expect(form.values.get('units')).toEqual(['1-2,4'])
  })

  it('are edited as choices, one per line, with labels and colors', async () => {
    const set = await create('/extras/custom-field-choices/add/', {
      name: ['Sizes of parts'],
      extra_choices: ['s: Small\nl: Large\nother\na\\:b: With a colon'],
      choice_colors: ['s: red\nl: green'],
    })
    const { extra_choices, choice_colors } = await stored(`/api/extras/custom-field-choice-sets/${set}/`)
    expect(extra_choices).toEqual([
      ['s', 'Small'],
      ['l', 'Large'],
      ['other', 'other'],
      ['a:b', 'With a colon'],
    ])
    expect(choice_colors).toEqual({ s: 'red', l: 'green' })
    const { values } = await open(`/extras/custom-field-choices/${set}/edit/`)
    expect(values.get('extra_choices')).toEqual(['s: Small\nl: Large\nother\na\\:b: With a colon'])
    // The database stores the names of an object in its own order.
    expect(values.get('choice_colors')).toEqual(['l: green\ns: red'])
  })

  it('are edited with check boxes for actions at creation', async () => {
    const { sentAs, values } = await open('/dcim/modules/add/')
    expect([sentAs.get('replicate_components'), sentAs.get('adopt_components')]).toEqual(['boolean', 'boolean'])
    expect(values.get('replicate_components')).toEqual(['true'])
    expect(values.has('adopt_components')).toBe(false)
  })

  it('are free positions of rear ports, distributed among the front ports of a pattern', async () => {
    const rear = await create(`/dcim/rear-ports/add/?device=${id('rtrA')}`, {
      ...{ name: ['Rear'], type: ['lc'], positions: ['6'] },
    })
    const path = `/dcim/front-ports/add/?device=${id('rtrA')}`
    expect((await open(path)).text).toContain(`value="${rear}:6"`)
    const positions = [1, 2, 3, 4].map((position) => `${rear}:${position}`)
    const values = { name: ['Front[1-2]'], type: ['lc'], positions: ['2'] }
    const saved = await send(path, await open(path), { ...values, rear_ports: positions })
    expect(saved.status, problems(saved)).toBe(303)
    const { results } = await stored(`/api/dcim/front-ports/?device_id=${id('rtrA')}`)
    expect(results?.map(({ name, rear_ports }) => [name, rear_ports])).toEqual([
      ['Front1', [1, 2].map((n) => ({ position: n, rear_port: Number(rear), rear_port_position: n }))],
      ['Front2', [1, 2].map((n) => ({ position: n, rear_port: Number(rear), rear_port_position: n + 2 }))],
    ])
    const { text } = await open(path)
    expect(text).not.toContain(`value="${rear}:4"`)
    expect(text).toContain(`value="${rear}:5"`)
    const odd = { ...values, name: ['Odd[1-2]'], rear_ports: [`${rear}:5`] }
    const refused = await send(path, await open(path), odd)
    expect(problems(refused)).toContain('1 positions cannot be divided among 2 objects.')
  })
})

describe('a clone that is saved unread', () => {
  beforeAll(async () => {
    const shared = { object_types: ['dcim.site'], is_cloneable: true }
    const choice_set = await api.make('extras/custom-field-choice-sets', {
      ...{
        name: 'Colours',
        extra_choices: [
          ['r', 'Red'],
          ['g', 'Green'],
          ['a:b', 'With: colon'],
        ],
      },
    })
    await api.make('extras/custom-fields', { ...shared, name: 'several', type: 'multiselect', choice_set })
    await api.make('extras/custom-fields', { ...shared, name: 'document', type: 'json' })
  })

  it.each<[string, object, Values, readonly string[]]>([
    [
      'users/permissions',
      { name: 'P', object_types: ['dcim.site', 'dcim.rack'], actions: ['view', 'add', 'change', 'render'] },
      { name: ['Q'] },
      ['actions', 'object_types', 'constraints', 'enabled'],
    ],
    [
      'users/permissions',
      { name: 'R', object_types: ['dcim.site'], actions: ['view'], constraints: [{ id: 1 }, { name: 'x', id: 2 }] },
      { name: ['S'] },
      ['actions', 'constraints'],
    ],
    [
      'users/permissions',
      { name: 'T', object_types: ['dcim.site'], actions: ['a', 'b'], constraints: { id: 5 } },
      { name: ['U'] },
      ['actions', 'constraints'],
    ],
    [
      'extras/custom-field-choice-sets',
      {
        name: 'V',
        extra_choices: [
          ['a', 'Alpha'],
          ['b', 'b'],
          ['c:d', 'With: colon'],
        ],
        order_alphabetically: true,
      },
      { name: ['W'] },
      ['extra_choices', 'order_alphabetically'],
    ],
    [
      'extras/saved-filters',
      { name: 'X', slug: 'x', object_types: ['dcim.site', 'dcim.rack'], parameters: { id: ['1', '2'], value: ['3'] } },
      { name: ['Y'], slug: ['y'] },
      ['object_types', 'parameters'],
    ],
    [
      'extras/tags',
      { name: 'A', slug: 'a', object_types: ['dcim.site', 'dcim.rack'] },
      { name: ['B'], slug: ['b'] },
      ['object_types'],
    ],
    [
      'dcim/sites',
      { name: 'C', slug: 'c', custom_fields: { several: ['r', 'a:b'], document: [{ id: 1 }, { value: 2 }] } },
      { name: ['D'], slug: ['d'] },
      ['custom_fields', 'status'],
    ],
  ])('has the values of the object: %s %j', async (path, body, names, copied) => {
    const original = await api.make(path, body)
    const page = { 'extras/custom-field-choice-sets': 'extras/custom-field-choices' }[path] ?? path
    const { text } = await api.ask('GET', `/${page}/${original}/`, { headers: { accept: 'text/html' } })
    const href = new RegExp(`href="([^"]*/${page}/add/\\?[^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const saved = await send(href, await open(href), names)
    expect(saved.status, problems(saved)).toBe(303)
    const objects = (await api.ask('GET', `/api/${path}/?limit=0`)).json.results ?? []
    const [one, other] = [
      objects.find(({ id }) => Number(id) === original),
      objects.find(({ name }) => String(name) === names.name?.[0]),
    ]
    for (const field of copied) expect(other?.[field], field).toEqual(one?.[field])
  })
})
