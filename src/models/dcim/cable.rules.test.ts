import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Inventory, openInventory, refusedAt } from '../../../test/support/inventory.ts'
import { type Stock, stock } from '../../../test/support/stock.ts'
import { sql } from '../../sql/fragment.ts'
import { rebuildPaths } from './cabling/retrace.ts'

let inventory: Inventory
let ids: Stock & { power: number; virtual: number; marked: number; a: number; b: number }
let names = 0

beforeAll(async () => {
  inventory = await openInventory()
  const some = await stock(inventory)
  ids = {
    ...some,
    power: await inventory.create('dcim.powerport', { device: some.device, name: 'in' }),
    virtual: await port({ device: some.device, type: 'virtual' }),
    marked: await port({ device: some.device, mark_connected: true }),
    a: await port({ device: some.device }),
    b: await port({ device: some.device }),
  }
})
afterAll(() => inventory.close())

const port = (more: object = {}): Promise<number> => {
  names += 1
  return inventory.create('dcim.interface', {
    device: ids?.device,
    name: `e${names}`,
    type: '1000base-t',
    ...more,
  })
}
type End = readonly [type: string, id: number]
const ends = (list: readonly End[]) => list.map(([type, id]) => ({ object_type: `dcim.${type}`, object_id: id }))
const cableOf = (a: readonly End[], b: readonly End[], more: object = {}) => ({
  a_terminations: ends(a),
  b_terminations: ends(b),
  ...more,
})
const connect = (a: readonly End[], b: readonly End[], more: object = {}): Promise<number> =>
  inventory.create('dcim.cable', cableOf(a, b, more))
const at = (id: number): End => ['interface', id]

/** Target and state of the path from an interface. */
const reached = async (id: number): Promise<unknown> => {
  const [row] = await inventory.query(sql`
    select p.path ->> -1 as last, p.is_complete as complete, p.is_active as active
    from dcim_interface i join dcim_cablepath p on p.id = i._path_id where i.id = ${id}`)
  return row && { ...row, last: JSON.parse(String(row.last)) }
}
const leadsTo = (...nodes: string[]) => ({ last: nodes, complete: true, active: true })

describe('a new cable', () => {
  // body → field of the error
  const cases: readonly [string, () => object, string[]][] = [
    ['nothing', () => ({}), ['__all__']],
    ['one side', () => ({ a_terminations: ends([at(ids.a)]) }), ['__all__']],
    ['an empty side', () => cableOf([at(ids.a)], []), ['__all__']],
    ['a side that is not a list', () => ({ a_terminations: 'x' }), ['a_terminations']],
    ['a side that is null', () => ({ a_terminations: null }), ['a_terminations']],
    ['an end without id', () => ({ a_terminations: [{ object_type: 'dcim.interface' }] }), ['a_terminations']],
    ['a type that does not exist', () => cableOf([at(ids.a)], [['nope', 1]]), ['b_terminations']],
    ['an object that does not exist', () => cableOf([at(ids.a)], [at(987_654)]), ['b_terminations']],
    ['a type without connectors', () => cableOf([at(ids.a)], [['site', ids.site]]), ['__all__']],
    ['the same object twice', () => cableOf([at(ids.a)], [at(ids.a)]), ['__all__']],
    ['one object twice on a side', () => cableOf([at(ids.a), at(ids.a)], [at(ids.b)]), ['__all__']],
    ['incompatible types', () => cableOf([at(ids.a)], [['powerport', ids.power]]), ['__all__']],
    ['two types on one side', () => cableOf([at(ids.a), ['powerport', ids.power]], [at(ids.b)]), ['__all__']],
    ['a virtual interface', () => cableOf([at(ids.a)], [at(ids.virtual)]), ['__all__']],
    ['an object marked as connected', () => cableOf([at(ids.a)], [at(ids.marked)]), ['__all__']],
    ['a length without unit', () => cableOf([at(ids.a)], [at(ids.b)], { length: 5 }), ['__all__']],
    [
      'more ends than connectors',
      () => cableOf([at(ids.a), at(ids.b)], [at(ids.marked)], { profile: 'single-1c1p' }),
      ['a_terminations'],
    ],
  ]
  test.each(cases)('%s', async (_, body, expected) => {
    expect(await refusedAt(inventory.create('dcim.cable', { ...body() }))).toEqual(expected)
  })

  test('occupies its ends, so that no other cable can use them', async () => {
    const [a, b, c] = [await port(), await port(), await port()]
    const cable = await connect([at(a)], [at(b)])
    expect(
      await inventory.query(sql`
        select cable_id as cable, cable_end as end from dcim_interface
        where id = any(${[a, b]}::bigint[]) order by id`),
    ).toEqual([
      { cable, end: 'A' },
      { cable, end: 'B' },
    ])
    expect(await refusedAt(connect([at(b)], [at(c)]))).toEqual(['__all__'])
    const marked = inventory.change('dcim.interface', a, { mark_connected: true })
    expect(await refusedAt(marked)).toEqual(['mark_connected'])
    expect(await reached(a)).toEqual(leadsTo(`dcim.interface:${b}`))
    expect(await reached(b)).toEqual(leadsTo(`dcim.interface:${a}`))
  })

  test('to an object that an earlier cable of the same request has taken is refused', async () => {
    const [a, b, c] = [await port(), await port(), await port()]
    const both = [cableOf([at(a)], [at(b)]), cableOf([at(a)], [at(c)])]
    expect(await refusedAt(inventory.createAll('dcim.cable', both))).toEqual(['__all__'])
  })

  test('has one change record with its ends', async () => {
    const cable = await connect([at(await port())], [at(await port())])
    const [first, ...more] = await inventory.query<{ data: string }>(sql`
      select postchange_data::text as data from core_objectchange
      where changed_object_type = 'dcim.cable' and changed_object_id = ${cable}`)
    expect(more).toEqual([])
    expect(JSON.parse(String(first?.data))).toMatchObject({
      a_terminations: [expect.any(Number)],
      b_terminations: [expect.any(Number)],
    })
  })
})

