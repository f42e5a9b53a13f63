import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagePathOf } from '../../src/schema/page-path.ts'
import type { Model } from '../../src/schema/registry.ts'
import { loadDemo } from '../../src/transfer/demo/load-demo.ts'
import type { Api } from '../support/api.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { createdId, readPage } from '../support/requests.ts'

/** Pages, and those below them, that show names of models on purpose. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  '/core/object-types/': 'lists the names that programs use',
  '/plugins/custom-objects/custom-object-types/': 'has the name in the API',
}

/** Objects of a model whose pages are read: the first ones differ in the objects to which they refer. */
const OBJECTS = 3

let api: Api
let names: RegExp
beforeAll(async () => {
  api = await startApiWithOwnModels()
  await loadDemo(api.service)
  await addContacts()
  await addGadgets()
  const models = [...api.service.registry.models.keys()].map((name) => name.replace('.', '\\.'))
  names = new RegExp(`(?<![\\w.@/-])(?:${models.join('|')})(?![\\w.-])`)
})
afterAll(() => api.close())

/** What the sample network lacks: relations to objects of several models. */
async function addContacts(): Promise<void> {
  const first = async (path: string) => Number((await api.ask('GET', `/api/${path}/?limit=1`)).json.results?.[0]?.id)
  const contact = await createdId(api, 'tenancy/contacts', { name: 'Operations' })
  const role = await createdId(api, 'tenancy/contact-roles', { name: 'NOC', slug: 'noc' })
  for (const [object_type, path] of [
    ['dcim.region', 'dcim/regions'],
    ['dcim.site', 'dcim/sites'],
  ]) {
    const object_id = await first(path ?? '')
    await createdId(api, 'tenancy/contact-assignments', { object_type, object_id, contact, role })
    await createdId(api, 'extras/journal-entries', {
      assigned_object_type: object_type,
      assigned_object_id: object_id,
      comments: 'Seen',
    })
  }
  const l2vpn = await createdId(api, 'vpn/l2vpns', { name: 'L2', slug: 'l2', type: 'vxlan' })
  const ends = { assigned_object_type: 'dcim.interface', assigned_object_id: await first('dcim/interfaces') }
  await createdId(api, 'vpn/l2vpn-terminations', { l2vpn, ...ends })
  await createdId(api, 'ipam/vlan-translation-policies', { name: 'Policy' })
}

/** Objects of models of users, with relations to objects of several models. */
async function addGadgets(): Promise<void> {
  const places = [
    { object_type: 'dcim.rack', object_id: 1 },
    { object_type: 'dcim.devicetype', object_id: 1 },
  ]
  const values = { serial: 1, site: 1, attached_type: 'dcim.site', attached_id: 1, racks: [1], places }
  const gadget = await createdId(api, 'plugins/custom-objects/gadgets', { label: 'Hoist', ...values })
  const users = [{ object_type: 'custom_objects.gadget', object_id: gadget }]
  await createdId(api, 'plugins/custom-objects/gadget-parts', {
    ...{ gadget, position: 1, spares: [gadget], grade: 'gold', users },
    ...{ holder_type: 'custom_objects.gadget', holder_id: gadget },
  })
  await createdId(api, 'plugins/custom-objects/gadget_parts', {})
}

/** The texts of a page that people read, without code, documents and entered values. */
const textsOf = (page: string): readonly string[] =>
  page
    .slice(page.indexOf('<main'))
    .replace(/<(pre|code|textarea|script)\b[^>]*>[\s\S]*?<\/\1>/g, '')
    .split(/<[^>]*>/)
    .map((text) => text.trim())
    .filter((text) => text !== '')

/** A type of objects with its app, such as `DCIM › Interface`; ports have their device before them. */
const APP_BEFORE_TYPE = /^(?:DCIM|IPAM|Circuits|Tenancy|Virtualization|Wireless|VPN|Extras|Core|Users) › /

