import { expect, test } from 'vitest'
import { indexesOf } from '../../src/db/migrate/indexes.ts'
import { BEHAVIOURS, MODELS } from '../../src/models/index.ts'
import { buildRegistry } from '../../src/schema/registry.ts'

const registry = buildRegistry(MODELS, BEHAVIOURS)
const indexesOn = (model: string): readonly string[] =>
  Object.values(indexesOf(registry.model(model), [])).map(({ definition }) => definition)

test('a relation needs no index of its own if a declared index begins with it', () => {
  expect(indexesOn('ipam.ipaddress')).toContain('("vrf_id", "_host")')
  expect(indexesOn('ipam.ipaddress').filter((each) => each.startsWith('("vrf_id"'))).toHaveLength(1)
})

test('rows with an empty relation are not in its index', () => {
  expect(indexesOn('ipam.ipaddress')).toContain('("tenant_id") where "tenant_id" is not null')
  expect(indexesOn('ipam.ipaddress')).toContain(
    '("assigned_object_type", "assigned_object_id") where "assigned_object_type" is not null',
  )
  expect(indexesOn('tenancy.contactassignment')).toContain('("object_type", "object_id")')
})
