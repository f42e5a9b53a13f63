import { load } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, type Document, startApi } from '../support/api.ts'
import { untilTemplatesRender } from '../support/templates.ts'
import { makePlaces, type Places } from './places.ts'

describe('modules', () => {
  let api: Api
  let places: Places
  let manufacturer: number
  beforeAll(async () => {
    api = await startApi({ API_VERSION: '4.7' })
    places = await makePlaces(api)
    manufacturer = places.manufacturer
  })
  afterAll(() => api.close())

  const get = async (path: string) => (await api.ask('GET', `/api/dcim/${path}`)).json
  const patch = (path: string, body: unknown) => api.ask('PATCH', `/api/dcim/${path}`, { body })
  const bay = (device: number, name: string, more: object = {}) =>
    api.make('dcim/module-bays', { device, name, position: name, ...more })
  const names = async (path: string) => ((await get(path)).results ?? []).map(({ name }: Document) => String(name))
  const interfaces = (device: number) => names(`interfaces/?device_id=${device}`)
  let types = 0
  const moduleType = (more: object = {}) => {
    types += 1
    return api.make('dcim/module-types', { manufacturer, model: `Type ${types}`, ...more })
  }
  const template = (kind: string, module_type: number, name: string, more: object = {}) =>
    api.make(`dcim/${kind}-templates`, { module_type, name, ...more })
  const install = (device: number, module_bay: number, module_type: number, more: object = {}) =>
    api.make('dcim/modules', { device, module_bay, module_type, ...more })

  describe('that move', () => {
    let carrier: number
    let card: number
    beforeAll(async () => {
      card = await moduleType()
      const parent = await template('interface', card, 'xe-{module}/0', { type: '100gbase-x-qsfp28', channels: 2 })
      await template('interface', card, 'xe-{module}/0:1', { type: 'channel', parent, channel_id: 1 })
      await template('rear-port', card, 'rear-{module}', { type: 'lc', label: 'Rear {module}' })
      carrier = await moduleType()
      await template('module-bay', carrier, 'sub {module}', { position: '{module}', label: 'Label {module}' })
      await template('interface', carrier, 'mgmt-{module}', { type: '1000base-t' })
      await template('power-port', carrier, 'psu-{module}', {})
    })

    /** A device with bays 1 and 2; in the first a carrier, and in this a card. */
    const stocked = async (name: string) => {
      const device = await places.device(name)
      const [one, two] = [await bay(device, '1'), await bay(device, '2')]
      const outer = await install(device, one, carrier)
      const [sub] = (await get(`module-bays/?module_id=${outer}`)).results ?? []
      const inner = await install(device, Number(sub?.id), card)
      return { device, one, two, outer, inner, sub: Number(sub?.id) }
    }

    it('to another bay rename the components from their templates, also in nested modules', async () => {
      const { device, two, outer, inner, sub } = await stocked('within')
      expect(await interfaces(device)).toEqual(['xe-1/0', 'xe-1/0:1', 'mgmt-1'])
      const [port] = (await get(`power-ports/?device_id=${device}`)).results ?? []
      await patch(`power-ports/${port?.id}/`, { name: 'by hand' })

      const moved = await patch(`modules/${outer}/`, { module_bay: two })
      expect(moved.status, moved.text).toBe(200)
      expect(moved.json).toMatchObject({ device: { id: device }, module_bay: { id: two } })
      expect(await interfaces(device)).toEqual(['xe-2/0', 'xe-2/0:1', 'mgmt-2'])
      expect(await names(`power-ports/?device_id=${device}`)).toEqual(['by hand'])
      expect(await get(`module-bays/${sub}/`)).toMatchObject({ name: 'sub 2', position: '2', label: 'Label 2' })
      expect((await get(`rear-ports/?device_id=${device}`)).results).toMatchObject([{ label: 'Rear 2' }])
      expect(await get(`modules/${inner}/`)).toMatchObject({ device: { id: device }, module_bay: { id: sub } })
      expect(await get(`module-bays/${two}/`)).toMatchObject({ installed_module: { id: outer }, _occupied: true })
      // The bays of the module are now below the bay that it is in.
      const order = await names(`module-bays/?device_id=${device}`)
      expect(order).toEqual(['1', '2', 'sub 2'])
    })

    it('to another device take everything along, with the counters', async () => {
      const { device, outer, inner, sub } = await stocked('from')
      const other = await api.make('dcim/sites', { name: 'Elsewhere', slug: 'elsewhere' })
      const target = await places.device('to', { site: other })
      const slot = await bay(target, '7')
      // A LAG of other interfaces does not prevent the move.
      const aggregate = await api.make('dcim/interfaces', { device: target, name: 'lag', type: 'lag' })
      await api.make('dcim/interfaces', { device: target, name: 'member', type: '1000base-t', lag: aggregate })
      const moved = await patch(`modules/${outer}/`, { module_bay: slot })
      expect(moved.status, moved.text).toBe(200)
      expect(moved.json).toMatchObject({ device: { id: target } })
      expect(await interfaces(target)).toEqual(['xe-7/0', 'xe-7/0:1', 'lag', 'member', 'mgmt-7'])
      expect(await interfaces(device)).toEqual([])
      expect(await names(`interfaces/?site_id=${other}&module_id=${outer}`)).toEqual(['mgmt-7'])
      expect(await get(`modules/${inner}/`)).toMatchObject({ device: { id: target }, module_bay: { id: sub } })
      const counts = ({ interface_count, power_port_count, rear_port_count, module_bay_count }: Document) => [
        ...[interface_count, power_port_count, rear_port_count, module_bay_count],
      ]
      expect(counts(await get(`devices/${target}/`))).toEqual([5, 1, 1, 2])
      expect(counts(await get(`devices/${device}/`))).toEqual([0, 0, 0, 2])
      // And back, in a list, with a record of each change.
      const list = await patch('modules/', [{ id: outer, module_bay: await bay(device, '9') }])
      expect(list.status, list.text).toBe(200)
      expect(await interfaces(device)).toEqual(['xe-9/0', 'xe-9/0:1', 'mgmt-9'])
    })

    it('may be moved if only their old names conflict', async () => {
      const one = await places.device('crossing one')
      const two = await places.device('crossing two')
      const module = await install(one, await bay(one, '3'), card)
      await install(two, await bay(two, '3'), card)
      const moved = await patch(`modules/${module}/`, { module_bay: await bay(two, '4') })
      expect(moved.status, moved.text).toBe(200)
      expect(await interfaces(two)).toEqual(['xe-3/0', 'xe-3/0:1', 'xe-4/0', 'xe-4/0:1'])
    })

    it('do not adopt a module that is in the way', async () => {
      const { device, one, two, outer } = await stocked('refused')
      const own = await bay(device, 'own', { module: outer })
      const disabled = await bay(device, 'off', { enabled: false })
      const taken = await install(device, two, await moduleType())
      const typed = await bay(device, 'typed', {
        module_bay_types: [await api.make('dcim/module-bay-types', { name: 'Typed', slug: 'typed' })],
      })
      const strict = await moduleType({
        module_bay_types: [await api.make('dcim/module-bay-types', { name: 'Strict', slug: 'strict' })],
      })
      const misfit = await install(device, await bay(device, 'free'), strict)
      const target = await places.device('refused target')
      const cases: readonly (readonly [module: number, body: object, key: string])[] = [
        [outer, { module_bay: two }, 'module_bay'],
        [outer, { module_bay: disabled }, 'module_bay'],
        [outer, { module_bay: own }, '__all__'],
        [misfit, { module_bay: typed }, '__all__'],
        [outer, { device: target }, '__all__'],
        [outer, { module_bay: null }, 'module_bay'],
        [outer, { module_bay: 999_999 }, 'module_bay'],
      ]
      for (const [module, body, key] of cases) {
        const refused = await patch(`modules/${module}/`, body)
        expect([refused.status, Object.keys(refused.json)], JSON.stringify(body)).toEqual([400, [key]])
      }
      expect(await get(`modules/${outer}/`)).toMatchObject({ device: { id: device }, module_bay: { id: one } })
      expect(await get(`modules/${taken}/`)).toMatchObject({ module_bay: { id: two } })
    })

    it.each<
      [string, (parts: { readonly port: number; readonly device: number; readonly target: number }) => Promise<unknown>]
    >([
      [
        'cables',
        async ({ port, device }) => {
          const far = await api.make('dcim/interfaces', { device, name: 'far', type: '100gbase-x-qsfp28' })
          const end = (object_id: number) => [{ object_type: 'dcim.interface', object_id }]
          await api.make('dcim/cables', { a_terminations: end(port), b_terminations: end(far) })
        },
      ],
      [
        'IP addresses',
        ({ port }) =>
          api.make('ipam/ip-addresses', {
            ...{ address: '192.0.2.1/24', assigned_object_type: 'dcim.interface', assigned_object_id: port },
          }),
      ],
      [
        'membership in a LAG',
        async ({ port, device }) => {
          const lag = await api.make('dcim/interfaces', { device, name: 'lag', type: 'lag' })
          expect((await patch(`interfaces/${port}/`, { lag })).status).toBe(200)
        },
      ],
      [
        'names that exist there',
        ({ target }) => api.make('dcim/interfaces', { device: target, name: 'xe-5/0', type: '1000base-t' }),
      ],
    ])('are refused to another device with %s', async (what, prepare) => {
      const device = await places.device(`with ${what}`)
      const target = await places.device(`without ${what}`)
      const module = await install(device, await bay(device, '5'), card)
      const port = Number((await get(`interfaces/?module_id=${module}&name=xe-5/0`)).results?.[0]?.id)
      await prepare({ port, device, target })
      const before = await get(`devices/${device}/`)
      const refused = await patch(`modules/${module}/`, { module_bay: await bay(target, '5') })
      expect([refused.status, Object.keys(refused.json)], refused.text).toEqual([400, ['__all__']])
      expect(await get(`devices/${device}/`)).toEqual(before)
      expect(await get(`interfaces/${port}/`)).toMatchObject({ device: { id: device } })
    })

    it('in a list do not take a bay that another module leaves in the same list', async () => {
      const device = await places.device('chain')
      const [a, b, c] = [await bay(device, 'a'), await bay(device, 'b'), await bay(device, 'c')]
      const [first, second] = [await install(device, a, card), await install(device, b, card)]
      const refused = await patch('modules/', [
        { id: second, module_bay: c },
        { id: first, module_bay: b },
      ])
      expect([refused.status, Object.keys(refused.json)]).toEqual([400, ['module_bay']])
      expect(await interfaces(device)).toEqual(['xe-a/0', 'xe-a/0:1', 'xe-b/0', 'xe-b/0:1'])
    })
  })

  describe('and bays with types', () => {
    let small: number
    let large: number
    let device: number
    beforeAll(async () => {
      small = await api.make('dcim/module-bay-types', { name: 'Small', slug: 'small' })
      large = await api.make('dcim/module-bay-types', { name: 'Large', slug: 'large' })
      device = await places.device('typed')
    })

    it.each<[string, () => number[], () => number[], boolean]>([
      ['the same type', () => [small], () => [small], true],
      ['one type in common', () => [small, large], () => [large], true],
      ['other types', () => [small], () => [large], false],
      ['no types of the module', () => [small], () => [], true],
      ['no types of the bay', () => [], () => [large], true],
    ])('are compatible with %s', async (name, ofBay, ofModule, fits) => {
      const module_bay = await bay(device, name, { module_bay_types: ofBay() })
      const module_type = await moduleType({ module_bay_types: ofModule() })
      const made = await api.ask('POST', '/api/dcim/modules/', { body: { device, module_bay, module_type } })
      expect(made.status, made.text).toBe(fits ? 201 : 400)
      if (fits) expect(made.json).toMatchObject({ is_bay_compatible: true })
      else expect(Object.keys(made.json)).toEqual(['__all__'])
    })

    it('stay together when a change of the bay makes them incompatible, which both show, and the module cannot be written', async () => {
      const module_bay = await bay(device, 'changing', { module_bay_types: [small] })
      const module = await install(device, module_bay, await moduleType({ module_bay_types: [small] }))
      expect((await patch(`module-bays/${module_bay}/`, { module_bay_types: [large] })).status).toBe(200)
      expect(await get(`modules/${module}/`)).toMatchObject({ is_bay_compatible: false })
      expect(await get(`module-bays/${module_bay}/`)).toMatchObject({ is_module_compatible: false })
      const refused = await patch(`modules/${module}/`, { serial: 'S1' })
      expect([refused.status, Object.keys(refused.json)]).toEqual([400, ['__all__']])
      const fitting = await bay(device, 'fitting', { module_bay_types: [small] })
      expect((await patch(`modules/${module}/`, { module_bay: fitting, serial: 'S1' })).status).toBe(200)
    })

    it('are written by name with the type in a template', async () => {
      const module_type = await moduleType({ module_bay_types: [small] })
      await template('module-bay', module_type, 'slot', { module_bay_types: [large, small] })
      const id = await api.make('extras/config-templates', {
        name: 'types',
        template_code: `{{ dcim.ModuleType.objects.get(pk=${module_type}).to_yaml() }}`,
      })
      const render = () => api.ask('POST', `/api/extras/config-templates/${id}/render/`, { body: {} })
      await untilTemplatesRender(render)
      expect(load(String((await render()).json.content))).toMatchObject({
        ...{ module_bay_types: ['Small'], cooling_method: null, end_of_life: null },
        'module-bays': [{ name: 'slot', module_bay_types: ['Large', 'Small'] }],
      })
    })

    it('keep the types of a module type that its modules need', async () => {
      const module_type = await moduleType({ module_bay_types: [small] })
      await install(device, await bay(device, 'needed', { module_bay_types: [small] }), module_type)
      const refused = await patch(`module-types/${module_type}/`, { module_bay_types: [large] })
      expect([refused.status, Object.keys(refused.json)]).toEqual([400, ['module_bay_types']])
      expect((await patch(`module-types/${module_type}/`, { module_bay_types: [small, large] })).status).toBe(200)
      expect((await patch(`module-types/${module_type}/`, { module_bay_types: [] })).status).toBe(200)
    })

    it.each([[null], [[999_999]], ['small'], [[null]]])('are refused with %j as their types', async (types) => {
      const path = `module-bays/${await bay(device, `types ${JSON.stringify(types)}`)}/`
      const refused = await patch(path, { module_bay_types: types })
      expect([refused.status, Object.keys(refused.json)]).toEqual([400, ['module_bay_types']])
    })

    it('come from the templates of a device type', async () => {
      const own = await makePlaces(api)
      await api.make('dcim/module-bay-templates', {
        ...{ device_type: own.deviceType, name: 'made', module_bay_types: [small, large] },
      })
      const made = await get(`module-bays/?device_id=${await own.device('from templates')}`)
      expect(made.results?.[0]?.module_bay_types?.map(({ id }: Document) => id)).toEqual([large, small])
    })
  })
})
