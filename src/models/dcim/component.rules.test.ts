import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Inventory, openInventory, refusedAt } from '../../../test/support/inventory.ts'
import { type Stock, stock } from '../../../test/support/stock.ts'
import { sql } from '../../sql/fragment.ts'

let inventory: Inventory
let ids: Stock & {
  parentType: number
  parent: number
  moduleType: number
  bay: number
  disabledBay: number
  powerPort: number
  foreignPort: number
  rear: number
  feedTemplate: number
  foreignTemplate: number
}

beforeAll(async () => {
  inventory = await openInventory()
  const some = await stock(inventory)
  const { create } = inventory
  const type = (model: string, more: object = {}) =>
    create('dcim.devicetype', { manufacturer: some.maker, model, slug: model, ...more })
  const parentType = await type('parent', { subdevice_role: 'parent' })
  const otherType = await type('other')
  ids = {
    ...some,
    parentType,
    parent: await create('dcim.device', {
      device_type: parentType,
      role: some.role,
      site: some.site,
    }),
    moduleType: await create('dcim.moduletype', { manufacturer: some.maker, model: 'MT' }),
    bay: await create('dcim.modulebay', { device: some.device, name: 'bay', position: '1' }),
    disabledBay: await create('dcim.modulebay', {
      device: some.device,
      name: 'closed',
      enabled: false,
    }),
    powerPort: await create('dcim.powerport', { device: some.device, name: 'in' }),
    foreignPort: await create('dcim.powerport', { device: some.sibling, name: 'in' }),
    rear: await create('dcim.rearport', { device: some.device, name: 'r', type: 'lc' }),
    feedTemplate: await create('dcim.powerporttemplate', { device_type: some.type, name: 'in' }),
    foreignTemplate: await create('dcim.powerporttemplate', {
      device_type: otherType,
      name: 'in',
    }),
  }
  await create('dcim.powerporttemplate', { module_type: ids.moduleType, name: 'M{module}' })
})
afterAll(() => inventory.close())

describe('new components', () => {
  const front = (rear_ports: unknown) => ({ device: ids.device, name: 'f', type: 'lc', rear_ports })
  // model and body → field of the error
  const cases: readonly [string, string, () => object, string[]][] = [
    [
      'more power than the maximum',
      'dcim.powerport',
      () => ({ device: ids.device, name: 'p', maximum_draw: 1, allocated_draw: 2 }),
      ['allocated_draw'],
    ],
    [
      'power port of another device',
      'dcim.poweroutlet',
      () => ({ device: ids.device, name: 'o', power_port: ids.foreignPort }),
      ['__all__'],
    ],
    [
      'bay in a device of a type without bays',
      'dcim.devicebay',
      () => ({ device: ids.device, name: 'b' }),
      ['__all__'],
    ],
    [
      'device in its own bay',
      'dcim.devicebay',
      () => ({ device: ids.parent, name: 'b', installed_device: ids.parent }),
      ['__all__'],
    ],
    [
      'device in a disabled bay',
      'dcim.devicebay',
      () => ({ device: ids.parent, name: 'b', enabled: false, installed_device: ids.sibling }),
      ['installed_device'],
    ],
    [
      'item of a component in another device',
      'dcim.inventoryitem',
      () => ({
        device: ids.device,
        name: 'i',
        component_type: 'dcim.powerport',
        component_id: ids.foreignPort,
      }),
      ['device'],
    ],
    ['links that are not a list', 'dcim.frontport', () => front('abc'), ['rear_ports']],
    ['link without position', 'dcim.frontport', () => front([{ rear_port: ids.rear }]), ['rear_ports']],
    [
      'link to a port that does not exist',
      'dcim.frontport',
      () => front([{ position: 1, rear_port: 987_654 }]),
      ['rear_ports'],
    ],
    [
      'module in a disabled bay',
      'dcim.module',
      () => ({ device: ids.device, module_bay: ids.disabledBay, module_type: ids.moduleType }),
      ['module_bay'],
    ],
    [
      'module in a bay of another device',
      'dcim.module',
      () => ({ device: ids.sibling, module_bay: ids.bay, module_type: ids.moduleType }),
      ['__all__'],
    ],
    [
      'option that is not a boolean',
      'dcim.module',
      () => ({
        device: ids.device,
        module_bay: ids.bay,
        module_type: ids.moduleType,
        replicate_components: 'perhaps',
      }),
      ['replicate_components'],
    ],
    ['template without a type', 'dcim.consoleporttemplate', () => ({ name: 't' }), ['__all__']],
    [
      'template of two types',
      'dcim.consoleporttemplate',
      () => ({ name: 't', device_type: ids.type, module_type: ids.moduleType }),
      ['__all__'],
    ],
    [
      'outlet template fed by a port template of another type',
      'dcim.poweroutlettemplate',
      () => ({ name: 't', device_type: ids.type, power_port: ids.foreignTemplate }),
      ['__all__'],
    ],
    [
      'bay template of a type without bays',
      'dcim.devicebaytemplate',
      () => ({ name: 't', device_type: ids.type }),
      ['__all__'],
    ],
    ['invalid schema', 'dcim.moduletypeprofile', () => ({ name: 'p', schema: { type: 'nope' } }), ['schema']],
  ]
  test.each(cases)('%s', async (_, model, body, expected) => {
    expect(await refusedAt(inventory.create(model, { ...body() }))).toEqual(expected)
  })

  // Components and templates cannot be moved.
  const fixed: readonly [string, () => number, () => object, string][] = [
    ['dcim.powerport', () => ids.powerPort, () => ({ device: ids.sibling }), 'device'],
    ['dcim.modulebay', () => ids.bay, () => ({ device: ids.sibling }), 'device'],
    ['dcim.rearport', () => ids.rear, () => ({ device: ids.sibling }), 'device'],
    ['dcim.powerporttemplate', () => ids.feedTemplate, () => ({ device_type: ids.parentType }), 'device_type'],
  ]
  test.each(fixed)('%s cannot be moved', async (model, id, change, field) => {
    expect(await refusedAt(inventory.change(model, id(), { ...change() }))).toEqual([field])
  })
})

