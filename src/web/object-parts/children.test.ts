import { expect, it } from 'vitest'
import { MODELS, VIEWS } from '../../models/index.ts'
import { buildRegistry } from '../../schema/registry.ts'
import { columnsOfChildren } from './children.ts'

const registry = buildRegistry(MODELS, [], [], VIEWS)

it('the tables of an object do not name it in every row', () => {
  const ports = { model: 'dcim.consoleport', by: { device_id: 'id' } }
  expect(registry.view(registry.model('dcim.consoleport')).columns).toContain('device')
  expect(columnsOfChildren(registry, ports)).not.toContain('device')
  expect(columnsOfChildren(registry, ports)).toContain('name')
})

it('other relations are still shown', () => {
  const devices = { model: 'dcim.device', by: { rack_id: 'id' } }
  expect(columnsOfChildren(registry, devices)).toContain('site')
})
