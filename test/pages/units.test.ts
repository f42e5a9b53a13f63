import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'
import { formData, readForm } from './read-form.ts'

let api: Api
let port: number
let circuit: number
beforeAll(async () => {
  api = await startApi()
  const site = await createdId(api, 'dcim/sites', { name: 'Akron', slug: 'akron' })
  const role = await createdId(api, 'dcim/device-roles', { name: 'Switch', slug: 'switch' })
  const manufacturer = await createdId(api, 'dcim/manufacturers', { name: 'Maker', slug: 'maker' })
  const device_type = await createdId(api, 'dcim/device-types', { manufacturer, model: 'Box', slug: 'box' })
  const device = await createdId(api, 'dcim/devices', { name: 'sw1', site, role, device_type })
  port = await createdId(api, 'dcim/interfaces', { device, name: 'eth0', type: 'virtual', speed: 65_000 })
  const provider = await createdId(api, 'circuits/providers', { name: 'Carrier', slug: 'carrier' })
  const type = await createdId(api, 'circuits/circuit-types', { name: 'Line', slug: 'line' })
  const line = { cid: 'L1', provider, type, commit_rate: 1544, install_date: '2026-01-31' }
  circuit = await createdId(api, 'circuits/circuits', line)
})
afterAll(() => api.close())

/** Labels of the fields of a form. */
const labelsIn = (text: string): readonly string[] =>
  [...text.matchAll(/<label for="field-[^"]*">([^<]*)/g)].map(([, label = '']) => label.trim())

it.each([
  ['/virtualization/virtual-machines/add/', ['Memory (MB)', 'Disk (MB)']],
  ['/virtualization/virtual-disks/add/', ['Size (MB)']],
  ['/dcim/power-feeds/add/', ['Voltage (V)', 'Amperage (A)', 'Max utilization (%)']],
  ['/extras/webhooks/add/', ['Timeout (s)']],
])('the fields of %s have their units', async (path, labels) => {
  expect(labelsIn(await readPage(api, path))).toEqual(expect.arrayContaining(labels))
})

it.each([
  ['/dcim/interfaces/', () => port, 'speed', 'Speed', '65 Mbps', '2.5 Gbps', 2_500_000],
  ['/circuits/circuits/', () => circuit, 'commit_rate', 'Commit rate', '1.544 Mbps', '10G', 10_000_000],
] as const)('speeds of %s are entered with any unit', async (root, id, name, label, shown, entered, stored) => {
  const edit = `${root}${id()}/edit/`
  const page = await readPage(api, edit)
  expect(labelsIn(page)).toContain(label)
  const { values } = readForm(page)
  expect(values.get(name)).toEqual([shown])
  const send = (text: string) =>
    api.ask('POST', edit, {
      body: formData(new Map([...values, [name, [text]]])),
      headers: { accept: 'text/html' },
    })
  expect((await send(shown)).headers.get('location')).toContain('saved=unchanged')
  expect((await send('fast')).status).toBe(400)
  expect((await send(entered)).status).toBe(303)
  expect((await api.ask('GET', `/api${root}${id()}/`)).json[name]).toBe(stored)
})

it('times have their zone, and dates are marked up like times', async () => {
  const page = await readPage(api, `/circuits/circuits/${circuit}/`)
  expect(page).toMatch(/<time datetime="[^"]*Z" title="[\d-]{10} \d\d:\d\d:\d\d UTC">[\d-]{10} \d\d:\d\d UTC<\/time>/)
  expect(page).toContain('<time datetime="2026-01-31">2026-01-31</time>')
  expect(await readPage(api, '/core/changelog/')).toMatch(/>[\d-]{10} \d\d:\d\d:\d\d UTC</)
})
