import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'
import { readForm } from './read-form.ts'

let api: Api
let device: number
let type: number
let machine: number
const shared: Record<string, number> = {}
const made = (path: string, body: object) => createdId(api, path, body)
const page = (path: string) => readPage(api, path)
/** Submits a form and returns the address to which it redirects. */
const submit = async (path: string, fields: Readonly<Record<string, string>>) =>
  await api.ask('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
  })

beforeAll(async () => {
  api = await startApi()
  const named = (name: string) => ({ name, slug: name })
  const manufacturer = await made('dcim/manufacturers', named('maker'))
  shared.role = await made('dcim/device-roles', named('switch'))
  shared.site = await made('dcim/sites', named('site'))
  type = await made('dcim/device-types', { manufacturer, model: 'T', slug: 't' })
  shared.device_type = type
  device = await made('dcim/devices', { name: 'one', ...shared })
  machine = await made('virtualization/virtual-machines', { name: 'vm', site: shared.site })
})
afterAll(() => api.close())

describe('a tab with the components of an object', () => {
  it.each([
    ['a device', () => `/dcim/devices/${device}/interfaces/`, 'dcim/interfaces', () => ({ device, type: 'virtual' })],
    ['a device', () => `/dcim/devices/${device}/console-ports/`, 'dcim/console-ports', () => ({ device })],
    ['a device', () => `/dcim/devices/${device}/module-bays/`, 'dcim/module-bays', () => ({ device })],
    [
      'a device type',
      () => `/dcim/device-types/${type}/interfaces/`,
      'dcim/interface-templates',
      () => ({ device_type: type, type: 'virtual' }),
    ],
    [
      'a virtual machine',
      () => `/virtualization/virtual-machines/${machine}/interfaces/`,
      'virtualization/interfaces',
      () => ({ virtual_machine: machine }),
    ],
  ] as const)(
    'of %s (%#) applies its actions to checked components, and is shown again',
    async (_, tab, path, body) => {
      const ids = [await made(path, { name: 'first', ...body() }), await made(path, { name: 'second', ...body() })]
      const text = await page(tab())
      const back = encodeURIComponent(tab())
      for (const id of ids) {
        expect(text).toContain(`name="id" value="${id}" form="selection"`)
        expect(text).toContain(`/${path}/${id}/edit/?return_url=${back}`)
      }
      expect(text).toContain(`<input type="hidden" name="return_url" value="${tab()}">`)
      for (const action of ['edit', 'rename', 'delete']) expect(text).toContain(`formaction="/${path}/${action}/"`)
      const selection = { id: String(ids[0]), return_url: tab() }
      const form = await submit(`/${path}/rename/`, selection)
      expect(form.text).toContain(`<input type="hidden" name="return_url" value="${tab()}">`)
      expect(form.text).toContain(`href="${tab()}">Cancel</a>`)
      const deleted = await submit(`/${path}/delete/`, {
        ids: String(ids[0]),
        do: 'apply',
        return_url: tab(),
      })
      expect([deleted.status, deleted.headers.get('location')]).toEqual([303, expect.stringContaining(`${tab()}?`)])
      const after = await page(deleted.headers.get('location') ?? '')
      expect(after).not.toContain(`value="${ids[0]}" form="selection"`)
      expect(after).toContain('1 ')
      const { json } = await api.ask('GET', `/api/${path}/${ids[1]}/`)
      expect(json.name).toBe('second')
    },
  )

  it('does not redirect to another site', async () => {
    const id = await made('dcim/interfaces', { name: 'away', device, type: 'virtual' })
    const form = { ids: String(id), do: 'apply', return_url: 'https://evil.example/' }
    const { headers } = await submit('/dcim/interfaces/delete/', form)
    expect(headers.get('location')).toMatch(/^\/dcim\/interfaces\//)
  })

  it('selects all components that match the filter of the tab', async () => {
    const other = await made('dcim/devices', { name: 'other', ...shared })
    await made('dcim/console-ports', { name: 'kept', device: other })
    const text = await page(`/dcim/devices/${device}/console-ports/`)
    const query = /name="query" value="([^"]*)"/.exec(text)?.[1] ?? ''
    expect(query).toContain(`device_id=${device}`)
    const form = await submit('/dcim/console-ports/delete/', { scope: 'all', query })
    expect(form.text).toContain('<bdi>second</bdi>')
    expect(form.text).not.toContain('<bdi>kept</bdi>')
  })

  it('adds an address to an interface, and a module to a free bay', async () => {
    const port = await made('dcim/interfaces', { name: 'port', device, type: 'virtual' })
    const ports = await page(`/dcim/devices/${device}/interfaces/`)
    const address = `assigned_object_type=dcim.interface&amp;assigned_object_id=${port}&amp;return_url=`
    expect(ports).toContain(`/ipam/ip-addresses/add/?${address}`)
    const bay = await made('dcim/module-bays', { name: 'bay', device })
    const install = `/dcim/modules/add/?module_bay=${bay}&amp;device=${device}&amp;return_url=`
    expect(await page(`/dcim/devices/${device}/module-bays/`)).toContain(install)
    expect(await page(`/dcim/module-bays/${bay}/`)).toContain(install)
    const { json } = await api.ask('GET', '/api/dcim/manufacturers/?limit=1')
    const module_type = await made('dcim/module-types', {
      manufacturer: json.results?.[0]?.id,
      model: 'M',
    })
    await made('dcim/modules', { device, module_bay: bay, module_type })
    expect(await page(`/dcim/devices/${device}/module-bays/`)).not.toContain(install)
    expect(await page(`/dcim/module-bays/${bay}/`)).not.toContain(install)
  })
})

