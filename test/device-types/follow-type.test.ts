import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

const FORM_HEADERS = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
const BOB = '89abcdef0123456789abcdef0123456789abcdef'

interface Lists {
  readonly [path: string]: string
}

/** Creates what every device needs, and returns the ids. */
const makeBasics = async (api: Api) => ({
  site: await api.make('dcim/sites', { name: 'A', slug: 'a' }),
  role: await api.make('dcim/device-roles', { name: 'R', slug: 'r' }),
  manufacturer: await api.make('dcim/manufacturers', { name: 'M', slug: 'm' }),
})

describe('devices follow their type', () => {
  let api: Api
  let type: number
  let devices: readonly number[]
  let role: number
  let site: number
  const made = async (path: string, bodies: readonly unknown[]): Promise<readonly number[]> => {
    const { status, json, text } = await api.ask('POST', `/api/${path}/`, { body: bodies })
    expect(status, text.slice(0, 500)).toBe(201)
    return json.map(({ id }) => Number(id))
  }
  const numbered = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
  const typeApply = async (body: unknown, token?: string) =>
    await api.ask('POST', `/api/dcim/device-types/${type}/apply/`, { body, ...(token && { token }) })
  const lists = async (): Promise<Lists> =>
    Object.fromEntries(
      await Promise.all(
        ['interfaces', 'power-ports', 'cables', 'devices'].map(async (path) => {
          const { text } = await api.ask('GET', `/api/dcim/${path}/?limit=0&ordering=id`)
          return [path, text]
        }),
      ),
    )

  beforeAll(async () => {
    api = await startApi()
    site = await api.make('dcim/sites', { name: 'A', slug: 'a' })
    role = await api.make('dcim/device-roles', { name: 'Switch', slug: 'switch' })
    const manufacturer = await api.make('dcim/manufacturers', { name: 'M', slug: 'm' })
    type = await api.make('dcim/device-types', { manufacturer, model: 'S48', slug: 's48' })
    await made(
      'dcim/interface-templates',
      numbered(48).map((n) => ({ device_type: type, name: `Gi${n}`, type: '1000base-t' })),
    )
    devices = await made(
      'dcim/devices',
      numbered(150).map((n) => ({ name: `sw${n}`, device_type: type, role, site })),
    )
    const ports = await api.ask('GET', '/api/dcim/interfaces/?limit=0&device_id=1&device_id=2&fields=id,device,name')
    const port = (device: number, name: string) =>
      ports.json.results?.find((each) => String(each.name) === name && Number(each.device?.id) === device)?.id
    await made(
      'dcim/cables',
      ['Gi1', 'Gi2', 'Gi47'].map((name) => ({
        a_terminations: [{ object_type: 'dcim.interface', object_id: port(1, name) }],
        b_terminations: [{ object_type: 'dcim.interface', object_id: port(2, name) }],
      })),
    )
    await api.make('extras/dynamic-groups', {
      name: 'Switches',
      slug: 'switches',
      object_type: 'dcim.device',
      parameters: { role: ['switch'] },
    })
  })
  afterAll(() => api.close())

  it('a device like its type has no differences', async () => {
    const { status, json } = await api.ask('GET', '/api/dcim/devices/1/type-differences/')
    expect([status, json]).toEqual([200, { count: 0, differences: [] }])
  })

  it('two new power ports and 48 new names are previewed, applied to a group, and undone byte for byte', async () => {
    const templates = await api.ask('GET', `/api/dcim/interface-templates/?device_type_id=${type}&limit=0&ordering=-id`)
    const renamed = await api.ask('PATCH', '/api/dcim/interface-templates/', {
      body: templates.json.results?.map(({ id, name }) => ({ id, name: `Gi1/0/${String(name).slice(2)}` })),
    })
    expect(renamed.status, renamed.text.slice(0, 300)).toBe(200)
    await made('dcim/power-port-templates', [
      { device_type: type, name: 'PSU1' },
      { device_type: type, name: 'PSU2' },
    ])
    const shown = (await api.ask('GET', '/api/dcim/devices/1/type-differences/')).json
    expect(shown.count).toBe(50)
    expect(shown.differences?.find(({ name }) => String(name) === 'Gi1')).toMatchObject({
      ...{ difference: 'renamed', object_type: 'dcim.interface', cabled: true },
      changes: { name: { before: 'Gi1', after: 'Gi1/0/1' } },
    })
    const before = await lists()
    const sums = { compared: 150, differing: 150, missing: 300, renamed: 7200, changed: 0, extra: 0 }
    const preview = await typeApply({ group: 'switches', dry_run: true })
    expect(preview.json).toMatchObject({ dry_run: true, request_id: null, ...sums })
    expect(await lists()).toEqual(before)
    const applied = await typeApply({ group: 'switches' })
    expect(applied.status, applied.text.slice(0, 500)).toBe(200)
    expect(applied.json).toMatchObject({ dry_run: false, ...sums })
    const after = await lists()
    expect(after).not.toEqual(before)
    // Cables stay at their ports, whatever these are called.
    const cable = (await api.ask('GET', '/api/dcim/cables/1/')).json
    expect(cable.a_terminations?.[0]?.object?.name).toBe('Gi1/0/1')
    expect((await api.ask('GET', '/api/dcim/devices/150/type-differences/')).json.count).toBe(0)
    const undone = await api.ask('POST', `/api/core/requests/${applied.json.request_id}/undo/`, { body: {} })
    expect(undone.status, undone.text.slice(0, 500)).toBe(200)
    expect(await lists()).toEqual(before)
  })

  it('pages show the differences, say how many there are, and apply the type', async () => {
    const page = async (path: string) => (await api.ask('GET', path, { headers: { accept: 'text/html' } })).text
    const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
    const device = Number(devices.at(-3))
    expect(plain(await page(`/dcim/devices/${device}/`))).toMatch(/Type 50 .*Lacks 50 components of its type/)
    const differences = plain(await page(`/dcim/devices/${device}/type/`))
    expect(differences).toContain('Gi1 Interface Has another name Gi1/0/1')
    expect(differences).toContain('PSU2 Power port Missing')
    expect(plain(await page(`/dcim/device-types/${type}/differences/`))).toContain('sw148 2 48 0 0')
    const send = (path: string, fields: Readonly<Record<string, string>>) =>
      api.ask('POST', path, { body: new URLSearchParams(fields).toString(), headers: FORM_HEADERS })
    const sent = await send(`/dcim/devices/${device}/type/`, {})
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      expect.stringContaining(`/dcim/devices/${device}/`),
    ])
    expect(plain(await page(`/dcim/devices/${device}/`))).not.toContain('of its type')
    expect(plain(await page(`/dcim/devices/${device}/type/`))).toContain('All components are as the type has them.')
    expect(plain(await page(`/dcim/device-types/${type}/differences/`))).not.toContain('sw148')
    const none = await send(`/dcim/device-types/${type}/differences/`, {})
    expect([none.status, none.text]).toEqual([400, expect.stringContaining('Expected a list of ids.')])
  })

  it('extra components are removed only if somebody says so, and never with a cable', async () => {
    const device = Number(devices.at(-1))
    const rest = await typeApply({ devices: [device] })
    expect(rest.status).toBe(200)
    const [loose, cabled, other] = await made('dcim/interfaces', [
      { device, name: 'extra', type: '1000base-t' },
      { device, name: 'cabled', type: '1000base-t' },
      { device: Number(devices.at(-2)), name: 'far', type: '1000base-t' },
    ])
    await made('dcim/interfaces', [{ device, name: 'Vlan1', type: 'virtual' }])
    const end = (id: unknown) => [{ object_type: 'dcim.interface', object_id: id }]
    await made('dcim/cables', [{ a_terminations: end(cabled), b_terminations: end(other) }])
    const kept = await typeApply({ devices: [device] })
    expect(kept.json).toMatchObject({ extra: 2 })
    expect((await api.ask('GET', `/api/dcim/interfaces/${loose}/`)).status).toBe(200)
    expect((await typeApply({ devices: [device], remove_extra: true })).json).toMatchObject({ extra: 2 })
    expect((await api.ask('GET', `/api/dcim/interfaces/${loose}/`)).status).toBe(404)
    expect((await api.ask('GET', `/api/dcim/interfaces/${cabled}/`)).status).toBe(200)
  })

  it('values of a template that have changed are applied, but not what people decide', async () => {
    const device = Number(devices.at(-1))
    const { json } = await api.ask('GET', `/api/dcim/interfaces/?device_id=${device}&name=Gi1/0/2`)
    const port = Number(json.results?.[0]?.id)
    await api.ask('PATCH', `/api/dcim/interfaces/${port}/`, {
      body: { enabled: false, label: 'uplink', type: '10gbase-t' },
    })
    expect((await api.ask('GET', `/api/dcim/devices/${device}/type-differences/`)).json.differences).toMatchObject([
      { difference: 'changed', object_id: port, changes: { type: { before: '10gbase-t', after: '1000base-t' } } },
      { difference: 'extra', name: 'cabled' },
    ])
    await typeApply({ devices: [device] })
    const now = (await api.ask('GET', `/api/dcim/interfaces/${port}/`)).json
    expect(now).toMatchObject({ enabled: false, label: 'uplink', type: { value: '1000base-t' } })
  })

  it('people see and change only what their permissions allow', async () => {
    const user = await api.make('users/users', { username: 'bob', password: 'Sufficient-1' })
    await api.make('users/tokens', { user, key: BOB })
    const [first, second] = devices
    const allow = (object_types: readonly string[], actions: readonly string[], constraints: unknown = null) =>
      api.make('users/permissions', { name: object_types[0], object_types, actions, users: [user], constraints })
    await allow(['dcim.devicetype'], ['view'])
    await allow(['dcim.device'], ['view', 'change'], { id: first })
    const differences = async (device: unknown) =>
      await api.ask('GET', `/api/dcim/devices/${device}/type-differences/`, { token: BOB })
    // Neither components nor templates may be viewed.
    expect((await differences(first)).json).toEqual({ count: 0, differences: [] })
    expect((await differences(second)).status).toBe(404)
    await allow(['dcim.interface', 'dcim.interfacetemplate'], ['view'])
    expect((await differences(first)).json.count).toBe(48)
    expect((await typeApply({ devices: [first] }, BOB)).status).toBe(403)
    expect((await typeApply({ devices: [second] }, BOB)).status).toBe(400)
    await allow(['dcim.interface'], ['change'])
    expect((await typeApply({ devices: [first] }, BOB)).json).toMatchObject({ renamed: 48, missing: 0 })
    expect((await typeApply({ group: 'switches' }, BOB)).json).toMatchObject({ compared: 1, differing: 0 })
  })

  it.each([
    [null],
    [[]],
    [{}],
    [{ devices: [] }],
    [{ devices: 'all' }],
    [{ devices: [1], group: 'switches' }],
    [{ devices: [-1] }],
    [{ devices: [999_999] }],
    [{ devices: [1, null] }],
    [{ group: { constructor: 1 } }],
    [{ group: 'constructor' }],
    [{ devices: [1], remove_extra: 'yes' }],
    [{ devices: [1], dry_run: 1 }],
  ])('a body such as %j is refused, and changes nothing', async (body) => {
    const { status } = await typeApply(body)
    expect([400, 404]).toContain(status)
  })
})

