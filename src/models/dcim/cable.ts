import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, color, decimal, foreignKey, text } from '../../schema/field.ts'
import type { Example } from '../../schema/fields/kind.ts'
import { choiceFilter, custom, holds, objectTypeFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { cableEnds } from './cabling/cable-ends.ts'
import { CABLE_TERMINATION_MODELS, CABLING } from './cabling/cabled.ts'
import { linkStatus } from './choices.ts'
import { storedMetres } from './units.ts'

const ENDS = table('dcim.cabletermination')

/** Whether the cable has a termination `e` that satisfies the condition. */
const terminated = (id: Sql, condition: Sql): Sql =>
  sql`exists (select 1 from ${ENDS} e where e.cable_id = ${id} and ${condition})`

const byEnd = (end: 'A' | 'B') =>
  custom({
    value: 'integer',
    multiple: true,
    where: ({ id }, values) =>
      terminated(id, sql`e.cable_end = ${end} and e.termination_id = any(${values}::bigint[])`),
  })

/** Filter by the place of the connected objects; `key` is the cached column of the termination. */
const byPlace = (key: string, place: string, column: 'id' | 'name' | 'slug') =>
  custom({
    value: column === 'id' ? 'integer' : 'text',
    multiple: true,
    where: ({ id }, values) => {
      const operand =
        column === 'id'
          ? sql`${values}::bigint[]`
          : sql`array(
              select p.id from ${table(place)} p
              where p.${identifier(column)} = any(${values}::text[])
            )`
      return terminated(id, sql`e.${identifier(key)} = any(${operand})`)
    },
  })

const byObject = (model: string) =>
  custom({
    value: 'integer',
    multiple: true,
    where: ({ id }, values) =>
      terminated(id, sql`e.termination_type = ${model} and e.termination_id = any(${values}::bigint[])`),
  })

const modelKey = (model: string): string => model.slice(model.indexOf('.') + 1)

/** Filters of cables by their terminations. */
const cableFilters = {
  termination_a_id: byEnd('A'),
  termination_b_id: byEnd('B'),
  unterminated: holds(
    ({ id }) => sql`not (
      ${terminated(id, sql`e.cable_end = 'A'`)} and ${terminated(id, sql`e.cable_end = 'B'`)}
    )`,
  ),
  device_id: byPlace('_device_id', 'dcim.device', 'id'),
  device: byPlace('_device_id', 'dcim.device', 'name'),
  rack_id: byPlace('_rack_id', 'dcim.rack', 'id'),
  rack: byPlace('_rack_id', 'dcim.rack', 'name'),
  location_id: byPlace('_location_id', 'dcim.location', 'id'),
  location: byPlace('_location_id', 'dcim.location', 'name'),
  site_id: byPlace('_site_id', 'dcim.site', 'id'),
  site: byPlace('_site_id', 'dcim.site', 'slug'),
  ...Object.fromEntries(CABLE_TERMINATION_MODELS.map((model) => [`${modelKey(model)}_id`, byObject(model)])),
}

/** Filters of terminations by their object: `interface_id`, `frontport_id`, … */
export const cableTerminationFilters = Object.fromEntries(
  CABLE_TERMINATION_MODELS.map((model) => [
    `${modelKey(model)}_id`,
    custom({
      value: 'integer',
      multiple: true,
      where: ({ column }, values) => sql`(
        ${column('termination_type')} = ${model}
        and ${column('termination_id')} = any(${values}::bigint[])
      )`,
    }),
  ]),
)

/** Profiles of a cable. */
export const cableProfile = choices([
  ['single-1c1p', '1C1P'],
  ['single-1c2p', '1C2P'],
  ['single-1c4p', '1C4P'],
  ['single-1c6p', '1C6P'],
  ['single-1c8p', '1C8P'],
  ['single-1c12p', '1C12P'],
  ['single-1c16p', '1C16P'],
  ['trunk-2c1p', '2C1P trunk'],
  ['trunk-2c2p', '2C2P trunk'],
  ['trunk-2c4p', '2C4P trunk'],
  ['trunk-2c4p-shuffle', '2C4P trunk (shuffle)'],
  ['trunk-2c6p', '2C6P trunk'],
  ['trunk-2c8p', '2C8P trunk'],
  ['trunk-2c12p', '2C12P trunk'],
  ['trunk-4c1p', '4C1P trunk'],
  ['trunk-4c2p', '4C2P trunk'],
  ['trunk-4c4p', '4C4P trunk'],
  ['trunk-4c4p-shuffle', '4C4P trunk (shuffle)'],
  ['trunk-4c6p', '4C6P trunk'],
  ['trunk-4c8p', '4C8P trunk'],
  ['trunk-8c4p', '8C4P trunk'],
  ['breakout-1c2p-2c1p', '1C2P:2C1P breakout'],
  ['breakout-1c4p-4c1p', '1C4P:4C1P breakout'],
  ['breakout-1c6p-6c1p', '1C6P:6C1P breakout'],
  ['breakout-1c8p-8c1p', '1C8P:8C1P breakout'],
  ['breakout-2c4p-8c1p-shuffle', '2C4P:8C1P breakout (shuffle)'],
])

/** Types of a cable. */
export const cableType = choices([
  ['cat3', 'CAT3'],
  ['cat5', 'CAT5'],
  ['cat5e', 'CAT5e'],
  ['cat6', 'CAT6'],
  ['cat6a', 'CAT6a'],
  ['cat7', 'CAT7'],
  ['cat7a', 'CAT7a'],
  ['cat8', 'CAT8'],
  ['mrj21-trunk', 'MRJ21 Trunk'],
  ['dac-active', 'Direct Attach Copper (Active)'],
  ['dac-passive', 'Direct Attach Copper (Passive)'],
  ['coaxial', 'Coaxial'],
  ['rg-6', 'RG-6'],
  ['rg-8', 'RG-8'],
  ['rg-11', 'RG-11'],
  ['rg-59', 'RG-59'],
  ['rg-62', 'RG-62'],
  ['rg-213', 'RG-213'],
  ['lmr-100', 'LMR-100'],
  ['lmr-200', 'LMR-200'],
  ['lmr-400', 'LMR-400'],
  ['mmf', 'Multimode Fiber'],
  ['mmf-om1', 'Multimode Fiber (OM1)'],
  ['mmf-om2', 'Multimode Fiber (OM2)'],
  ['mmf-om3', 'Multimode Fiber (OM3)'],
  ['mmf-om4', 'Multimode Fiber (OM4)'],
  ['mmf-om5', 'Multimode Fiber (OM5)'],
  ['smf', 'Single-mode Fiber'],
  ['smf-os1', 'Single-mode Fiber (OS1)'],
  ['smf-os2', 'Single-mode Fiber (OS2)'],
  ['aoc', 'Active Optical Cabling (AOC)'],
  ['power', 'Power'],
  ['usb', 'USB'],
])

/** Colours by name. */
const colourName = choices([
  ['aa1409', 'Dark Red'],
  ['f44336', 'Red'],
  ['e91e63', 'Pink'],
  ['ffe4e1', 'Rose'],
  ['ff66ff', 'Fuchsia'],
  ['9c27b0', 'Purple'],
  ['673ab7', 'Dark Purple'],
  ['3f51b5', 'Indigo'],
  ['2196f3', 'Blue'],
  ['03a9f4', 'Light Blue'],
  ['00bcd4', 'Cyan'],
  ['009688', 'Teal'],
  ['00ffff', 'Aqua'],
  ['2f6a31', 'Dark Green'],
  ['4caf50', 'Green'],
  ['8bc34a', 'Light Green'],
  ['cddc39', 'Lime'],
  ['ffeb3b', 'Yellow'],
  ['ffc107', 'Amber'],
  ['ff9800', 'Orange'],
  ['ff5722', 'Dark Orange'],
  ['795548', 'Brown'],
  ['c0c0c0', 'Light Grey'],
  ['9e9e9e', 'Grey'],
  ['607d8b', 'Dark Grey'],
  ['111111', 'Black'],
  ['ffffff', 'White'],
])

const cableLengthUnit = choices([
  ['km', 'Kilometers'],
  ['m', 'Meters'],
  ['cm', 'Centimeters'],
  ['mi', 'Miles'],
  ['ft', 'Feet'],
  ['in', 'Inches'],
])

/** Each example cable connects two different ports. */
const endAt =
  (model: string): Example =>
  (n, id) => [{ object_type: model, object_id: id(model, n) }]

/** A physical link between objects on its A side and objects on its B side. */
export const cable = model({
  name: 'dcim.cable',
  path: 'dcim/cables',
  labels: ['cable', 'cables'],
  about: 'A connection between two ports, panels or circuits.',

  fields: {
    type: choice(cableType, { nullable: true, blank: true, bare: true }),
    a_terminations: cableEnds('A', endAt('dcim.consoleport')),
    b_terminations: cableEnds('B', endAt('dcim.consoleserverport')),
    status: choice(linkStatus, { default: 'connected' }),
    profile: choice(cableProfile, { default: '' }),
    tenant,
    bundle: foreignKey('dcim.cablebundle', {
      onDelete: 'setNull',
      related: 'cables',
      resetOnPut: true,
    }),
    label: text({ max: 100, default: '' }),
    color: color({ default: '' }),
    length: decimal({ unit: 'length_unit', digits: 8, places: 2, nullable: true }),
    length_unit: choice(cableLengthUnit, { nullable: true, blank: true, filter: 'single' }),
    description,
    owner,
    comments,
    ...housekeeping,
    _abs_length: storedMetres('length', 'length_unit', 14),
  },

  display: (column) => sql`coalesce(nullif(${column('label')}, ''), '#' || ${column('id')})`,
  graphql: { enums: { status: ['LinkStatusEnum', 'STATUS'] } },
  brief: ['id', 'url', 'display', 'label', 'description'],
  order: ['id'],
  search: ['label', 'description'],
  indexes: [{ partsOf: 'label' }, { partsOf: 'description' }],

  filters: {
    ...cableFilters,
    termination_a_type: objectTypeFilter('terminations.termination_type'),
    termination_b_type: objectTypeFilter('terminations.termination_type'),
    bundle: related('bundle', 'dcim.cablebundle', 'name'),
    color: choiceFilter('color', colourName),
  },
  // Cable paths run through connections of several requests, so each request must see the changes of the others.
  lock: CABLING,
  features: PRIMARY,
})
