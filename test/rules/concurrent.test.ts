import { expect, it } from 'vitest'
import { apiOfTest } from '../support/api.ts'

const TYPES = ['dcim.site', 'dcim.rack', 'dcim.device', 'ipam.vlan', 'ipam.vrf', 'ipam.prefix', 'dcim.cable']

it('rules that are created and deleted at the same time are all stored, and all have their findings', async () => {
  const api = await apiOfTest({ API_VERSION: '4.7' })
  const rule = (name: string, object_type: string) => ({
    ...{ name, object_type, expression: 'id < 0', message: 'Wrong' },
  })
  const removed = await api.make('extras/rules', rule('Removed', 'dcim.location'))
  await api.background.runUntilIdle()
  api.background.start()
  const responses = await Promise.all([
    ...TYPES.map((type) => api.ask('POST', '/api/extras/rules/', { body: rule(type, type) })),
    api.ask('DELETE', `/api/extras/rules/${removed}/`),
  ])
  expect(responses.map(({ status }) => status)).toEqual([...TYPES.map(() => 201), 204])
  await api.make('dcim/sites', { name: 'S', slug: 's' })
  await api.make('ipam/vrfs', { name: 'V' })
  const types = async () =>
    ((await api.ask('GET', '/api/extras/findings/')).json.results ?? []).map(({ object_type: type }) => type).toSorted()
  await expect.poll(types).toEqual(['dcim.site', 'ipam.vrf'])
})
