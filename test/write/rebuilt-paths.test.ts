import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rebuildPaths } from '../../src/models/dcim/cabling/retrace.ts'
import { loadAllWiring } from '../../src/models/dcim/cabling/wiring.ts'
import { sql } from '../../src/sql/fragment.ts'
import { type Inventory, openInventory } from '../support/inventory.ts'
import { stock } from '../support/stock.ts'

describe('paths that an import computes', () => {
  let inventory: Inventory
  let interfaces: number[]
  let rears: number[]

  beforeAll(async () => {
    inventory = await openInventory()
    const { device } = await stock(inventory)
    const four = [1, 2, 3, 4]
    const bodies = four.map((port) => ({ device, name: `e${port}`, type: '1000base-t' }))
    interfaces = await inventory.createAll('dcim.interface', bodies)
    const ports = (name: string) => ({ device, name, type: '8p8c' })
    rears = await inventory.createAll('dcim.rearport', [ports('r1'), ports('r2')])
    const fronts = await inventory.createAll(
      'dcim.frontport',
      rears.map((rear, index) => ({
        ...ports(`f${index}`),
        rear_ports: [{ position: 1, rear_port: rear, rear_port_position: 1 }],
      })),
    )
    const [first, second, third] = interfaces
    const cables = [
      [`dcim.interface:${first}`, `dcim.frontport:${fronts[0]}`],
      [`dcim.rearport:${rears[0]}`, `dcim.interface:${second}`],
      // Behind this port there is no cable.
      [`dcim.interface:${third}`, `dcim.frontport:${fronts[1]}`],
    ]
    const end = (node = '') => {
      const [object_type, id] = node.split(':')
      return [{ object_type, object_id: Number(id) }]
    }
    for (const [a, b] of cables) {
      await inventory.create('dcim.cable', { a_terminations: end(a), b_terminations: end(b) })
    }
  })
  afterAll(() => inventory.close())

  const paths = () =>
    inventory.query(sql`
      select path::text, is_complete, is_active, is_split from dcim_cablepath order by path::text`)

  test('equal those that the writes created', async () => {
    const before = await paths()
    expect(before).toHaveLength(3)
    await rebuildPaths(inventory.service.database)
    expect(await paths()).toEqual(before)
  })

  test('are computed without loading interfaces that have no link', async () => {
    const { objects } = await loadAllWiring(inventory.service.database)
    const [first, second, third, free] = interfaces.map((id) => `dcim.interface:${id}`)
    expect([...objects.keys()]).toEqual(expect.arrayContaining([first, second, third]))
    expect([...objects.keys()]).not.toContain(free)
    expect([...objects.keys()]).toContain(`dcim.rearport:${rears[1]}`)
  })
})
