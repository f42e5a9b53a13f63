import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'

/** What a function with these lines returns, or the exception that it raises. */
export type Snippet = readonly [what: string, lines: string, returns: unknown]

/** A test for each snippet; all of them see the same inventory. */
export function evaluates(snippets: readonly Snippet[]): void {
  let api: Api
  let results: Readonly<Record<string, unknown>> = {}
  beforeAll(async () => {
    api = await startApi({ SCRIPTS_ROOT: join(import.meta.dirname, 'python-models'), API_VERSION: '4.7' })
    await makeInventory(api)
    await api.background.runUntilIdle()
    const sources = JSON.stringify(Object.fromEntries(snippets.map(([what, lines]) => [what, lines])))
    const body = { data: { snippets: sources }, commit: false }
    const { json, text } = await api.ask('POST', '/api/extras/scripts/evaluate.Evaluate/', { body })
    await api.background.runUntilIdle()
    const job = (await api.ask('GET', `/api/core/jobs/${json.result?.id}/`)).json
    expect(job.status, `${text} ${JSON.stringify(job)}`).toMatchObject({ value: 'completed' })
    results = job.data?.output ?? {}
  })
  afterAll(() => api.close())

  it.each(snippets)('%s', (what, _lines, returns) => {
    if (returns instanceof RegExp) expect(results[what]).toMatch(returns)
    else expect(results[what]).toEqual(returns)
  })
}

/** Two sites with devices and ports, prefixes, VLANs, a tree of regions and a custom field. */
async function makeInventory({ make }: Api): Promise<void> {
  const north = await make('dcim/regions', { name: 'North', slug: 'north' })
  await make('dcim/regions', { name: 'Coast', slug: 'coast', parent: north })
  await make('extras/custom-fields', { name: 'floor', type: 'integer', object_types: ['dcim.site'] })
  await make('extras/tags', { name: 'Old', slug: 'old' })
  const akron = await make('dcim/sites', { name: 'Akron', slug: 'akron' })
  const bonn = await make('dcim/sites', { name: 'Bonn', slug: 'bonn' })
  const manufacturer = await make('dcim/manufacturers', { name: 'M', slug: 'm' })
  const type = await make('dcim/device-types', { manufacturer, model: 'T', slug: 't' })
  const powerPort = { device_type: type, name: 'P1' }
  const power_port = await make('dcim/power-port-templates', powerPort)
  await make('dcim/power-outlet-templates', { device_type: type, name: 'O1', type: 'iec-60320-c13', power_port })
  const role = await make('dcim/device-roles', { name: 'Switch', slug: 'switch', color: 'aa0000' })
  const device = (name: string, site: number) => make('dcim/devices', { name, site, device_type: type, role })
  for (const name of ['a1', 'a2']) {
    const id = await device(name, akron)
    for (const port of ['e0', 'e1']) await make('dcim/interfaces', { device: id, name: port, type: '1000base-t' })
  }
  await make('dcim/interfaces', { device: await device('b1', bonn), name: 'e0', type: '1000base-t', enabled: false })
  await make('ipam/prefixes', { prefix: '10.0.0.0/16', status: 'container' })
  await make('ipam/prefixes', { prefix: '10.0.1.0/24' })
  await make('ipam/vlans', { vid: 10, name: 'ten' })
  await make('ipam/vlans', { vid: 400, name: 'four hundred' })
}
