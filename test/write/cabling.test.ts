import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql/fragment.ts'
import { type Inventory, openInventory } from '../support/inventory.ts'
import { stock } from '../support/stock.ts'

const PANEL = 12
const numbers = Array.from({ length: PANEL }, (_, index) => index)

describe('cabling', () => {
  let inventory: Inventory
  let near: number[]
  let far: number[]
  let fronts: number[]
  let rears: number[]

  beforeAll(async () => {
    inventory = await openInventory()
    const { device, sibling } = await stock(inventory)
    const ports = (model: string, more: (index: number) => object) =>
      inventory.createAll(
        model,
        numbers.map((index) => ({ name: `p${index}`, type: '8p8c', ...more(index) })),
      )
    near = await ports('dcim.interface', () => ({ device, type: '1000base-t' }))
    far = await ports('dcim.interface', () => ({ device: sibling, type: '1000base-t' }))
    rears = await ports('dcim.rearport', () => ({ device }))
    fronts = await ports('dcim.frontport', (index) => ({
      device,
      rear_ports: [{ position: 1, rear_port: rears[index], rear_port_position: 1 }],
    }))
  })
  afterAll(() => inventory.close())

  const cable = (a: string, one: number | undefined, b: string, other: number | undefined) =>
    inventory.create('dcim.cable', {
      a_terminations: [{ object_type: a, object_id: one }],
      b_terminations: [{ object_type: b, object_id: other }],
    })

  test('both halves of a connection, made at the same time, form one path', async () => {
    await Promise.all(
      numbers.flatMap((index) => [
        cable('dcim.interface', near[index], 'dcim.frontport', fronts[index]),
        cable('dcim.rearport', rears[index], 'dcim.interface', far[index]),
      ]),
    )
    const ends = await inventory.query<{ id: number; last: string }>(sql`
      select i.id, p.path ->> -1 as last from dcim_interface i
      join dcim_cablepath p on p.id = i._path_id and p.is_complete order by i.id`)
    const opposite = [...far, ...near].map((id) => `["dcim.interface:${id}"]`)
    expect(ends.map(({ last }) => last)).toEqual(opposite)
    expect(ends.map(({ id }) => id)).toEqual([...near, ...far])
  })

  test('nothing remains of a path whose device is deleted', async () => {
    const [{ device = 0 } = {}] = await inventory.query<{ device: number }>(sql`
      select device_id as device from dcim_interface where id = ${far[0]}::bigint`)
    await inventory.remove('dcim.device', device)
    const [counts] = await inventory.query(sql`
      select count(*) as paths, count(*) filter (where is_complete) as complete
      from dcim_cablepath`)
    expect(counts).toEqual({ paths: PANEL, complete: 0 })
  })
})
