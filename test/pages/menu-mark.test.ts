import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collections, ExampleObjects } from '../registry/example-objects.ts'
import { startApiWithOwnModels } from '../support/own-models.ts'
import { pageAddresses } from './page-addresses.ts'

const api = await startApiWithOwnModels()
const addresses = await pageAddresses(api.service.database)
const models = collections(addresses.registry)

beforeAll(async () => {
  await new ExampleObjects(api).createAll()
})
afterAll(() => api.close())

/** The addresses of the marked entries of the page's menu; undefined if the address answers without a menu. */
async function markedBy(path: string): Promise<readonly string[] | undefined> {
  const { status, text } = await api.ask('GET', path, { headers: { accept: 'text/html' } })
  const [, menu] = /<nav class="sidebar"[^>]*>(.*?)<\/nav>/s.exec(text) ?? []
  if (status !== 200 || menu === undefined) return undefined
  return [...menu.matchAll(/<a href="([^"]*)" aria-current="page">/g)].map(([, href = '']) => href)
}

describe('the menu marks one entry', () => {
  it.each([
    ['/dcim/rack-elevations/', '/dcim/rack-elevations/'],
    ['/dcim/topology/', '/dcim/topology/'],
    ['/core/events/', '/core/events/'],
    ['/core/system/', '/core/system/'],
    ['/core/config-revisions/', '/core/config-revisions/'],
    ['/users/sign-in/', '/users/sign-in/'],
    ['/dcim/devices/?status=active', '/dcim/devices/'],
    ['/dcim/devices/1/', '/dcim/devices/'],
    ['/dcim/interfaces/1/', '/dcim/interfaces/'],
    ['/dcim/interface-templates/1/', '/dcim/device-types/'],
  ])('on %s: %s', async (path, entry) => {
    expect(await markedBy(path)).toEqual([entry])
  })

  // Types of objects belong to nothing.
  const marking = models.filter(({ name }) => name !== 'core.objecttype')

  it.each(marking.map((model) => [model.name, model] as const))('on the pages of %s', async (_name, model) => {
    const root = addresses.root(model)
    const { json } = await api.ask('GET', `/api/${model.path}/?limit=1&fields=id`)
    const objects = (json.results ?? []).map(({ id }) => `${id}/`)
    for (const path of ['', ...objects]) {
      const marked = await markedBy(`${root}${path}`)
      expect(marked, path).toHaveLength(1)
    }
  })

  it('on the pages that belong to no model, except those about no part of the inventory', async () => {
    const unmarked: string[] = []
    for (const path of addresses.others) if ((await markedBy(path))?.length === 0) unmarked.push(path)
    expect(unmarked.filter((path) => !/^\/(components|dashboard|docs|search|start|user)\//.test(path))).toEqual(['/'])
  })
})