/** Names of parameters: `Assigned object type ID`. */
const PARAMETER = /\b(?:object|content) type ID\b|\bschema_id\b|\bSchema ID\b/i

/** The pages of a model with objects: its list, and those of its first objects. */
async function pagesOf({ path, ...model }: Model): Promise<readonly string[]> {
  const root = pagePathOf({ path, ...model } as Model)
  if (root === undefined || path === '') return []
  const { json } = await api.ask('GET', `/api/${path}/?limit=${OBJECTS}`)
  const objects = (json.results ?? []).map(({ id }) => Number(id)).filter((id) => id > 0)
  return [root, ...objects.map((id) => `${root}${id}/`)]
}

describe('pages name types of objects in words, not as programs do', () => {
  it('in every list and on pages of objects of every model', async () => {
    const found: string[] = []
    for (const model of api.service.registry.models.values()) {
      for (const address of await pagesOf(model)) {
        if (Object.keys(EXCEPTIONS).some((page) => address.startsWith(page))) continue
        const wrong = textsOf(await readPage(api, address)).filter(
          (text) => names.test(text) || APP_BEFORE_TYPE.test(text) || PARAMETER.test(text),
        )
        found.push(...new Set(wrong.map((text) => `${address} ${text}`)))
      }
    }
    expect(found).toEqual([])
  }, 240_000)

  it('in the related objects, without relations that need no name', async () => {
    const wrong: string[] = []
    const { json } = await api.ask('GET', '/api/dcim/sites/?limit=5')
    for (const { id } of json.results ?? []) {
      const page = await readPage(api, `/dcim/sites/${id}/`)
      const [, list = ''] = /<ul class="counted">(.*?)<\/ul>/s.exec(page) ?? []
      wrong.push(
        ...textsOf(`<main>${list}`).filter((text) => /^Circuit terminations \(|^Cable terminations/.test(text)),
      )
    }
    expect(wrong).toEqual([])
  })

  it('and do not repeat a circuit in its terminations', async () => {
    const named = (name: string) => ({ name, slug: name.toLowerCase() })
    const provider = await createdId(api, 'circuits/providers', named('Carrier'))
    const type = await createdId(api, 'circuits/circuit-types', named('Dark'))
    const circuit = await createdId(api, 'circuits/circuits', { cid: 'C-77', provider, type })
    const site = Number((await api.ask('GET', '/api/dcim/sites/?limit=1')).json.results?.[0]?.id)
    const end = { circuit, term_side: 'A', termination_type: 'dcim.site', termination_id: site }
    const termination = await createdId(api, 'circuits/circuit-terminations', end)
    const device = Number((await api.ask('GET', '/api/dcim/devices/?limit=1')).json.results?.[0]?.id)
    const port = await createdId(api, 'dcim/interfaces', { device, name: 'uplink', type: '1000base-t' })
    const cable = await createdId(api, 'dcim/cables', {
      a_terminations: [{ object_type: 'circuits.circuittermination', object_id: termination }],
      b_terminations: [{ object_type: 'dcim.interface', object_id: port }],
    })
    const page = await readPage(api, `/dcim/cables/${cable}/`)
    expect(page).toMatch(/<bdi>C-77<\/bdi><\/a> <span class="muted">›<\/span> <a[^>]*><bdi>Termination A<\/bdi>/)
  })

  it('and say when jobs will run and how they ended', async () => {
    const branch = await createdId(api, 'core/branches', { name: 'Tomorrow' })
    const body = { schedule_at: '2099-01-02T03:04:00Z' }
    expect((await api.ask('POST', `/api/core/branches/${branch}/merge/`, { body })).status).toBeLessThan(300)
    const page = await readPage(api, '/core/jobs/')
    expect(page).toContain('2099-01-02 03:04')
    expect(page).toMatch(/<th scope="col"[^>]*>(?:<a[^>]*>)?Scheduled</)
    expect(page).toContain('>Ended with an error<')
    expect(page).not.toContain('>Errored<')
  })
})