describe('a change of a cable', () => {
  test('of one end keeps the other end, and disconnects the previous object', async () => {
    const [a, b, c] = [await port(), await port(), await port()]
    const cable = await connect([at(a)], [at(b)])
    const kept = () =>
      inventory.query(sql`
        select id from dcim_cabletermination where cable_id = ${cable} and cable_end = 'A'`)
    const before = await kept()
    await inventory.change('dcim.cable', cable, { b_terminations: ends([at(c)]) })
    expect(await kept()).toEqual(before)
    expect(await reached(a)).toEqual(leadsTo(`dcim.interface:${c}`))
    expect(await reached(b)).toBeUndefined()
    expect(await inventory.query(sql`select cable_id, cable_end from dcim_interface where id = ${b}`)).toEqual([
      { cable_id: null, cable_end: null },
    ])
  })

  test('of its status updates the active state of the paths through it', async () => {
    const [a, b] = [await port(), await port()]
    const cable = await connect([at(a)], [at(b)])
    await inventory.change('dcim.cable', cable, { status: 'planned' })
    expect(await reached(a)).toMatchObject({ complete: true, active: false })
    await inventory.change('dcim.cable', cable, { status: 'connected' })
    expect(await reached(a)).toMatchObject({ complete: true, active: true })
  })

  test('of its profile renumbers its connectors', async () => {
    const cable = await connect([at(await port())], [at(await port())])
    await inventory.change('dcim.cable', cable, { profile: 'single-1c2p' })
    expect(
      await inventory.query(sql`
        select connector, positions from dcim_cabletermination
        where cable_id = ${cable} order by cable_end`),
    ).toEqual([
      { connector: 1, positions: [1, 2] },
      { connector: 1, positions: [1, 2] },
    ])
  })

  test('by its deletion disconnects its ends', async () => {
    const [a, b] = [await port(), await port()]
    await inventory.remove('dcim.cable', await connect([at(a)], [at(b)]))
    expect(await reached(a)).toBeUndefined()
    expect(await refusedAt(connect([at(a)], [at(b)]))).toEqual([])
  })

  test('by the deletion of one end leaves the other end without peer', async () => {
    const [a, b] = [await port(), await port()]
    await connect([at(a)], [at(b)])
    await inventory.remove('dcim.interface', b)
    expect(await reached(a)).toMatchObject({ complete: false })
  })
})

