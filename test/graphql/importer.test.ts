import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, startApi } from '../support/api.ts'
import { openMemory } from '../support/database.ts'

/**
 * The lists that the importer of the device type library reads (github.com/marcinpsk/Device-Type-Library-Import), in its own
 * words: whole, by the manufacturer of the device type, and by that of the module type.
 */
const COMPONENTS: Readonly<Record<string, string>> = {
  interface_template_list: 'type mgmt_only enabled poe_mode poe_type rf_role',
  power_port_template_list: 'type maximum_draw allocated_draw',
  console_port_template_list: 'type',
  console_server_port_template_list: 'type',
  power_outlet_template_list: 'type feed_leg',
  rear_port_template_list: 'type positions color',
  front_port_template_list:
    'type color mappings { id front_port_position rear_port_position rear_port { id name } }',
  module_bay_template_list: 'position',
}
const TYPES: Readonly<Record<string, string>> = {
  device_type_list:
    'model slug u_height part_number is_full_depth subdevice_role airflow front_image { url } rear_image { url }',
  module_type_list: 'model part_number airflow',
  rack_type_list:
    'model slug form_factor width u_height starting_unit outer_width outer_height outer_depth outer_unit mounting_depth max_weight desc_units',
}

let api: Api
beforeAll(async () => {
  api = await startApi(openMemory)
  const make = async (path: string, body: object): Promise<number> => {
    const { status, text, json } = await api.ask('POST', `/api/${path}/`, { body })
    expect(status, text).toBe(201)
    return Number(json.id)
  }
  for (const name of ['cisco', 'other']) {
    const manufacturer = await make('dcim/manufacturers', { name, slug: name })
    const box = { manufacturer, model: 'Box', slug: `${name}-box` }
    const device_type = await make('dcim/device-types', box)
    const module_type = await make('dcim/module-types', { manufacturer, model: 'Card' })
    for (const owner of [{ device_type }, { module_type }]) {
      await make('dcim/interface-templates', { ...owner, name: 'eth0', type: '1000base-t' })
    }
  }
})
afterAll(() => api.close())

async function lengthOf(list: string, fields: string, filters: string): Promise<number> {
  const isSelective = filters !== ''
  const query = `query($pagination: OffsetPaginationInput${isSelective ? ', $manufacturer_slug: String!' : ''}) {
    ${list}(${isSelective ? `filters: ${filters}, ` : ''}pagination: $pagination) { id description ${fields} } }`
  const pagination = { offset: 0, limit: 5000 }
  const variables = { pagination, ...(isSelective && { manufacturer_slug: 'cisco' }) }
  const { json, text } = await api.ask('POST', '/graphql/', { body: { query, variables } })
  expect(json.errors, text).toBeUndefined()
  return json.data?.[list]?.length ?? -1
}

const BY_MANUFACTURER = '{manufacturer: {slug: {exact: $manufacturer_slug}}}'

it.each(Object.entries(TYPES))('%s is read whole and by manufacturer', async (list, fields) => {
  const all = `weight weight_unit comments last_updated manufacturer { id name slug } ${fields}`
  const expected = list === 'rack_type_list' ? [0, 0] : [2, 1]
  expect([await lengthOf(list, all, ''), await lengthOf(list, all, BY_MANUFACTURER)]).toEqual(
    expected,
  )
})

it.each(Object.entries(COMPONENTS))('%s is read by either type', async (list, fields) => {
  const all = `name label device_type { id } module_type { id } ${fields}`
  const lengths = [
    await lengthOf(list, all, ''),
    await lengthOf(list, all, `{device_type: ${BY_MANUFACTURER}}`),
    await lengthOf(list, all, `{module_type: ${BY_MANUFACTURER}}`),
  ]
  expect(lengths).toEqual(list === 'interface_template_list' ? [4, 1, 1] : [0, 0, 0])
})

it('images of module types are found by the type of their object', async () => {
  const types = '{object_type: {app_label: {exact: "dcim"}, model: {exact: "moduletype"}}}'
  const { json, text } = await api.ask('POST', '/graphql/', {
    body: {
      query: `{ image_attachment_list(filters: ${types}) { id name object_id image { url } object_type { app_label model } } }`,
    },
  })
  expect(json.data, text).toEqual({ image_attachment_list: [] })
})