it('names that move from one port to the next move with their cables', async () => {
  const api = await startApi()
  try {
    const { site, role, manufacturer } = await makeBasics(api)
    const type = await api.make('dcim/device-types', { manufacturer, model: 'C', slug: 'c' })
    const template = (name: string) =>
      api.make('dcim/interface-templates', { device_type: type, name, type: '1000base-t' })
    const templates = [await template('1'), await template('2'), await template('3')]
    const device = await api.make('dcim/devices', { name: 'c1', device_type: type, role, site })
    const ports = async () =>
      (await api.ask('GET', `/api/dcim/interfaces/?device_id=${device}&ordering=id`)).json.results?.map(
        ({ name }) => name,
      )
    // The counting begins with 2: three requests, the last port first.
    for (const [index, id] of [...templates.entries()].reverse()) {
      await api.ask('PATCH', `/api/dcim/interface-templates/${id}/`, { body: { name: String(index + 2) } })
    }
    const applied = await api.ask('POST', `/api/dcim/device-types/${type}/apply/`, { body: { devices: [device] } })
    expect(applied.json).toMatchObject({ renamed: 3, missing: 0, extra: 0 })
    expect(await ports()).toEqual(['2', '3', '4'])
    const { results } = (await api.ask('GET', `/api/core/object-changes/?request_id=${applied.json.request_id}`)).json
    expect(results?.map(({ postchange_data: after }) => after?.name).sort()).toEqual(['2', '3', '4'])
    await api.ask('POST', `/api/core/requests/${applied.json.request_id}/undo/`, { body: {} })
    expect(await ports()).toEqual(['1', '2', '3'])
  } finally {
    await api.close()
  }
})