describe('pass-through ports', () => {
  test('links are kept, changed and removed by position', async () => {
    const { create, change, query } = inventory
    const rear = await create('dcim.rearport', {
      device: ids.device,
      name: 'trunk',
      type: 'mpo',
      positions: 4,
    })
    const link = (position: number, rear_port_position: number) => ({
      position,
      rear_port: rear,
      rear_port_position,
    })
    const front = await create('dcim.frontport', {
      device: ids.device,
      name: 'two',
      type: 'lc',
      positions: 2,
      rear_ports: [link(1, 1), link(2, 2)],
    })
    const wires = () =>
      query(sql`
        select id, front_port_position as front, rear_port_position as rear
        from dcim_portmapping where front_port_id = ${front} order by 2`)
    const before = await wires()
    expect(before).toMatchObject([
      { front: 1, rear: 1 },
      { front: 2, rear: 2 },
    ])
    const taken = { device: ids.device, name: 'late', type: 'lc', rear_ports: [link(1, 2)] }
    expect(await refusedAt(create('dcim.frontport', taken))).toEqual(['rear_ports'])
    expect(await refusedAt(change('dcim.frontport', front, { positions: 1 }))).toEqual(['positions'])
    await change('dcim.frontport', front, { rear_ports: [link(1, 1), link(2, 4)] })
    expect(await wires()).toMatchObject([before[0], { front: 2, rear: 4 }])
    await change('dcim.frontport', front, { description: 'no word of links' })
    expect(await wires()).toHaveLength(2)
    await change('dcim.frontport', front, { rear_ports: [] })
    expect(await wires()).toEqual([])
  })
})

describe('devices are created with the components of their type', () => {
  test('components, wires, bridges and items', async () => {
    const { create, query } = inventory
    const type = await create('dcim.devicetype', {
      manufacturer: ids.maker,
      model: 'Full',
      slug: 'full',
      subdevice_role: 'parent',
    })
    const template = (model: string, more: object) => create(`dcim.${model}template`, { device_type: type, ...more })
    const input = await template('powerport', { name: 'in', maximum_draw: 10 })
    await template('poweroutlet', { name: 'out', power_port: input })
    const bridge = await template('interface', { name: 'br', type: 'bridge' })
    await template('interface', { name: 'ge-{vc_position:1}/0', type: '1000base-t', bridge })
    const rear = await template('rearport', { name: 'r', type: 'lc' })
    await template('frontport', {
      name: 'f',
      type: 'lc',
      rear_ports: [{ position: 1, rear_port: rear, rear_port_position: 1 }],
    })
    await template('modulebay', { name: 'slot', position: '7' })
    await template('devicebay', { name: 'bay' })
    const item = await template('inventoryitem', { name: 'fan' })
    await template('inventoryitem', {
      name: 'screw',
      parent: item,
      component_type: 'dcim.powerporttemplate',
      component_id: input,
    })
    const id = await create('dcim.device', { device_type: type, role: ids.role, site: ids.site })
    const [found] = await query(sql`
      select d.power_port_count, d.interface_count, d.front_port_count, d.inventory_item_count,
        (select p.name from dcim_poweroutlet o join dcim_powerport p on p.id = o.power_port_id
          where o.device_id = d.id) as feeds,
        (select b.name from dcim_interface i join dcim_interface b on b.id = i.bridge_id
          where i.device_id = d.id and i.name = 'ge-1/0') as bridge,
        (select count(*)::int from dcim_portmapping m where m.device_id = d.id) as wires,
        (select position from dcim_modulebay b where b.device_id = d.id) as slot,
        (select count(*)::int from dcim_devicebay b where b.device_id = d.id) as bays,
        (select c.name || ' of ' || p.name || ' at ' || c.component_type
          from dcim_inventoryitem c join dcim_inventoryitem p on p.id = c.parent_id
          where c.device_id = d.id) as item
      from dcim_device d where d.id = ${id}`)
    expect(found).toEqual({
      power_port_count: 1,
      interface_count: 2,
      front_port_count: 1,
      inventory_item_count: 2,
      feeds: 'in',
      bridge: 'br',
      wires: 1,
      slot: '7',
      bays: 1,
      item: 'screw of fan at dcim.powerport',
    })
  })

  test('names that are equal after replacing placeholders are refused', async () => {
    const { create } = inventory
    const type = await create('dcim.devicetype', {
      manufacturer: ids.maker,
      model: 'Double',
      slug: 'double',
    })
    for (const name of ['e{vc_position}', 'e{vc_position:0}']) {
      await create('dcim.interfacetemplate', { device_type: type, name, type: 'virtual' })
    }
    const body = { device_type: type, role: ids.role, site: ids.site }
    expect(await refusedAt(create('dcim.device', body))).toEqual(['malformed'])
  })
})

