import { expect, it } from 'vitest'
import { ID } from '../../src/api/routes.ts'
import type { Model } from '../../src/schema/registry.ts'
import { addressOf, pageAddresses } from '../pages/page-addresses.ts'
import type { Api } from '../support/api.ts'
import { createdId } from '../support/requests.ts'
import { setUp } from './browser.ts'
import { inBrowser } from './chromium.ts'
import { graveIssues } from './grave-issues.ts'

const PAGES = [
  '/',
  '/dashboard/',
  '/dcim/sites/grid/?limit=5',
  '/core/events/',
  '/login/',
  '/api/',
  '/api/dcim/',
  '/api/dcim/devices/?site=harbour-house&name__ic=r',
  '/api/dcim/devices/1/',
  '/api/dcim/racks/1/',
  '/api/dcim/devices/?status=nonsense',
  '/api/dcim/devices/99999/',
  '/user/api-tokens/',
  '/dcim/devices/',
  '/dcim/devices/?status=active&q=r',
  '/dcim/devices/1/',
  '/dcim/devices/1/edit/',
  '/dcim/devices/1/delete/',
  '/dcim/devices/add/',
  '/dcim/interfaces/?device_id=1',
  '/dcim/racks/1/',
  '/dcim/rack-elevations/',
  '/dcim/rack-elevations/?site_id=1&face=rear',
  '/dcim/sites/1/',
  '/ipam/prefixes/3/',
  '/dcim/cables/1/',
  '/dcim/cables/add/',
  '/dcim/cables/add/?a_terminations_type=dcim.interface&a_terminations=1&find=e',
  '/dcim/cables/connect/?a_device=1&a_type=dcim.interface&b_device=2&b_type=dcim.interface',
  '/dcim/devices/1/interfaces/',
  '/dcim/devices/2/interfaces/?colour=speed',
  '/dcim/devices/1/power/',
  '/dcim/interfaces/1/trace/',
  '/dcim/topology/?site_id=1',
  '/dcim/sites/map/',
  '/ipam/prefixes/1/',
  '/ipam/ip-addresses/add/',
  '/extras/custom-fields/add/',
  '/extras/computed-fields/add/',
  '/users/permissions/add/',
  '/core/changelog/',
  '/core/system/',
  '/users/agents/',
  '/core/config-revisions/',
  '/user/profile/',
  '/user/bookmarks/',
  '/user/notifications/',
  '/user/preferences/',
  '/user/password/',
  '/start/',
  '/start/sample/',
  '/start/tutorial/',
  '/docs/',
  '/docs/use/events/',
  '/docs/?q=cable',
  '/dcim/sites/1/compare/',
]

/** Models whose pages are the fullest; every kind of page is checked for the first model that has it. */
const FIRST = ['dcim.device', 'dcim.interface', 'dcim.rack', 'dcim.cable', 'ipam.prefix']

/** One page of each kind, by the end of its address: `columns/`, `:id/journal/`. */
async function pagesByKind(api: Api): Promise<readonly string[]> {
  const addresses = await pageAddresses()
  const models = [...addresses.registry.models.values()].filter((model) => addresses.root(model))
  const place = ({ name }: Model): number => FIRST.indexOf(name) + 1 || FIRST.length + 1
  const pages = new Map<string, string>()
  for (const model of models.toSorted((a, b) => place(a) - place(b))) {
    const kinds = addresses.of(model).filter((kind) => !pages.has(kind))
    if (kinds.length === 0) continue
    const { json } = await api.ask('GET', `/api/${model.path}/?limit=1`)
    const id = Number(json.results?.[0]?.id ?? 0)
    for (const kind of kinds) {
      const path = `${addresses.root(model)}${addressOf(kind, id)}`
      if (kind.includes(ID) && id === 0) continue
      const { status } = await api.ask('GET', path, { headers: { accept: 'text/html' } })
      if (status === 200) pages.set(kind, path)
    }
  }
  return [...pages.values(), ...addresses.others.filter((path) => !/[:(]/.test(path))]
}

/** Buttons of a list that lead to a form for the selected objects. */
const FORMS = ['Edit', 'Rename', 'Add components', 'Delete']

inBrowser('no page has a serious issue of accessibility', () => {
  const { openSignedIn, api } = setUp()

  it('of any kind', async () => {
    const page = await openSignedIn()
    const paths = await pagesByKind(api())
    expect(paths.length).toBeGreaterThan(30)
    for (const path of paths.filter((each) => !PAGES.includes(each))) {
      await page.goto(path)
      expect(await graveIssues(page), path).toEqual([])
    }
    for (const name of FORMS) {
      await page.goto('/dcim/devices/')
      await page
        .getByRole('checkbox', { name: /^Select / })
        .nth(1)
        .check()
      await page.locator('form.selection').getByRole('button', { name, exact: true }).click()
      await page.locator('form.bulk').waitFor()
      expect(await graveIssues(page), name).toEqual([])
    }
  })

  it('among the most used', async () => {
    const page = await openSignedIn()
    for (const path of PAGES) {
      await page.goto(path)
      // Collapsed parts are checked too.
      for (const summary of await page.locator('main details.more > summary').all()) {
        if (await summary.isVisible()) await summary.click()
      }
      expect(await graveIssues(page), path).toEqual([])
    }
  })

  it('about a branch, before and after its merge', async () => {
    const page = await openSignedIn()
    const { json: branch } = await api().ask('POST', '/api/core/branches/', { body: { name: 'Marked' } })
    const ask = async (method: string, path: string, body?: object) => {
      const headers = { 'X-NetBox-Branch': String(branch.schema_id) }
      const { status, text } = await api().ask(method, `/api/dcim/devices/${path}`, { body, headers })
      expect(status, text).toBeLessThan(300)
    }
    const devices = (await api().ask('GET', '/api/dcim/devices/?rack_id=1&position__empty=false')).json.results ?? []
    const [moved, removed] = devices
    await ask('PATCH', `${moved?.id}/`, { position: 7 })
    await ask('DELETE', `${removed?.id}/`)
    const kind = { site: moved?.site?.id, role: moved?.role?.id, device_type: moved?.device_type?.id }
    await ask('POST', '', { ...kind, name: 'added', rack: 1, position: 5, face: 'front' })
    const request = await createdId(api(), 'core/change-requests', { title: 'Look', branch: branch.id })
    const review = { change_request: request, verdict: 'request_changes', text: 'Why?' }
    await createdId(api(), 'core/change-reviews', review)
    const check = async (...paths: readonly string[]) => {
      for (const path of paths) {
        await page.goto(path)
        expect(await graveIssues(page), path).toEqual([])
      }
    }
    const [requestPage, changes] = [`/core/change-requests/${request}/`, `/core/change-requests/${request}/changes/`]
    await check(requestPage, changes)
    await page.goto(`/dcim/racks/1/?branch=${branch.schema_id}`)
    await check('/dcim/racks/1/', requestPage, '/core/events/')
    await api().ask('POST', `/api/core/branches/${branch.id}/merge/`, { body: {} })
    await check(changes)
  })
})
