import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, startApi } from '../../support/api.ts'
import { userWith } from './files.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let api: Api
let site: number
let location: number
let rack: number
let outlet: number
let plan: number
beforeAll(async () => {
  api = await startApi({ PACKS: 'floorplan' })
  site = await api.make('dcim/sites', { name: 'Hamburg', slug: 'hamburg' })
  location = await api.make('dcim/locations', { name: 'Room <1>', slug: 'room', site })
  rack = await api.make('dcim/racks', { name: 'R1', site, u_height: 10 })
  const manufacturer = await api.make('dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  const role = await api.make('dcim/device-roles', { name: 'Box', slug: 'box' })
  const device_type = await api.make('dcim/device-types', { manufacturer, model: 'M1', slug: 'm1', u_height: 9 })
  const device = await api.make('dcim/devices', {
    name: 'd',
    site,
    role,
    device_type,
    rack,
    position: 1,
    face: 'front',
  })
  outlet = await api.make('dcim/rear-ports', { device, name: 'Wall 7', type: '8p8c', positions: 1 })
  const ports = []
  for (const name of ['e0', 'e1']) ports.push(await api.make('dcim/interfaces', { device, name, type: '1000base-t' }))
  const jack = await api.make('dcim/front-ports', {
    ...{
      device,
      name: 'Jack 7',
      type: '8p8c',
      rear_ports: [{ position: 1, rear_port: outlet, rear_port_position: 1 }],
    },
  })
  const end = (type: string, id: number | undefined) => [{ object_type: type, object_id: id }]
  await api.make('dcim/cables', {
    a_terminations: end('dcim.interface', ports[1]),
    b_terminations: end('dcim.rearport', outlet),
  })
  await api.make('dcim/cables', {
    a_terminations: end('dcim.interface', ports[0]),
    b_terminations: end('dcim.frontport', jack),
  })
  plan = await api.make('plugins/floorplan/floorplans', { site, width: 8, height: 5 })
  await api.make('plugins/floorplan/tiles', { floorplan: plan, x: 1, y: 1, object_type: 'dcim.rack', object_id: rack })
  const port = { kind: 'outlet', label: 'A"7</text>', object_type: 'dcim.rearport', object_id: outlet }
  await api.make('plugins/floorplan/tiles', { floorplan: plan, x: 3, y: 0, width: 0.2, height: 0.2, ...port })
})
afterAll(() => api.close())

const post = (path: string, body: unknown) => api.ask('POST', `/api/plugins/floorplan/${path}/`, { body })

it.each([
  ['hamb', 1],
  ['nothing', 0],
])('a floor plan is found by the name of its site: %s', async (text, count) => {
  expect((await api.ask('GET', `/api/plugins/floorplan/floorplans/?q=${text}`)).json.count).toBe(count)
})

describe('a floor plan', () => {
  it('has the fields of the plugin', async () => {
    const canvas = { objects: [{ type: 'rect', left: 40, custom_meta: { object_type: 'rack', object_id: 1 } }] }
    const image = (await post('floorplanimages', { name: 'P', external_url: 'https://img.example.net/p.png' })).json
    expect(image).toMatchObject({
      file: null,
      file_url: null,
      filename: '',
      external_url: 'https://img.example.net/p.png',
    })
    const { json } = await post('floorplans', {
      ...{ location, width: 22.5, height: '22.5', measurement_unit: 'ft', canvas, assigned_image: image.id },
    })
    expect(json).toMatchObject({
      ...{
        display: 'Room <1> Floorplan',
        site: null,
        location,
        width: 22.5,
        height: 22.5,
        measurement_unit: 'ft',
        canvas,
      },
      assigned_image: { name: 'P', file: null },
    })
    const brief = await api.ask('GET', `/api/plugins/floorplan/floorplans/?brief=true&location=${location}`)
    expect(Object.keys(brief.json.results?.[0] ?? {})).toEqual(['id', 'url', 'display'])
  })

  it.each([
    ['no place', {}, { __all__: ['Either site or location must be set for a floorplan'] }],
    [
      'two places',
      { site: 1, location: 1 },
      { location: ['A floor plan belongs to a site or to a location, not to both.'] },
    ],
    ['a wrong unit', { site: 1, measurement_unit: 'constructor' }, expect.any(Object)],
    ['a negative width', { site: 1, width: -5 }, expect.any(Object)],
    ['a place that is a text', { site: 'abc' }, expect.any(Object)],
  ])('with %s is refused', async (_what, body, refusal) => {
    const { status, json } = await post('floorplans', body)
    expect([status, json]).toEqual([400, refusal])
  })

  it.each([
    ['a kind that does not exist', { kind: '__proto__' }],
    ['a place outside', { x: -1 }],
    ['no width', { width: 0 }],
    ['an angle', { rotation: 45 }],
    ['an object that does not exist', { object_type: 'dcim.rack', object_id: 999 }],
    ['half an object', { object_type: 'dcim.rack' }],
  ])('refuses tiles with %s', async (_what, more) => {
    expect((await post('tiles', { floorplan: plan, ...more })).status).toBe(400)
  })

  it('is drawn to scale, with use, names and a background, as a page and as a file', async () => {
    const form = new FormData()
    form.set('name', 'Background')
    form.set('file', new Blob([PIXEL]), 'plan.png')
    const image = (await api.ask('POST', '/api/plugins/floorplan/floorplanimages/', { body: form })).json
    await api.ask('PATCH', `/api/plugins/floorplan/floorplans/${plan}/`, { body: { assigned_image: image.id } })
    const drawings = [
      (await api.ask('GET', `/api/plugins/floorplan/floorplans/${plan}/svg/`)).text,
      (await api.ask('GET', `/plugins/floorplan/floorplans/${plan}/`)).text,
      (await api.ask('GET', `/dcim/sites/${site}/floor-plans/`)).text,
    ]
    for (const drawing of drawings) {
      expect(drawing).toContain('viewBox="0 0 800 560"')
      expect(drawing).toMatch(/class="tile t-rack use-high" data-id="\d+" transform="translate\(100 100\)"/)
      expect(drawing).toContain('<title>R1, 90 % used</title>')
      expect(drawing).toContain(`href="/dcim/racks/${rack}/"`)
      expect(drawing).toContain('A&quot;7&lt;/text&gt;')
      expect(drawing).toContain(`<image href="/media/`)
    }
    // From the outlet to the port of the switch.
    expect(drawings[1]).toMatch(/<bdi>Wall 7<\/bdi><\/a>.* → <a href="\/dcim\/interfaces\/\d+\/"><bdi>d e1<\/bdi>/)
    // The response has only the id of the site; the page has its name.
    expect(drawings[1]).toMatch(new RegExp(`<dt>Site</dt><dd[^>]*><a href="/dcim/sites/${site}/">`))
    for (const id of ['999', 'constructor', '-1']) {
      expect((await api.ask('GET', `/api/plugins/floorplan/floorplans/${id}/svg/`)).status).toBe(404)
    }
  })

  it('shows neither names nor use of objects that its reader may not view', async () => {
    const types = ['netbox_floorplan.floorplan', 'netbox_floorplan.floorplantile']
    const token = await userWith(api, 'reader', [{ object_types: types, actions: ['view'] }])
    const { text } = await api.ask('GET', `/api/plugins/floorplan/floorplans/${plan}/svg/`, { token })
    expect(text).toContain('t-rack')
    expect(text).not.toMatch(/R1|used|\/dcim\/|\/media\//)
    const page = await api.ask('GET', `/plugins/floorplan/floorplans/${plan}/`, { token })
    expect(page.text).not.toMatch(/data-tiles|R1,/)
  })

  it('keeps its tiles when their objects are deleted, and loses them with its place', async () => {
    const other = await api.make('dcim/sites', { name: 'Other', slug: 'other' })
    const gone = await api.make('dcim/racks', { name: 'R2', site: other })
    const floorplan = await api.make('plugins/floorplan/floorplans', { site: other })
    const tile = await api.make('plugins/floorplan/tiles', { floorplan, object_type: 'dcim.rack', object_id: gone })
    await api.ask('DELETE', `/api/dcim/racks/${gone}/`)
    const { json } = await api.ask('GET', `/api/plugins/floorplan/tiles/${tile}/`)
    expect([json.object_type, json.linked_object]).toEqual([null, null])
    await api.ask('DELETE', `/api/dcim/sites/${other}/`)
    expect((await api.ask('GET', `/api/plugins/floorplan/tiles/${tile}/`)).status).toBe(404)
  })
})
