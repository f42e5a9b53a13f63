import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { boolean, choice, counter, decimal, foreignKey, integer, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type EffectFunction, type RowOf } from '../../schema/rule.ts'
import { registered, titled, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table, updateTable } from '../../sql/table.ts'
import { weightUnit } from '../core/choices.ts'
import { rackDimensionUnit, rackFormFactor, rackWidth } from './choices.ts'
import { coolingCapability, coolingCapacity } from './cooling.ts'
import {
  dropUnusedUnit,
  maximumWeightNeedsUnit,
  outerDimensionNeedsUnit,
  refuseNegative,
  weightNeedsUnit,
} from './measures.rules.ts'
import { rack } from './rack.ts'
import { storedGrams } from './units.ts'

/** A make and model of rack; its racks take their dimensions from it. */
export const rackType = model({
  name: 'dcim.racktype',
  path: 'dcim/rack-types',
  labels: ['rack type', 'rack types'],
  about: 'A model of rack with its size, which racks of the type share.',
  earlier: {
    without: ['cooling_capability', 'cooling_capacity'],
    fields: { form_factor: choice(rackFormFactor, { blank: true, lateRequired: true }) },
  },

  fields: {
    manufacturer: foreignKey('dcim.manufacturer', { related: 'rack_types' }),
    model: text({ max: 100 }),
    slug: slug({ max: 100, unique: true }),
    description,
    form_factor: choice(rackFormFactor, {}),
    width: choice(rackWidth, { default: 19 }),
    u_height: integer({ size: 'small', range: [1, 100], default: 42, label: 'Height (U)' }),
    starting_unit: integer({ example: 1, size: 'small', range: [1, 32767], default: 1 }),
    desc_units: boolean({ default: false, label: 'Descending units' }),
    outer_width: integer({ unit: 'outer_unit', size: 'small', range: [0, 32767], nullable: true }),
    outer_height: integer({ unit: 'outer_unit', size: 'small', range: [0, 32767], nullable: true }),
    outer_depth: integer({ unit: 'outer_unit', size: 'small', range: [0, 32767], nullable: true }),
    outer_unit: choice(rackDimensionUnit, { nullable: true, blank: true, filter: 'single' }),
    weight: decimal({ unit: 'weight_unit', digits: 8, places: 2, nullable: true }),
    max_weight: integer({ unit: 'weight_unit', range: [0, 2147483647], nullable: true }),
    weight_unit: choice(weightUnit, { nullable: true, blank: true, filter: 'single' }),
    mounting_depth: integer({ unit: 'mm', size: 'small', range: [0, 32767], nullable: true }),
    cooling_capability: choice(coolingCapability, { nullable: true, blank: true }),
    cooling_capacity: coolingCapacity,
    owner,
    comments,
    ...housekeeping,
    rack_count: counter('dcim.rack', 'rack_type'),
    _abs_weight: storedGrams('weight', 'weight_unit'),
    _abs_max_weight: storedGrams('max_weight', 'weight_unit'),
  },

  display: '{model}',
  brief: ['id', 'url', 'display', 'manufacturer', 'model', 'slug', 'description', 'rack_count'],
  order: ['manufacturer', 'model'],
  search: ['comments', 'model', 'description'],
  unique: [{ fields: ['manufacturer', 'model'] }, { fields: ['manufacturer', 'slug'] }],

  features: [...PRIMARY, 'imageAttachments'],
})

/** Fields of a rack that its type determines. */
const RACK_TYPE_FIELDS = [
  'form_factor',
  'width',
  'u_height',
  'starting_unit',
  'desc_units',
  'outer_width',
  'outer_height',
  'outer_depth',
  'outer_unit',
  'mounting_depth',
  'weight',
  'weight_unit',
  'max_weight',
  'cooling_capability',
  'cooling_capacity',
] as const

type TypeRow = RowOf<typeof rackType.fields>