it('modules follow their type, under the names of their bays', async () => {
  const api = await startApi()
  try {
    const { site, role, manufacturer } = await makeBasics(api)
    const deviceType = await api.make('dcim/device-types', { manufacturer, model: 'C', slug: 'c' })
    const device = await api.make('dcim/devices', { name: 'c1', device_type: deviceType, role, site })
    const bay = await api.make('dcim/module-bays', { device, name: 'Slot 3', position: '3' })
    const type = await api.make('dcim/module-types', { manufacturer, model: 'LC' })
    const template = await api.make('dcim/interface-templates', {
      module_type: type,
      name: 'Te{module}/1',
      type: '10gbase-t',
    })
    const module = await api.make('dcim/modules', { device, module_bay: bay, module_type: type })
    await api.ask('PATCH', `/api/dcim/interface-templates/${template}/`, { body: { name: 'Te{module}/0/1' } })
    await api.make('dcim/rear-port-templates', { module_type: type, name: 'R{module}', type: '8p8c', positions: 2 })
    const applied = await api.ask('POST', `/api/dcim/module-types/${type}/apply/`, { body: { modules: [module] } })
    expect(applied.json).toMatchObject({ renamed: 1, missing: 1 })
    const interfaces = await api.ask('GET', `/api/dcim/interfaces/?module_id=${module}`)
    expect(interfaces.json.results?.map(({ name }) => name)).toEqual(['Te3/0/1'])
    const ports = await api.ask('GET', `/api/dcim/rear-ports/?module_id=${module}`)
    expect(ports.json.results?.[0]).toMatchObject({ name: 'R3', positions: 2 })
    expect((await api.ask('GET', `/api/dcim/modules/${module}/type-differences/`)).json.count).toBe(0)
  } finally {
    await api.close()
  }
})