describe('the interfaces of a virtual chassis', () => {
  it('are all on the tab of the master, with their device, and only its own on the tab of a member', async () => {
    const { json } = await api.ask('GET', '/api/dcim/manufacturers/?limit=1')
    const bare = { manufacturer: json.results?.[0]?.id, model: 'Bare', slug: 'bare' }
    const without = { ...shared, device_type: await made('dcim/device-types', bare) }
    const [master, member] = [
      await made('dcim/devices', { name: 'master', ...without }),
      await made('dcim/devices', { name: 'member', ...without }),
    ]
    for (const [owner, name] of [
      [master, 'm0'],
      [member, 's0'],
    ] as const)
      await made('dcim/interfaces', { name, device: owner, type: 'virtual' })
    const columns = async (id: number) =>
      [...(await page(`/dcim/devices/${id}/interfaces/`)).matchAll(/<th scope="row"><a[^>]*><bdi>([^<]*)/g)].map(
        ([, name]) => name,
      )
    expect(await page(`/dcim/devices/${master}/interfaces/`)).not.toContain('>Device</a></th>')
    const chassis = await made('dcim/virtual-chassis', { name: 'stack', master })
    const body = { virtual_chassis: chassis, vc_position: 2 }
    expect((await api.ask('PATCH', `/api/dcim/devices/${member}/`, { body })).status).toBe(200)
    expect(await columns(master)).toEqual(['m0', 's0'])
    expect(await columns(member)).toEqual(['s0'])
    const text = await page(`/dcim/devices/${master}/interfaces/`)
    expect(text).toContain('>Device</a></th>')
    expect(text).toContain(`/dcim/interfaces/add/?device=${master}&amp;`)
  })
})

