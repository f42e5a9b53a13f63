import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { choice, color, decimal, foreignKey, text } from '../../schema/field.ts'
import type { Example } from '../../schema/fields/kind.ts'
import { choiceFilter, objectTypeFilter, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'
import { colourName } from '../core/choices/colour-name.ts'
import { cableFilters } from './cable.filters.ts'
import { cableEnds } from './cabling/cable-ends.ts'
import { CABLING } from './cabling/cabling-lock.ts'
import { cableProfile } from './choices/cable-profile.ts'
import { cableType } from './choices/cable-type.ts'
import { linkStatus } from './choices/link-status.ts'
import { absoluteLength } from './units.ts'

export const cableLengthUnit = choices([
  ['km', 'Kilometers'],
  ['m', 'Meters'],
  ['cm', 'Centimeters'],
  ['mi', 'Miles'],
  ['ft', 'Feet'],
  ['in', 'Inches'],
])

/** Each example cable connects two ports of its own. */
const endAt =
  (model: string): Example =>
  (n, id) => [{ object_type: model, object_id: id(model, n) }]

/** A physical link between objects on its A side and objects on its B side. */
export const cable = model({
  name: 'dcim.cable',
  path: 'dcim/cables',
  labels: ['cable', 'cables'],

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
    _abs_length: decimal({
      digits: 14,
      places: 4,
      nullable: true,
      hidden: true,
      compute: absoluteLength('length', 'length_unit'),
    }),
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