it('names with the position in a stack follow when members are joined and swapped, with their cables', async () => {
  const api = await startApi()
  try {
    const { site, role, manufacturer } = await makeBasics(api)
    const type = await api.make('dcim/device-types', { manufacturer, model: 'C', slug: 'c' })
    for (const name of ['Gi{vc_position:1}/0/1', 'Gi{vc_position:1}/0/2', 'mgmt']) {
      await api.make('dcim/interface-templates', { device_type: type, name, type: '1000base-t' })
    }
    const moduleType = await api.make('dcim/module-types', { manufacturer, model: 'NM' })
    await api.make('dcim/interface-templates', {
      module_type: moduleType,
      name: 'Te{vc_position:1}/{module}/1',
      type: '10gbase-t',
    })
    const members = []
    for (const name of ['sw1', 'sw2', 'sw3']) {
      members.push(await api.make('dcim/devices', { name, device_type: type, role, site }))
    }
    const bay = await api.make('dcim/module-bays', { device: members[1], name: 'NM', position: '4' })
    await api.make('dcim/modules', { device: members[1], module_bay: bay, module_type: moduleType })
    const names = async (device: unknown) =>
      (await api.ask('GET', `/api/dcim/interfaces/?device_id=${device}&ordering=id`)).json.results?.map(
        ({ name }) => name,
      )
    const [first, second] = (await api.ask('GET', `/api/dcim/interfaces/?name=Gi1/0/1&ordering=id`)).json.results ?? []
    const end = (port: typeof first) => [{ object_type: 'dcim.interface', object_id: port?.id }]
    const cable = await api.make('dcim/cables', { a_terminations: end(first), b_terminations: end(second) })
    const own = (await api.ask('GET', `/api/dcim/interfaces/?device_id=${members[1]}&name=Gi1/0/2`)).json.results?.[0]
      ?.id
    await api.ask('PATCH', `/api/dcim/interfaces/${own}/`, { body: { name: 'uplink' } })

    const stack = await api.make('dcim/virtual-chassis', { name: 'stack', master: members[0] })
    const join = members.map((id, index) => ({ id, virtual_chassis: stack, vc_position: index + 1 }))
    const joined = await api.ask('PATCH', '/api/dcim/devices/', { body: join })
    expect(joined.status, joined.text).toBe(200)
    expect(await names(members[0])).toEqual(['Gi1/0/1', 'Gi1/0/2', 'mgmt'])
    expect(await names(members[1])).toEqual(['Gi2/0/1', 'uplink', 'mgmt', 'Te2/4/1'])
    expect(await names(members[2])).toEqual(['Gi3/0/1', 'Gi3/0/2', 'mgmt'])

    for (const [id, vc_position] of [
      [members[1], 9],
      [members[2], 2],
      [members[1], 3],
    ]) {
      const moved = await api.ask('PATCH', `/api/dcim/devices/${id}/`, { body: { vc_position } })
      expect(moved.status, moved.text).toBe(200)
    }
    expect(await names(members[1])).toEqual(['Gi3/0/1', 'uplink', 'mgmt', 'Te3/4/1'])
    expect(await names(members[2])).toEqual(['Gi2/0/1', 'Gi2/0/2', 'mgmt'])
    const { a_terminations: a, b_terminations: b } = (await api.ask('GET', `/api/dcim/cables/${cable}/`)).json
    expect([a?.[0]?.object_id, b?.[0]?.object_id]).toEqual([first?.id, second?.id])
  } finally {
    await api.close()
  }
})
