import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, signedInBrowser } from '../sessions/browser.ts'
import { type Api, startApi } from '../support/api.ts'
import { createdId, readPage } from '../support/requests.ts'

let api: Api
/** Paths of components by type, with two components each that a cable connects, and the ids of the cables. */
const ends = new Map<string, { readonly path: string; readonly cable: number }>()
const PASSWORD = 'Corr3ct-Horse-Battery'

beforeAll(async () => {
  api = await startApi()
  const named = (name: string) => ({ name, slug: name })
  const site = await createdId(api, 'dcim/sites', named('site'))
  const manufacturer = await createdId(api, 'dcim/manufacturers', named('maker'))
  const role = await createdId(api, 'dcim/device-roles', named('role'))
  const device_type = await createdId(api, 'dcim/device-types', { manufacturer, model: 'T', slug: 't' })
  const device = await createdId(api, 'dcim/devices', { name: 'box', site, role, device_type })
  const power_panel = await createdId(api, 'dcim/power-panels', { name: 'board', site })
  const provider = await createdId(api, 'circuits/providers', named('provider'))
  const type = await createdId(api, 'circuits/circuit-types', named('type'))
  const circuit = await createdId(api, 'circuits/circuits', { cid: 'C1', provider, type })
  const component = (kind: string, path: string, body: object) => ({ kind: `dcim.${kind}`, path: `dcim/${path}`, body })
  const port = (kind: string, path: string, body: object = {}) => component(kind, path, { device, name: kind, ...body })
  const termination = {
    kind: 'circuits.circuittermination',
    path: 'circuits/circuit-terminations',
    body: { circuit, term_side: 'A', termination_type: 'dcim.site', termination_id: site },
  }
  for (const pair of [
    [port('interface', 'interfaces', { type: '1000base-t' }), port('rearport', 'rear-ports', { type: '8p8c' })],
    [port('consoleport', 'console-ports'), port('consoleserverport', 'console-server-ports')],
    [port('poweroutlet', 'power-outlets'), port('powerport', 'power-ports')],
    [
      component('powerfeed', 'power-feeds', { power_panel, name: 'feed' }),
      port('powerport', 'power-ports', { name: 'in' }),
    ],
    [termination, port('interface', 'interfaces', { name: 'wan', type: '1000base-t' })],
  ]) {
    const ids: number[] = []
    for (const { path, body } of pair) ids.push(await createdId(api, path, body))
    const [a = [], b = []] = pair.map(({ kind }, index) => [{ object_type: kind, object_id: ids[index] }])
    const cable = await createdId(api, 'dcim/cables', { a_terminations: a, b_terminations: b })
    pair.forEach(({ kind, path }, index) => {
      ends.set(kind, { path: `/${path}/${ids[index]}/`, cable })
    })
  }
  const cable = ends.get('circuits.circuittermination')?.cable ?? 0
  ends.set('the page of a circuit', { path: `/circuits/circuits/${circuit}/`, cable })
})
afterAll(() => api.close())

const deletion = ({ path, cable }: { readonly path: string; readonly cable: number }): string =>
  `/dcim/cables/${cable}/delete/?return_url=${encodeURIComponent(path)}`

/** A user who may view everything, and delete the cables that the constraints allow. */
async function userWho(constraints: object): Promise<Browser> {
  const username = `user-${JSON.stringify(constraints).length}`
  const user = await createdId(api, 'users/users', { username, password: PASSWORD })
  const { json } = await api.ask('GET', '/api/core/object-types/?limit=0&public=true')
  const types = (json.results ?? []).map(({ app_label: app, model }) => `${app}.${model}`)
  const own = { users: [user] }
  await createdId(api, 'users/permissions', {
    ...own,
    name: `${username} views`,
    object_types: types,
    actions: ['view'],
  })
  const deletes = {
    ...own,
    name: `${username} deletes`,
    object_types: ['dcim.cable'],
    actions: ['delete'],
    constraints,
  }
  await createdId(api, 'users/permissions', deletes)
  return await signedInBrowser(api, username, PASSWORD)
}

describe('the end of a cable', () => {
  it.each([
    ...['dcim.interface', 'dcim.rearport', 'dcim.consoleport', 'dcim.consoleserverport', 'dcim.powerport'],
    ...['dcim.poweroutlet', 'dcim.powerfeed', 'circuits.circuittermination', 'the page of a circuit'],
  ])('leads to the deletion of the cable: %s', async (kind) => {
    const end = ends.get(kind)
    if (!end) throw new Error('No such end')
    expect(await readPage(api, end.path)).toContain(`href="${deletion(end)}"`)
  })

  it('offers nothing to a user who may not delete the cable', async () => {
    const [first, second] = [ends.get('dcim.interface'), ends.get('dcim.consoleport')]
    if (!first || !second) throw new Error('No ends')
    const browser = await userWho({ id: second.cable })
    expect((await browser.visit(first.path)).text).not.toContain('Disconnect')
    expect((await browser.visit(`/dcim/cables/${first.cable}/`)).text).not.toContain(
      `/dcim/cables/${first.cable}/delete/`,
    )
    expect((await browser.visit(second.path)).text).toContain(`href="${deletion(second)}"`)
    expect((await browser.visit(`/dcim/cables/${second.cable}/`)).text).toContain(
      `/dcim/cables/${second.cable}/delete/`,
    )
  })

  it('is shown again without the cable, with a link that undoes the deletion', async () => {
    const end = ends.get('dcim.consoleserverport')
    if (!end) throw new Error('No such end')
    const form = await readPage(api, deletion(end))
    expect(form).toContain(`<input type="hidden" name="return_url" value="${end.path}">`)
    expect(form).toContain(`href="${end.path}">Cancel</a>`)
    const { status, headers } = await api.ask('POST', `/dcim/cables/${end.cable}/delete/`, {
      body: new URLSearchParams({ return_url: end.path }).toString(),
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([status, headers.get('location')]).toEqual([303, expect.stringContaining(`${end.path}?`)])
    const after = await readPage(api, headers.get('location') ?? '')
    expect(after).toContain('The Cable was deleted.')
    expect(after).toMatch(new RegExp(`undo/\\?request&return_url=${encodeURIComponent(end.path)}"`))
    expect(after).toContain('Connect</a>')
  })
})