describe('modules', () => {
  const ports = (device: number) =>
    inventory.query(sql`
      select name, module_id as module from dcim_powerport where device_id = ${device} order by name`)
  const place = async (position: string) => {
    const { create } = inventory
    const device = await create('dcim.device', {
      device_type: ids.type,
      role: ids.role,
      site: ids.site,
    })
    const module_bay = await create('dcim.modulebay', { device, name: 'b', position })
    return { device, module_bay, module_type: ids.moduleType }
  }

  test('create components, which are deleted with them', async () => {
    const { create, remove } = inventory
    const body = await place('3')
    const module = await create('dcim.module', body)
    expect(await ports(body.device)).toContainEqual({ name: 'M3', module })
    await remove('dcim.module', module)
    expect(await ports(body.device)).not.toContainEqual({ name: 'M3', module })
  })

  test('create no components if the body forbids it', async () => {
    const body = await place('3')
    await inventory.create('dcim.module', { ...body, replicate_components: false })
    expect(await ports(body.device)).toEqual([{ name: 'in', module: null }])
  })

  test('need a bay position if names contain it', async () => {
    const body = await place('')
    expect(await refusedAt(inventory.create('dcim.module', body))).toEqual(['non_field_errors'])
  })

  test('are refused if names exist already, unless they adopt those components', async () => {
    const { create } = inventory
    const body = await place('5')
    const loose = await create('dcim.powerport', { device: body.device, name: 'M5' })
    expect(await refusedAt(create('dcim.module', body))).toEqual(['non_field_errors'])
    const module = await create('dcim.module', { ...body, adopt_components: true })
    const rows = await inventory.query(sql`select module_id as module from dcim_powerport where id = ${loose}`)
    expect(rows).toEqual([{ module }])
  })

  test('bays of a module are children of its bay and move with it', async () => {
    const { create, change, query } = inventory
    const body = await place('1')
    const module = await create('dcim.module', body)
    const bay = await create('dcim.modulebay', { device: body.device, module, name: 'inner' })
    const parentOf = () => query(sql`select parent_id as parent, _level from dcim_modulebay where id = ${bay}`)
    expect(await parentOf()).toEqual([{ parent: body.module_bay, _level: 1 }])
    const next = await create('dcim.modulebay', { device: body.device, name: 'next' })
    await change('dcim.module', module, { module_bay: next })
    expect(await parentOf()).toEqual([{ parent: next, _level: 1 }])
    expect(await refusedAt(change('dcim.module', module, { module_bay: bay }))).toEqual(['__all__'])
  })

  test('types have only attributes that fit their profile', async () => {
    const { create, change, query } = inventory
    const profile = await create('dcim.moduletypeprofile', {
      name: 'Sized',
      schema: { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] },
    })
    const type = { manufacturer: ids.maker, model: 'A', profile }
    expect(await refusedAt(create('dcim.moduletype', { ...type, attributes: { size: 'big' } }))).toEqual(['__all__'])
    const id = await create('dcim.moduletype', { ...type, attributes: { size: 1 } })
    const attributes = () => query(sql`select attribute_data::text as data from dcim_moduletype where id = ${id}`)
    await change('dcim.moduletype', id, { attributes: { colour: 'red' } })
    expect(await attributes()).toEqual([{ data: '{"size": 1, "colour": "red"}' }])
    await change('dcim.moduletype', id, { profile: null })
    expect(await attributes()).toEqual([{ data: null }])
  })
})

describe('inventory items', () => {
  test('move to another device only without children, and lose their component', async () => {
    const { create, change, query } = inventory
    const item = await create('dcim.inventoryitem', {
      device: ids.device,
      name: 'psu',
      component_type: 'dcim.powerport',
      component_id: ids.powerPort,
    })
    const child = await create('dcim.inventoryitem', {
      device: ids.device,
      name: 'fan',
      parent: item,
    })
    const move = { device: ids.sibling }
    expect(await refusedAt(change('dcim.inventoryitem', item, move))).toEqual(['__all__'])
    expect(await refusedAt(change('dcim.inventoryitem', child, move))).toEqual(['parent'])
    await inventory.remove('dcim.inventoryitem', child)
    await change('dcim.inventoryitem', item, move)
    expect(await query(sql`select device_id, component_id from dcim_inventoryitem where id = ${item}`)).toEqual([
      { device_id: ids.sibling, component_id: null },
    ])
  })
})
