import { expect, it } from 'vitest'
import { MODELS, VIEWS } from '../../models/index.ts'
import { buildRegistry } from '../../schema/registry.ts'
import { filterNarrowing } from './filter-narrowing.ts'

const registry = buildRegistry(MODELS, [], [], VIEWS)
const narrowingOf = (model: string) => filterNarrowing(registry.model(model), registry)

it.each([
  ['dcim.device', 'site_id', { region_id: 'region_id', group_id: 'site_group_id' }],
  ['dcim.device', 'device_type_id', { manufacturer_id: 'manufacturer_id' }],
  ['dcim.device', 'cluster_id', { group_id: 'cluster_group_id' }],
  ['dcim.device', 'region_id', undefined],
  ['dcim.device', 'role_id', undefined],
])('choices in the filter of %s by %s match the filters before it', (model, name, narrowing) => {
  expect(narrowingOf(model).get(name)).toEqual(narrowing)
})

it('choices of racks fit the chosen site and location', () => {
  expect(narrowingOf('dcim.device').get('rack_id')).toMatchObject({
    site_id: 'site_id',
    location_id: 'location_id',
  })
})
