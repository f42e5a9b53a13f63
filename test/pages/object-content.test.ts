import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { type Api, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const made = (path: string, body: object) => createdId(api, path, body)
const page = (path: string, token?: string) => readPage(api, path, token)
const submit = async (path: string, fields: Readonly<Record<string, string>>) =>
  await api.ask('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: {
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
    },
  })

/** Token of a new user who may view objects of these types. */
async function tokenOf(types: readonly string[]): Promise<string> {
  const user = await made('users/users', { username: `reader-${types.length}`, password: 'A-long-Passw0rd' })
  await made('users/permissions', { name: 'reads', users: [user], actions: ['view'], object_types: types })
  const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })
  return String(json.token ?? json.key)
}

let serial = 0
const circuit = async (): Promise<number> => {
  serial += 1
  const named = (name: string) => ({ name: `${name} ${serial}`, slug: `${name}-${serial}` })
  const provider = await made('circuits/providers', named('carrier'))
  const type = await made('circuits/circuit-types', named('fiber'))
  return made('circuits/circuits', { cid: 'C-1', provider, type })
}

/** A site with a name of its own. */
const site = (more: object = {}): Promise<number> => {
  serial += 1
  return made('dcim/sites', { name: `Site ${serial}`, slug: `site-${serial}`, ...more })
}

