import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagePathOf } from '../../src/schema/page-path.ts'
import { ExampleObjects } from '../registry/example-objects.ts'
import { type Api, startApi } from '../support/api.ts'
import { readPage } from '../support/requests.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
  await new ExampleObjects(api).createAll()
})
afterAll(() => api.close())

async function pageOf(name: string): Promise<string> {
  const model = api.service.registry.model(name)
  const { json } = await api.ask('GET', `/api/${model.path}/?limit=1`)
  return await readPage(api, `${pagePathOf(model)}${json.results?.[0]?.id}/`)
}

/** The labels of values, in order. */
const labelsIn = (markup: string): readonly string[] =>
  [...markup.matchAll(/<dt>([^<]*)<\/dt>/g)].map(([, label = '']) => label)

const part = (markup: string, pattern: RegExp): string => pattern.exec(markup)?.[0] ?? ''
const HEAD = /<dl class="facts">.*?<\/dl>/s
const PANELS = /<div class="panels.*/s
/** Their side panels are about other objects, such as the terminations of a circuit. */
const MODELS = [
  ...['dcim.device', 'dcim.rack', 'dcim.site', 'dcim.powerfeed', 'dcim.module', 'ipam.prefix'],
  ...['ipam.ipaddress', 'ipam.vlan', 'circuits.circuit', 'virtualization.virtualmachine', 'wireless.wirelesslan'],
]

describe('the page of an object', () => {
  it.each(MODELS)('says each fact once: %s', async (name) => {
    const text = await pageOf(name)
    const head = labelsIn(part(text, HEAD))
    expect(head.length).toBeGreaterThan(0)
    const own = api.service.registry.view(api.service.registry.model(name)).panels.flat().length
    const panels = [...part(text, PANELS).matchAll(/<section class="card panel">.*?<\/section>/gs)].slice(0, own)
    const repeated = panels.flatMap(([panel]) => labelsIn(panel)).filter((label) => head.includes(label))
    expect(repeated).toEqual([])
    const title = /<h1><bdi>([^<]*)/.exec(text)?.[1]
    expect(part(text, PANELS)).not.toMatch(new RegExp(`<dt>Name</dt><dd[^>]*>${title}</dd>`))
  })

  it.each([
    ['dcim.device', 'Interface'],
    ['dcim.devicetype', 'Interface template'],
    ['virtualization.virtualmachine', 'Interface'],
  ])('has one menu of what can be added, which begins with interfaces: %s', async (name, first) => {
    const menus = [...(await pageOf(name)).matchAll(/<summary class="button quiet">(Add[^<]*)<.*?<bdi>([^<]*)/gs)]
    expect(menus.map(([, label, entry]) => [label, entry])).toEqual([['Add', first]])
  })

  it.each([
    ['dcim.powerpanel', 'Power feeds', /\+ Add power feed/],
    ['vpn.l2vpn', 'Terminations', /\+ Add L2VPN termination/],
    ['ipam.vlantranslationpolicy', 'VLAN translation rules', /\+ Add VLAN translation rule/],
  ])('draws the panel of what an object is about before there is any: %s', async (name, heading, add) => {
    const model = api.service.registry.model(name)
    const { json } = await api.ask('GET', '/api/dcim/sites/?limit=1')
    const body = { name: 'new one', slug: 'new-one', type: 'vxlan', site: json.results?.[0]?.id }
    const created = await api.ask('POST', `/api/${model.path}/`, { body })
    expect(created.status, created.text).toBe(201)
    const text = await readPage(api, `${pagePathOf(model)}${created.json.id}/`)
    expect(text).toMatch(new RegExp(`<h2>${heading} <a[^>]*>${add.source}</a></h2><p class="muted">None yet.`))
  })

  it.each([
    ['dcim.device', 'Virtual device contexts', 'virtual-device-contexts'],
    ['tenancy.contact', 'Assignments', 'contact-assignments'],
  ])('draws no panel of objects that do not exist: %s', async (name, heading, list) => {
    const model = api.service.registry.model(name)
    const { json } = await api.ask('GET', `/api/${model.path}/?limit=1`)
    const [example = {}] = json.results ?? []
    const foreign = Object.fromEntries(
      Object.entries(example).flatMap(([field, value]) =>
        value !== null && typeof value === 'object' && 'id' in value ? [[field, value.id]] : [],
      ),
    )
    const created = await api.ask('POST', `/api/${model.path}/`, {
      body: { ...foreign, name: 'new', status: 'active', identifier: 77, rack: null, position: null },
    })
    expect(created.status, created.text).toBe(201)
    const page = await readPage(api, `${pagePathOf(model)}${created.json.id}/`)
    expect(page).not.toMatch(new RegExp(`<h2>${heading}`))
    expect(page).toContain(`${list}/add/?`)
  })
})
