import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, type Document, startApi } from '../support/api.ts'

/**
 * All queries of the importer of the device type library (github.com/marcinpsk/Device-Type-Library-Import 1.7.1, which
 * is in no package registry), word for word: whole lists, lists by one and by several manufacturers, of device types
 * and of module types.
 */
const COMPONENTS: Readonly<Record<string, string>> = {
  interface_template_list: 'type mgmt_only enabled poe_mode poe_type rf_role',
  power_port_template_list: 'type maximum_draw allocated_draw',
  console_port_template_list: 'type',
  console_server_port_template_list: 'type',
  power_outlet_template_list: 'type feed_leg',
  rear_port_template_list: 'type positions color',
  front_port_template_list: 'type color mappings { id front_port_position rear_port_position rear_port { id name } }',
  module_bay_template_list: 'position',
  device_bay_template_list: '',
}
const TYPES: Readonly<Record<string, string>> = {
  device_type_list:
    'model slug u_height part_number is_full_depth subdevice_role airflow front_image { url } rear_image { url }',
  module_type_list: 'model part_number airflow',
  rack_type_list:
    'model slug form_factor width u_height starting_unit outer_width outer_height outer_depth outer_unit mounting_depth max_weight desc_units',
}

/**
 * Lengths of the lists that are not empty: whole, by the manufacturer of device types, by the manufacturer of module
 * types.
 */
const LENGTHS: Readonly<Record<string, readonly number[]>> = {
  interface_template_list: [4, 1, 1],
  device_bay_template_list: [1, 1],
}

let api: Api
beforeAll(async () => {
  api = await startApi()
  for (const name of ['cisco', 'other']) {
    const manufacturer = await api.make('dcim/manufacturers', { name, slug: name })
    const box = {
      ...{ manufacturer, model: 'Box', slug: `${name}-box` },
      ...(name === 'cisco' && { subdevice_role: 'parent' }),
    }
    const device_type = await api.make('dcim/device-types', box)
    const module_type = await api.make('dcim/module-types', { manufacturer, model: 'Card' })
    for (const owner of [{ device_type }, { module_type }]) {
      await api.make('dcim/interface-templates', { ...owner, name: 'eth0', type: '1000base-t' })
    }
    if (name === 'cisco') await api.make('dcim/device-bay-templates', { device_type, name: 'bay' })
  }
})
afterAll(() => api.close())

/** Filters with the variables that they use. */
interface Chosen {
  readonly filters: string
  readonly declared: string
  readonly variables: object
}

const ALL: Chosen = { filters: '', declared: '', variables: {} }

const ofManufacturer = (path: (manufacturer: string) => string): Chosen => ({
  filters: `filters: ${path('{manufacturer: {slug: {exact: $manufacturer_slug}}}')}, `,
  declared: ', $manufacturer_slug: String!',
  variables: { manufacturer_slug: 'cisco' },
})

const OF_ONE = ofManufacturer((manufacturer) => manufacturer)
const OF_SEVERAL: Chosen = {
  filters: 'filters: {manufacturer: {slug: {in_list: $manufacturer_slugs}}}, ',
  declared: ', $manufacturer_slugs: [String!]!',
  variables: { manufacturer_slugs: ['cisco', 'other'] },
}

/** Objects of a list, read in pages of the importer's size. */
async function listOf(
  list: string,
  fields: string,
  { filters, declared, variables }: Chosen,
): Promise<readonly Document[]> {
  const query = `query($pagination: OffsetPaginationInput${declared}) {
    ${list}(${filters}pagination: $pagination) { id ${fields} } }`
  const pagination = { offset: 0, limit: 5000 }
  const { json, text } = await api.ask('POST', '/graphql/', {
    body: { query, variables: { ...variables, pagination } },
  })
  expect(json.errors, text).toBeUndefined()
  return json.data?.[list] ?? []
}

const lengthOf = async (...asked: Parameters<typeof listOf>): Promise<number> => (await listOf(...asked)).length

it('manufacturers are read', async () => {
  expect(await listOf('manufacturer_list', 'name slug', ALL)).toEqual([
    { id: '1', name: 'cisco', slug: 'cisco' },
    { id: '2', name: 'other', slug: 'other' },
  ])
})

it.each(Object.entries(TYPES))('%s is read whole and by manufacturers', async (list, fields) => {
  const all = `weight weight_unit comments description last_updated manufacturer { id name slug } ${fields}`
  const lengths = [
    await lengthOf(list, all, ALL),
    await lengthOf(list, all, OF_ONE),
    await lengthOf(list, all, OF_SEVERAL),
  ]
  expect(lengths).toEqual(list === 'rack_type_list' ? [0, 0, 0] : [2, 1, 2])
})

it.each(Object.entries(COMPONENTS))('%s is read by either type', async (list, fields) => {
  const isOfDevices = list === 'device_bay_template_list'
  const parents = isOfDevices ? 'device_type { id }' : 'device_type { id } module_type { id }'
  const all = `name label description ${fields} ${parents}`
  const lengths = [
    await lengthOf(list, all, ALL),
    await lengthOf(
      list,
      all,
      ofManufacturer((by) => `{device_type: ${by}}`),
    ),
    ...(isOfDevices
      ? []
      : [
          await lengthOf(
            list,
            all,
            ofManufacturer((by) => `{module_type: ${by}}`),
          ),
        ]),
  ]
  expect(lengths).toEqual(LENGTHS[list] ?? lengths.map(() => 0))
})

it.each(['id name object_id', 'id name object_id image { url }'])(
  'images of module types are found by the type of their object: %s',
  async (fields) => {
    const filters = 'filters: {object_type: {app_label: {exact: "dcim"}, model: {exact: "moduletype"}}}, '
    expect(await listOf('image_attachment_list', fields, { ...ALL, filters })).toEqual([])
    const types = `${fields} object_type { app_label model }`
    expect(await listOf('image_attachment_list', types, ALL)).toEqual([])
  },
)