describe('the page of an object', () => {
  it('names addresses, neighbours with what lies between, and the latest changes with their authors', async () => {
    const places = await made('dcim/sites', { name: 'Quay', slug: 'quay' })
    const role = await made('dcim/device-roles', { name: 'Access', slug: 'access' })
    const manufacturer = await made('dcim/manufacturers', { name: 'Nord', slug: 'nord' })
    const device_type = await made('dcim/device-types', { manufacturer, model: 'N1', slug: 'n1' })
    const [near, far] = await Promise.all(
      ['near', 'far'].map(async (name) => {
        const device = await made('dcim/devices', { name, site: places, role, device_type })
        return { device, port: await made('dcim/interfaces', { device, name: `eth-${name}`, type: '1000base-t' }) }
      }),
    )
    const end = (port = 0) => [{ object_type: 'dcim.interface', object_id: port }]
    await made('dcim/cables', { a_terminations: end(near?.port), b_terminations: end(far?.port) })
    const assigned = { assigned_object_type: 'dcim.interface', assigned_object_id: near?.port }
    await made('ipam/ip-addresses', { address: '192.0.2.77/24', ...assigned })
    const text = await page(`/dcim/devices/${near?.device}/`)
    expect(text).toMatch(/IP addresses<\/a> <span class="count">1<.*?192\.0\.2\.77\/24/s)
    const [, neighbours = ''] = text.split('<h2>Neighbours')
    expect(neighbours).toContain('eth-far')
    expect(neighbours).not.toContain('Add interface')
    expect(text).toMatch(
      /Latest changes.*?1 interface created<\/a> <bdi>eth-near<\/bdi> <span class="muted"><bdi>admin/s,
    )
    // The port shows the drawing of its path.
    expect(await page(`/dcim/interfaces/${near?.port}/`)).toMatch(/<h2>Path.*?<svg.*?eth-far/s)
    const reader = await tokenOf(['dcim.device', 'dcim.interface'])
    const seen = await page(`/dcim/devices/${near?.device}/`, reader)
    expect(seen).toContain('<h2>Neighbours')
    for (const hidden of ['Latest changes', '192.0.2.77']) expect(seen).not.toContain(hidden)
  })

  it('counts the objects that refer to it, with links to their lists', async () => {
    const id = await site()
    await made('ipam/prefixes', {
      prefix: '192.0.2.0/24',
      scope_type: 'dcim.site',
      scope_id: id,
    })
    const rack = await made('dcim/racks', { name: 'Rack one', site: id })
    const text = await page(`/dcim/sites/${id}/`)
    expect(text).toMatch(new RegExp(`href="/dcim/racks/\\?site_id=${id}">Racks</a> <span class="count">1<`))
    expect(text).not.toContain('>Devices</a> <span class="count">')
    expect(await page(`/dcim/racks/?site_id=${id}`)).toContain(`/dcim/racks/${rack}/`)
  })

  it('shows what has been allocated to the virtual machines of a cluster, with units', async () => {
    const type = await made('virtualization/cluster-types', { name: 'KVM', slug: 'kvm' })
    const cluster = await made('virtualization/clusters', { name: 'Cluster one', type })
    for (const name of ['vm1', 'vm2']) {
      const resources = { vcpus: 1.5, memory: 2048, disk: 10_000 }
      await made('virtualization/virtual-machines', { name, cluster, ...resources })
    }
    const text = await page(`/virtualization/clusters/${cluster}/`)
    const shown = (label: string) => new RegExp(`<dt>${label}</dt><dd>([^<]*)</dd>`).exec(text)?.[1]
    expect(['Allocated vcpus', 'Allocated memory', 'Allocated disk'].map(shown)).toEqual(['3', '4,096 MB', '20,000 MB'])
    const list = await page(`/virtualization/virtual-machines/?cluster_id=${cluster}`)
    expect(list).toMatch(/<td class="num"[^>]*>2,048 MB<\/td><td class="num"[^>]*>10,000 MB<\/td>/)
    const { json } = await api.ask('GET', '/api/virtualization/virtual-machines/?name=vm1')
    const machine = await page(`/virtualization/virtual-machines/${json.results?.[0]?.id}/`)
    expect(machine).toMatch(/<dt>VCPUs<\/dt><dd[^>]*>1\.50?<\/dd>/)
    expect(machine).toMatch(/<dd[^>]*>2,048 MB<\/dd>/)
    expect(machine).toMatch(/<dd[^>]*>10,000 MB<\/dd>/)
  })

  it('shows the position of a device in its rack', async () => {
    const device = (await connected())[0].device
    const { json } = await api.ask('GET', `/api/dcim/devices/${device}/`)
    const rack = await made('dcim/racks', { name: 'Rack two', site: json.site?.id })
    const body = { rack, position: 6, face: 'front' }
    expect((await api.ask('PATCH', `/api/dcim/devices/${device}/`, { body })).status).toBe(200)
    const text = await page(`/dcim/devices/${device}/`)
    expect(text).toMatch(
      new RegExp(
        `<dt>Rack</dt><dd[^>]*><a href="/dcim/racks/${rack}/">(?:<bdi>)?Rack two(?:</bdi>)?</a> <span class="muted">U6 · Front</span>`,
      ),
    )
  })

  it.each([
    ['dcim/devices', async () => (await connected())[0].device, 'dcim/interfaces', 'device'],
    ['circuits/circuits', async () => await circuit(), 'circuits/circuit-terminations', 'circuit'],
    [
      'dcim/racks',
      async () => await made('dcim/racks', { name: 'Changed', site: await site() }),
      'dcim/rack-reservations',
      'rack',
    ],
  ] as const)('includes changes of the components of %s among its changes', async (path, make, parts, relation) => {
    const id = await make()
    const more = {
      'dcim/interfaces': { name: 'part', type: 'virtual' },
      'circuits/circuit-terminations': {
        term_side: 'A',
        termination_type: 'dcim.site',
        termination_id: await site(),
      },
      'dcim/rack-reservations': { units: [1], user: 1, description: 'part' },
    }[parts]
    const part = await made(parts, { ...more, [relation]: id })
    const text = await page(`/${path}/${id}/changelog/`)
    expect(text).toContain(`href="/${parts}/${part}/"`)
    expect(text.match(/class="entry-head"/g)?.length).toBeGreaterThan(1)
    await api.ask('DELETE', `/api/${parts}/${part}/`)
    const after = await page(`/${path}/${id}/changelog/`)
    expect(after.match(/class="entry-head"/g)?.length).toBeGreaterThan(2)
    expect((await api.ask('GET', '/api/core/object-changes/?concerns=7')).json.count).toBe(0)
  })

  it('shows both sides of a circuit with their ends and connections, and a link to add a termination', async () => {
    const id = await circuit()
    const ends = { termination_type: 'dcim.site', termination_id: await site() }
    const body = { circuit: id, term_side: 'A', port_speed: 1000, xconnect_id: 'XC-9', ...ends }
    const termination = await made('circuits/circuit-terminations', body)
    const text = await page(`/circuits/circuits/${id}/`)
    const sides = text.split('<section class="card panel"><h2>')
    const [a = '', z = ''] = ['A side', 'Z side'].map((title) => sides.find((part) => part.startsWith(title)))
    for (const shown of [`/dcim/sites/${ends.termination_id}/`, 'XC-9', '>1 Mbps</dd>']) expect(a).toContain(shown)
    expect(a).toContain(`/circuits/circuit-terminations/${termination}/edit/?return_url=`)
    expect(a).toContain(`a_terminations=${termination}`)
    expect(z).toContain(`/circuits/circuit-terminations/add/?circuit=${id}&amp;term_side=Z&amp;return_url=`)
  })

  it('shows types of objects by the titles of their models, and ranges of numbers as ranges', async () => {
    await site()
    expect(await page('/core/changelog/?changed_object_type=dcim.site')).toMatch(/<td[^>]*><bdi>Site<\/bdi><\/td>/)
    const ranges = [
      [1, 99],
      [200, 200],
    ]
    const group = { name: 'Group', slug: 'group', vid_ranges: ranges }
    const text = await page(`/ipam/vlan-groups/${await made('ipam/vlan-groups', group)}/`)
    expect(text).toContain('<span class="items">1–99, 200</span>')
  })

  it('shows comments as Markdown, without HTML and without links that run programs', async () => {
    const comments = '**Bold** <script>alert(1)</script> [x](javascript:alert(1)) ![i](https://e.example/i.png)'
    const text = await page(`/dcim/sites/${await site({ comments })}/`)
    expect(text).toContain('<strong>Bold</strong>')
    expect(text).toContain('&lt;script&gt;alert(1)')
    expect(text).not.toContain('href="javascript:')
    expect(text).not.toContain('<img src="https://e.example')
  })

  it.each([
    ['comments', async (text: string) => `/dcim/sites/${await site({ comments: text })}/`],
    [
      'journal entries',
      async (text: string) => {
        const id = await site()
        const target = { assigned_object_type: 'dcim.site', assigned_object_id: id }
        await made('extras/journal-entries', { ...target, comments: text })
        return `/dcim/sites/${id}/journal/`
      },
    ],
    [
      'long custom fields',
      async (text: string) => {
        const field = { name: 'story', type: 'longtext', object_types: ['tenancy.tenantgroup'] }
        await made('extras/custom-fields', field)
        const group = { name: 'Group', slug: 'group', custom_fields: { story: text } }
        return `/tenancy/tenant-groups/${await made('tenancy/tenant-groups', group)}/`
      },
    ],
  ])('shows %s of a million characters without formatting them', async (_what, pageOf) => {
    const begin = performance.now()
    const text = await page(await pageOf(`<b>**x** ${'!['.repeat(500_000)}`))
    expect(performance.now() - begin).toBeLessThan(5_000)
    expect(text).toContain('unformatted" dir="auto">&lt;b&gt;**x** ![![')
  })

  it('shows custom fields by group, with the labels of choices', async () => {
    const set = await made('extras/custom-field-choice-sets', {
      name: 'Levels',
      extra_choices: [['a', 'Alpha']],
    })
    const field = { object_types: ['dcim.region'], group_name: 'Contract' }
    await made('extras/custom-fields', { ...field, name: 'level', type: 'select', choice_set: set })
    await made('extras/custom-fields', { ...field, name: 'home', type: 'url' })
    await made('extras/custom-fields', {
      ...field,
      name: 'secret',
      type: 'text',
      ui_visible: 'hidden',
    })
    const custom_fields = { level: 'a', home: 'https://a.example/', secret: 'unseen' }
    const id = await made('dcim/regions', { name: 'North', slug: 'north', custom_fields })
    const text = await page(`/dcim/regions/${id}/`)
    expect(text).toContain('<h2>Contract</h2>')
    expect(text).toContain('Alpha')
    expect(text).toContain('<a href="https://a.example/"')
    expect(text).not.toContain('unseen')
  })

  it('shows numbers with their units', async () => {
    const rack = {
      name: 'Heavy',
      site: await site(),
      weight: '12.5',
      weight_unit: 'kg',
      outer_width: 600,
      outer_unit: 'mm',
    }
    const text = await page(`/dcim/racks/${await made('dcim/racks', rack)}/`)
    expect(text).toMatch(/12\.50?(<\/bdi>)? kilograms/)
    expect(text).toMatch(/600(<\/bdi>)? millimeters/)
  })

  it('shows how a port is connected, and both ends of the cable', async () => {
    const [one, two] = await connected()
    const text = await page(`/dcim/interfaces/${one.port}/`)
    expect(text).toContain('Connected to')
    expect(text).toContain(`/dcim/devices/${two.device}/`)
    expect(text).toContain(`/dcim/interfaces/${two.port}/`)
    const { json } = await api.ask('GET', `/api/dcim/interfaces/${one.port}/`)
    const cable = await page(`/dcim/cables/${json.cable?.id}/`)
    for (const { device, port } of [one, two]) {
      expect(cable).toContain(`/dcim/devices/${device}/`)
      expect(cable).toContain(`/dcim/interfaces/${port}/`)
    }
    expect(cable).toContain('<svg')
    expect(await page(`/dcim/interfaces/${one.port}/trace/`)).toMatch(
      new RegExp(`<a href="[^"]*/dcim/devices/${two.device}/"`),
    )
  })

  it('offers the form for a clone with the copied values', async () => {
    const id = await site({ status: 'planned', facility: 'DC 7' })
    const text = await page(`/dcim/sites/${id}/`)
    const clone = /href="([^"]*\/dcim\/sites\/add\/\?[^"]*)"/.exec(text)?.[1] ?? ''
    const query = new URLSearchParams(clone.replaceAll('&amp;', '&').split('?')[1])
    expect(query.get('status')).toBe('planned')
    expect(query.get('facility')).toBe('DC 7')
    expect(query.has('name')).toBe(false)
  })

  it('lists before a deletion what will be deleted too', async () => {
    const [{ device }] = await connected()
    const text = await page(`/dcim/devices/${device}/delete/`)
    expect(text).toContain('1 interface<')
    const { json } = await api.ask('GET', `/api/dcim/devices/${device}/`)
    const role = await page(`/dcim/device-roles/${json.role?.id}/delete/`)
    expect(role).toMatch(
      /other objects depend on it:<\/p><ul><li><a href="\/dcim\/devices\/\?id=\d+&amp;id=\d+">2 devices<\/a>: <a href="\/dcim\/devices\/\d+\/">/,
    )
  })

  it('sets and removes a bookmark and a subscription', async () => {
    const path = `/dcim/sites/${await site()}/`
    for (const [mark, collection] of [
      ['bookmark', 'bookmarks'],
      ['subscribe', 'subscriptions'],
    ] as const) {
      const count = async () => (await api.ask('GET', `/api/extras/${collection}/?limit=1`)).json.count
      const before = Number(await count())
      expect((await submit(`${path}${mark}/`, {})).status).toBe(303)
      expect(await count()).toBe(before + 1)
      expect(await page(path)).toContain('aria-pressed="true"')
      await submit(`${path}${mark}/`, {})
      expect(await count()).toBe(before)
    }
  })
})

