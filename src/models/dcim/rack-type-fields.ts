import type { RowOf } from '../../schema/rule.ts'
import type { rackType } from './rack-type.ts'

/** Fields of a rack that its type determines. */
export const RACK_TYPE_FIELDS = [
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
})