describe('paths', () => {
  /** Front ports that are wired to the positions of one rear port. */
  const panel = async (positions: number) => {
    names += 1
    const rear = await inventory.create('dcim.rearport', {
      device: ids.device,
      name: `r${names}`,
      type: 'mpo',
      positions,
    })
    const fronts: End[] = []
    for (let position = 1; position <= positions; position += 1) {
      const front = await inventory.create('dcim.frontport', {
        device: ids.device,
        name: `f${names}.${position}`,
        type: 'lc',
        rear_ports: [{ position: 1, rear_port: rear, rear_port_position: position }],
      })
      fronts.push(['frontport', front])
    }
    return { rear: ['rearport', rear] as End, fronts }
  }

  test('pass through panels, separated by the positions of a trunk', async () => {
    const [one, two] = [await panel(2), await panel(2)]
    const near = [await port(), await port()]
    const far = [await port(), await port()]
    await connect([one.rear], [two.rear])
    for (const index of [0, 1]) {
      await connect([at(near[index] ?? 0)], one.fronts.slice(index, index + 1))
      await connect([at(far[index] ?? 0)], two.fronts.slice(index, index + 1))
    }
    expect(await reached(near[0] ?? 0)).toEqual(leadsTo(`dcim.interface:${far[0]}`))
    expect(await reached(near[1] ?? 0)).toEqual(leadsTo(`dcim.interface:${far[1]}`))
    expect(await reached(far[1] ?? 0)).toEqual(leadsTo(`dcim.interface:${near[1]}`))

    // Removing a wire within a panel ends the path there.
    await inventory.change('dcim.frontport', two.fronts[0]?.[1] ?? 0, { rear_ports: [] })
    expect(await reached(near[0] ?? 0)).toMatchObject({ complete: false })
    expect(await reached(near[1] ?? 0)).toEqual(leadsTo(`dcim.interface:${far[1]}`))
  })

  test('follow the wires of a breakout cable', async () => {
    const trunk = await port()
    const single = [await port(), await port()]
    await connect([at(trunk)], single.map(at), { profile: 'breakout-1c2p-2c1p' })
    expect(await reached(trunk)).toEqual(leadsTo(...single.map((id) => `dcim.interface:${id}`)))
    expect(await reached(single[1] ?? 0)).toEqual(leadsTo(`dcim.interface:${trunk}`))
  })

  test('cross circuits as soon as both sides exist', async () => {
    const { create, query, remove } = inventory
    const provider = await create('circuits.provider', { name: 'P', slug: 'p' })
    const type = await create('circuits.circuittype', { name: 'T', slug: 't' })
    const circuit = await create('circuits.circuit', { cid: 'c1', provider, type })
    const side = (term_side: string, termination_id: number) =>
      create('circuits.circuittermination', {
        circuit,
        term_side,
        termination_type: 'dcim.site',
        termination_id,
      })
    const [a, b] = [await port(), await port()]
    const near = await side('A', ids.site)
    const ending = (id: number) => [{ object_type: 'circuits.circuittermination', object_id: id }]
    await create('dcim.cable', { a_terminations: ends([at(a)]), b_terminations: ending(near) })
    expect(await reached(a)).toMatchObject({ complete: false })
    const far = await side('Z', ids.otherSite)
    expect(await reached(a)).toMatchObject({ last: [`dcim.site:${ids.otherSite}`] })
    await create('dcim.cable', { a_terminations: ending(far), b_terminations: ends([at(b)]) })
    expect(await reached(a)).toEqual(leadsTo(`dcim.interface:${b}`))
    await remove('circuits.circuittermination', far)
    expect(await reached(a)).toMatchObject({ complete: false })
    expect(await query(sql`select cable_end from dcim_interface where id = ${b}`)).toEqual([{ cable_end: 'B' }])
  })

  test('over incompatible ports are refused', async () => {
    const [one, two] = [await panel(1), await panel(1)]
    const elsewhere = await inventory.create('dcim.rearport', {
      device: ids.sibling,
      name: 'lone',
      type: 'lc',
    })
    const front = await inventory.create('dcim.frontport', {
      device: ids.sibling,
      name: 'lone',
      type: 'lc',
      rear_ports: [{ position: 1, rear_port: elsewhere, rear_port_position: 1 }],
    })
    const a = await port()
    await connect([one.rear], [two.rear])
    const both: End[] = [...one.fronts, ['frontport', front]]
    expect(await refusedAt(connect([at(a)], both))).toEqual(['malformed'])
    expect(await inventory.query(sql`select cable_id from dcim_interface where id = ${a}`)).toEqual([
      { cable_id: null },
    ])
  })

  test('are the same when recomputed from scratch', async () => {
    const all = () =>
      inventory.query(sql`
        select path::text, is_active, is_complete, is_split from dcim_cablepath order by path::text`)
    const before = await all()
    await rebuildPaths(inventory.service.database)
    expect(await all()).toEqual(before)
    expect(before.length).toBeGreaterThan(10)
  })
})