describe('the page of a virtual chassis', () => {
  it('lists its members, adds and removes them, and sets one of them as master', async () => {
    const chassis = await made('dcim/virtual-chassis', { name: 'two' })
    const root = `/dcim/virtual-chassis/${chassis}/`
    const ids = [
      await made('dcim/devices', { name: 'left', ...shared }),
      await made('dcim/devices', { name: 'right', ...shared }),
    ]
    expect(await page(root)).toContain(`href="${root}members/"`)
    const add = (device: number, position: string) =>
      submit(`${root}members/`, {
        device: String(device),
        vc_position: position,
        vc_priority: '10',
      })
    expect((await add(Number(ids[0]), '1')).status).toBe(303)
    const refused = await add(Number(ids[1]), '1')
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('role="alert"')
    expect(readForm(refused.text).values.get('vc_position')).toEqual(['1'])
    expect((await add(Number(ids[1]), '2')).status).toBe(303)
    const text = await page(root)
    for (const [id, position] of [
      [ids[0], 1],
      [ids[1], 2],
    ] as const)
      expect(text).toMatch(
        new RegExp(
          `/dcim/devices/${id}/"><bdi>[^<]*</bdi></a></th><td class="num"[^>]*>${position}</td><td class="num"[^>]*>10</td>`,
        ),
      )
    const act = (name: string, id: unknown) => submit(`${root}members/`, { do: name, device: String(id) })
    expect((await act('master', ids[1])).status).toBe(303)
    const { json } = await api.ask('GET', `/api/dcim/virtual-chassis/${chassis}/`)
    expect(json.master?.id).toBe(ids[1])
    const choices = readForm(await page(`${root}edit/`)).options.get('master')
    expect([...(choices?.keys() ?? [])].filter(Boolean).map(Number).toSorted()).toEqual(ids)
    expect((await act('remove', ids[0])).status).toBe(303)
    expect(await page(root)).not.toContain(`/dcim/devices/${ids[0]}/"`)
    const device = (await api.ask('GET', `/api/dcim/devices/${ids[0]}/`)).json
    expect([device.virtual_chassis, device.vc_position, device.vc_priority]).toEqual([null, null, null])
  })
})

describe('the page of a component', () => {
  it.each([
    [
      'dcim/interfaces',
      () => ({ device, type: 'virtual' }),
      () => [
        '/dcim/devices/',
        `/dcim/sites/${shared.site}/`,
        `/dcim/devices/${device}/`,
        `/dcim/devices/${device}/interfaces/`,
      ],
    ],
    [
      'dcim/inventory-items',
      () => ({ device }),
      () => [
        '/dcim/devices/',
        `/dcim/sites/${shared.site}/`,
        `/dcim/devices/${device}/`,
        `/dcim/devices/${device}/inventory/`,
      ],
    ],
    [
      'dcim/power-port-templates',
      () => ({ device_type: type }),
      () => ['/dcim/device-types/', `/dcim/device-types/${type}/`, `/dcim/device-types/${type}/power-ports/`],
    ],
    [
      'virtualization/virtual-disks',
      () => ({ virtual_machine: machine, size: 1 }),
      () => [
        '/virtualization/virtual-machines/',
        `/dcim/sites/${shared.site}/`,
        `/virtualization/virtual-machines/${machine}/`,
        `/virtualization/virtual-machines/${machine}/disks/`,
      ],
    ],
  ] as const)('of %s is placed below its owner, between its neighbours', async (path, body, trail) => {
    const ids: number[] = []
    for (const name of ['zz1', 'zz2', 'zz3']) ids.push(await made(path, { name, ...body() }))
    const text = await page(`/${path}/${ids[1]}/`)
    const crumbs = /<nav class="breadcrumbs".*?<\/nav>/.exec(text)?.[0] ?? ''
    const hrefs = [...crumbs.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)
    expect(hrefs.slice(0, -1)).toEqual(trail())
    expect(text).toContain(`rel="prev" href="/${path}/${ids[0]}/" aria-label="Previous: zz1"`)
    expect(text).toContain(`rel="next" href="/${path}/${ids[2]}/" aria-label="Next: zz3"`)
    expect(await page(`/${path}/${ids[2]}/`)).not.toContain('rel="next" href')
  })

  it('leads from the first page of a panel to the form that connects its ports', async () => {
    const panel = await made('dcim/devices', { name: 'panel', ...shared })
    const link = `/dcim/cables/connect/?a_device=${panel}&amp;a_type=dcim.rearport"`
    expect(await page(`/dcim/devices/${panel}/`)).not.toContain(link)
    await made('dcim/rear-ports', { device: panel, name: 'r1', type: '8p8c', positions: 1 })
    expect(await page(`/dcim/devices/${panel}/`)).toContain(link)
  })
})