/** The values of a rack that come from its type. */
export const takenFromType = (type: TypeRow): Pick<TypeRow, (typeof RACK_TYPE_FIELDS)[number]> => ({
  form_factor: type.form_factor,
  width: type.width,
  u_height: type.u_height,
  starting_unit: type.starting_unit,
  desc_units: type.desc_units,
  outer_width: type.outer_width,
  outer_height: type.outer_height,
  outer_depth: type.outer_depth,
  outer_unit: type.outer_unit,
  mounting_depth: type.mounting_depth,
  weight: type.weight,
  weight_unit: type.weight_unit,
  max_weight: type.max_weight,
  cooling_capability: type.cooling_capability,
  cooling_capacity: type.cooling_capacity,
})

/** Copies the dimensions of a type to its racks; each rack that changes gets a change record. */
const passOnDimensions: EffectFunction<typeof rackType.fields> = async ({ action, rows, database, write }) => {
  if (action !== 'update') return
  const changed = rows.flatMap(({ previous, next }) =>
    previous && next && RACK_TYPE_FIELDS.some((name) => previous[name] !== next[name]) ? [next] : [],
  )
  if (changed.length === 0) return
  const racks = await database.query<{ id: number; type: number }>(sql`
    select id, rack_type_id as type from ${table('dcim.rack')}
    where rack_type_id = any(${changed.map(({ id }) => id)}::bigint[]) order by id`)
  const types = new Map(changed.map((type) => [type.id, type]))
  await write.update(
    rack,
    racks.flatMap(({ id, type }) => {
      const source = types.get(type)
      return source ? [{ id, ...takenFromType(source) }] : []
    }),
  )
}

/** Racks of data sets from before API 4.7 have no cooling. */
const fillCooling = async (database: Queryable): Promise<void> => {
  await database.execute(sql`
    ${updateTable('dcim.rack')} r set cooling_capability = t.cooling_capability, cooling_capacity = t.cooling_capacity
    from ${table('dcim.racktype')} t where t.id = r.rack_type_id`)
}

export const rackTypeModel = registered(rackType, {
  behaviour: behaviour(rackType, {
    rebuild: fillCooling,
    modelRules: [weightNeedsUnit, refuseNegative('weight'), outerDimensionNeedsUnit, maximumWeightNeedsUnit],
    beforeSave: [dropUnusedUnit],
    afterWrite: [passOnDimensions],
  }),
  context: ['manufacturer'],
  columns: words('model manufacturer u_height description rack_count'),
  moreColumns: { without: words('slug desc_units cooling_capability cooling_capacity'), plus: ['starting_unit'] },
  labels: {
    ...titled('outer_width outer_height outer_depth max_weight rack_count'),
    u_height: 'Height',
  },
  panels: [
    {
      'Rack type': words('manufacturer model description'),
      Dimensions: words(`
        form_factor width u_height outer_width outer_height outer_depth mounting_depth
      `),
    },
    {
      Numbering: words('starting_unit desc_units'),
      Weight: words('weight max_weight'),
      Cooling: words('cooling_capability cooling_capacity'),
    },
  ],
  cloned: words(`
    manufacturer form_factor width u_height desc_units outer_width outer_height outer_depth
    outer_unit mounting_depth weight max_weight weight_unit
  `),
  form: {
    'Rack Type': words('manufacturer model slug description form_factor tags'),
    Dimensions: words(`
      width u_height outer_width outer_height outer_depth outer_unit weight max_weight weight_unit
      mounting_depth
    `),
    Numbering: words('starting_unit desc_units'),
    Cooling: words('cooling_capability cooling_capacity'),
  },
  filters: {
    'Rack Type': words('manufacturer_id form_factor width u_height rack_count'),
    Numbering: words('starting_unit desc_units'),
    Weight: words('weight max_weight weight_unit'),
  },
  bulkEdit: {
    'Rack Type': words('manufacturer description form_factor width u_height'),
    Dimensions: words(`
      outer_width outer_height outer_depth outer_unit weight max_weight weight_unit mounting_depth
    `),
    Numbering: words('starting_unit desc_units'),
  },
  importRequires: words('width u_height'),
  search: { weights: { model: 100, slug: null }, shown: words('model description') },
})