/** Two interfaces of two devices, joined by a cable. */
async function connected() {
  serial += 1
  const at = await site()
  const manufacturer = await made('dcim/manufacturers', { name: `M${serial}`, slug: `m${serial}` })
  const device_type = await made('dcim/device-types', {
    manufacturer,
    model: `T${serial}`,
    slug: `t${serial}`,
  })
  const role = await made('dcim/device-roles', { name: `R${serial}`, slug: `r${serial}` })
  const end = async (name: string) => {
    const device = await made('dcim/devices', {
      name: `${name} ${serial}`,
      site: at,
      role,
      device_type,
    })
    const port = await made('dcim/interfaces', { device, name: 'eth0', type: '1000base-t' })
    return { device, port }
  }
  const ends = [await end('left'), await end('right')] as const
  const [a, b] = ends.map(({ port }) => [{ object_type: 'dcim.interface', object_id: port }])
  await made('dcim/cables', { a_terminations: a, b_terminations: b })
  return ends
}

describe('the tabs of an object', () => {
  it('show its changes field by field, with names instead of ids', async () => {
    const region = await made('dcim/regions', { name: 'South', slug: 'south' })
    const id = await site()
    await api.ask('PATCH', `/api/dcim/sites/${id}/`, {
      body: { region, status: 'retired', changelog_message: 'Closed for good' },
    })
    const text = await page(`/dcim/sites/${id}/changelog/`)
    expect(text).toContain('Closed for good')
    expect(text).toMatch(new RegExp(`Region</th>.*?/dcim/regions/${region}/"><bdi>South`, 's'))
    expect(text).toMatch(/Status<\/th>.*?Active.*?Retired/s)
    expect(text).not.toMatch(/>Slug<\/th>.*Retired/s)
  })

  it('show a change together with the others of its request', async () => {
    const [first, second] = [await site(), await site()]
    await api.ask('PATCH', '/api/dcim/sites/', {
      body: [first, second].map((each) => ({ id: each, facility: 'New hall' })),
    })
    const changes = await api.ask(
      'GET',
      `/api/core/object-changes/?changed_object_type=dcim.site&changed_object_id=${first}&limit=1`,
    )
    const text = await page(`/core/changelog/${changes.json.results?.[0]?.id}/`)
    expect(text).toContain('New hall')
    expect(text).toContain('Changes made together')
    expect(text).toContain(`Site ${serial}`)
  })

  describe('the page of a change shows', () => {
    /** The rows of its table as plain texts, and all of its markup. */
    const latest = async (type: string) => {
      const query = `changed_object_type=${type}&limit=1`
      const { json } = await api.ask('GET', `/api/core/object-changes/?${query}`)
      const text = await page(`/core/changelog/${json.results?.[0]?.id}/`)
      const rows = /<table class="diff">(.*?)<\/table>/s.exec(text)?.[1]?.split('<tr>').slice(1) ?? []
      const cells = (row: string) =>
        row
          .split(/<t[hd]/)
          .slice(1)
          .map((cell) => cell.replace(/^[^>]*>|<[^>]*>/g, '').trim())
      return { text, rows: rows.map((row) => cells(row).join(' | ').replaceAll(/#\d+/g, '#1')) }
    }
    const change = async (path: string, body: object) => {
      const { status, text } = await api.ask('PATCH', `/api/${path}/`, { body })
      expect(status, text).toBe(200)
    }

    it.each<[string, string, () => Promise<unknown>, readonly string[]]>([
      [
        'names of tags',
        'dcim.site',
        async () => {
          const tag = await made('extras/tags', { name: 'Edge', slug: 'edge' })
          await change(`dcim/sites/${await site()}`, { tags: [tag] })
        },
        ['Field | Before | After', 'Tags | — | Edge'],
      ],
      [
        'numbers of a list',
        'dcim.rackreservation',
        async () => {
          const rack = await made('dcim/racks', { name: 'R', site: await site() })
          const id = await made('dcim/rack-reservations', { rack, units: [1, 2], user: 1, description: 'x' })
          await change(`dcim/rack-reservations/${id}`, { units: [2, 3, 4] })
        },
        ['Field | Before | After', 'Units | 1, 2 | 2, 3, 4'],
      ],
      [
        'ranges of a list',
        'ipam.vlangroup',
        async () => {
          const id = await made('ipam/vlan-groups', { name: 'G', slug: 'g', vid_ranges: [[1, 9]] })
          await change(`ipam/vlan-groups/${id}`, {
            vid_ranges: [
              [1, 9],
              [20, 20],
            ],
          })
        },
        ['Field | Before | After', 'VLAN IDs | 1–9 | 1–9, 20', 'Total VLAN IDs | 9 | 10'],
      ],
      [
        'decimals without zeros at their end',
        'dcim.rack',
        async () => {
          const id = await made('dcim/racks', { name: 'Heavy', site: await site(), weight: 12.5, weight_unit: 'kg' })
          await change(`dcim/racks/${id}`, { weight: 100 })
        },
        ['Field | Before | After', 'Weight | 12.5 | 100'],
      ],
      [
        'texts of a list',
        'extras.eventrule',
        async () => {
          const webhook = await made('extras/webhooks', { name: 'w', payload_url: 'http://127.0.0.1/' })
          const action = { action_type: 'webhook', action_object_type: 'extras.webhook', action_object_id: webhook }
          const rule = { name: 'E', object_types: ['dcim.site'], event_types: ['object_created'], enabled: false }
          const id = await made('extras/event-rules', { ...rule, ...action })
          await change(`extras/event-rules/${id}`, { event_types: ['object_created', 'object_deleted'] })
        },
        ['Field | Before | After', 'Event types | Object created | Object created, Object deleted'],
      ],
      [
        'pairs of a list',
        'extras.customfieldchoiceset',
        async () => {
          const id = await made('extras/custom-field-choice-sets', { name: 'C', extra_choices: [['a', 'A']] })
          await change(`extras/custom-field-choice-sets/${id}`, {
            extra_choices: [
              ['a', 'A'],
              ['b', 'B, or'],
            ],
          })
        },
        ['Field | Before | After', 'Extra choices | a – A | a – A, b – B, or'],
      ],
      [
        'names of the ends of a cable',
        'dcim.cable',
        async () => await connected(),
        ['Field | After', 'A terminations | Cable #1 to eth0', 'B terminations | Cable #1 to eth0'],
      ],
      [
        'labels and objects of custom fields',
        'dcim.location',
        async () => {
          const type = { object_types: ['dcim.location'] }
          const related = { type: 'object', related_object_type: 'tenancy.tenant' }
          await made('extras/custom-fields', { name: 'owner_of', label: 'Lessor', ...type, ...related })
          const tenant = await made('tenancy/tenants', { name: 'Lease Ltd', slug: 'lease' })
          const id = await made('dcim/locations', { name: 'Hall', slug: 'hall', site: await site() })
          await change(`dcim/locations/${id}`, { custom_fields: { owner_of: tenant } })
        },
        ['Field | Before | After', 'Lessor | — | Lease Ltd'],
      ],
      [
        'only values of a new object, without counters',
        'dcim.manufacturer',
        async () => await made('dcim/manufacturers', { name: 'Maker', slug: 'maker' }),
        ['Field | After', 'Name | Maker', 'Slug | maker'],
      ],
      [
        'only values of a deleted object',
        'dcim.region',
        async () => {
          const id = await made('dcim/regions', { name: 'Lost', slug: 'lost' })
          expect((await api.ask('DELETE', `/api/dcim/regions/${id}/`)).status).toBe(204)
        },
        ['Field | Before', 'Name | Lost', 'Slug | lost'],
      ],
    ])('%s', async (_, type, act, expected) => {
      await act()
      const { rows, text } = await latest(type)
      expect(rows.filter((row) => !/^(Status|Type|Profile|Label|Color) /.test(row))).toEqual(expected)
      expect(text.slice(text.indexOf('<table class="diff">'), text.indexOf('<details class="raw-data">'))).not.toMatch(
        /[[{]"|<pre/,
      )
      // The complete record is folded below.
      expect(text).toMatch(/<details class="raw-data"><summary>Raw data<\/summary>.*?<pre class="code"[^>]*>\{\n/s)
    })
  })

  it.each([
    ['text', 'not a list', 'not a list'],
    ['an item', '["{\\"lower\\": 1"]', '{&quot;lower&quot;: 1'],
  ])('show %s of an imported change that is not in the usual form', async (_, recorded, shown) => {
    const id = await made('ipam/vlan-groups', { name: recorded, slug: `g${recorded.length}`, vid_ranges: [[1, 9]] })
    const { json } = await api.ask('GET', `/api/core/object-changes/?changed_object_type=ipam.vlangroup&limit=1`)
    await api.service.database.query(sql`
      update core_objectchange set postchange_data = jsonb_set(postchange_data::jsonb, '{vid_ranges}', to_jsonb(${recorded}::text))::json
      where id = ${Number(json.results?.[0]?.id)}`)
    const text = await page(`/core/changelog/${json.results?.[0]?.id}/`)
    expect(text, `VLAN group ${id}`).toContain(`<bdi>${shown}</bdi>`)
  })

  it('accept a journal entry, and refuse an empty one', async () => {
    const path = `/dcim/sites/${await site()}/journal/`
    expect((await submit(path, { kind: 'warning', comments: 'Fan *replaced*' })).status).toBe(303)
    expect(await page(path)).toContain('<em>replaced</em>')
    const refused = await submit(path, { kind: 'warning', comments: '' })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('Not saved.')
  })

  it('list the contacts of the nodes above', async () => {
    const parent = await made('dcim/regions', { name: 'Above', slug: 'above' })
    const child = await made('dcim/regions', { name: 'Below', slug: 'below', parent })
    const contact = await made('tenancy/contacts', { name: 'Jane Doe' })
    const role = await made('tenancy/contact-roles', { name: 'Care', slug: 'care' })
    await made('tenancy/contact-assignments', {
      object_type: 'dcim.region',
      object_id: parent,
      contact,
      role,
    })
    expect(await page(`/dcim/regions/${child}/contacts/`)).toContain('Jane Doe')
  })

  it('show which config context provides each value', async () => {
    const [{ device }] = await connected()
    await made('extras/config-contexts', {
      name: 'Base',
      weight: 100,
      data: { ntp: 'a', dns: 'b' },
    })
    await made('extras/config-contexts', { name: 'Special', weight: 200, data: { ntp: 'c' } })
    const text = await page(`/dcim/devices/${device}/config-context/`)
    expect(text).toMatch(/<code>ntp<\/code>.*?c.*?Special/s)
    expect(text).toMatch(/<code>dns<\/code>.*?b.*?Base/s)
  })
})

describe('names that are difficult to show', () => {
  it.each([
    ['markup', '<b>bold</b> & "quotes" \'here\'', '&lt;b&gt;bold&lt;/b&gt;'],
    ['right-to-left text', 'موقع ١ ‮abc', 'موقع ١'],
    ['characters of four bytes', '🏢 𝔖𝔦𝔱𝔢', '🏢 𝔖𝔦𝔱𝔢'],
    ['a long word', 'w'.repeat(100), 'w'.repeat(100)],
  ])('%s', async (_kind, name, shown) => {
    const id = await site({
      name,
      description: 'w'.repeat(200),
      comments: `${name} ${'w'.repeat(200)}`,
    })
    await api.ask('PATCH', `/api/dcim/sites/${id}/`, { body: { facility: 'x' } })
    await made('extras/journal-entries', {
      assigned_object_type: 'dcim.site',
      assigned_object_id: id,
      comments: name,
    })
    for (const tab of ['', 'journal/', 'changelog/', 'contacts/', 'image-attachments/', 'delete/']) {
      const text = await page(`/dcim/sites/${id}/${tab}`)
      expect(text).toContain(shown)
      expect(text).not.toContain('<b>bold</b>')
    }
  })
})

describe('a restricted user', () => {
  it('sees no count, name or link of hidden objects', async () => {
    const id = await site()
    const shown = await made('dcim/racks', { name: 'Rack shown', site: id })
    await made('dcim/racks', { name: 'Rack hidden', site: id })
    await made('dcim/locations', { name: 'Hidden hall', slug: 'hidden-hall', site: id })
    const tenant = await made('tenancy/tenants', { name: 'Hidden tenant', slug: 'hidden-tenant' })
    await api.ask('PATCH', `/api/dcim/sites/${id}/`, { body: { tenant } })
    const user = await made('users/users', { username: 'guest', password: 'Guest-2026-guest!' })
    const view = { actions: ['view'], users: [user] }
    await made('users/permissions', {
      ...view,
      name: 'a',
      object_types: ['dcim.site', 'core.objectchange'],
    })
    await made('users/permissions', {
      ...view,
      name: 'b',
      object_types: ['dcim.rack'],
      constraints: { name: 'Rack shown' },
    })
    const created = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })
    const token = String(created.json.token ?? created.json.key)
    const text = await page(`/dcim/sites/${id}/`, token)
    expect(text).toMatch(/Racks<\/a> <span class="count">1</)
    expect(text).not.toContain('Hidden hall')
    expect(text).not.toContain('>Locations')
    expect(text).not.toContain('Journal')
    const changes = await page(`/dcim/sites/${id}/changelog/`, token)
    expect(changes).not.toContain('Hidden tenant')
    const list = await page(`/dcim/racks/?site_id=${id}`, token)
    expect(list).toContain(`/dcim/racks/${shown}/`)
    expect(list).not.toContain('Rack hidden')
    const refused = await api.ask('GET', `/dcim/sites/${id}/journal/`, { token })
    expect(refused.status).toBe(403)
  })

  it('sees no number of hidden objects that a deletion takes along', async () => {
    const [{ device }] = await connected()
    await made('dcim/interfaces', { device, name: 'secret0', type: 'virtual' })
    await made('dcim/interfaces', { device, name: 'secret1', type: 'virtual' })
    const user = await made('users/users', { username: 'remover', password: 'Corr3ct-Horse-7' })
    const common = { users: [user], actions: ['view', 'delete'] }
    await made('users/permissions', { ...common, name: 'd', object_types: ['dcim.device'] })
    await made('users/permissions', {
      ...common,
      name: 'i',
      object_types: ['dcim.interface'],
      constraints: { name: 'eth0' },
    })
    const { json } = await api.ask('POST', '/api/users/tokens/', { body: { user, version: 1 } })
    const text = await page(`/dcim/devices/${device}/delete/`, String(json.token ?? json.key))
    expect(text).toContain('<li>1 interface</li>')
    expect(text).toContain('and other records')
    expect(text).not.toMatch(/<li>[23] /)
  })
})
