import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import {
  boolean,
  choice,
  counter,
  decimal,
  foreignKey,
  integer,
  slug,
  text,
} from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { weightUnit } from '../core/choices/weight-unit.ts'
import { rackDimensionUnit } from './choices/rack-dimension-unit.ts'
import { rackFormFactor } from './choices/rack-form-factor.ts'
import { rackWidth } from './choices/rack-width.ts'
import { absoluteWeight } from './units.ts'

/** A make and model of rack; its racks take their dimensions from it. */
export const rackType = model({
  name: 'dcim.racktype',
  path: 'dcim/rack-types',
  labels: ['rack type', 'rack types'],

  fields: {
    manufacturer: foreignKey('dcim.manufacturer', { related: 'rack_types' }),
    model: text({ max: 100 }),
    slug: slug({ max: 100, unique: true }),
    description,
    form_factor: choice(rackFormFactor, { blank: true, lateRequired: true }),
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
    owner,
    comments,
    ...housekeeping,
    rack_count: counter('dcim.rack', 'rack_type'),
    _abs_weight: integer({
      size: 'big',
      range: [0, Number.MAX_SAFE_INTEGER],
      nullable: true,
      hidden: true,
      compute: absoluteWeight('weight', 'weight_unit'),
    }),
    _abs_max_weight: integer({
      size: 'big',
      range: [0, Number.MAX_SAFE_INTEGER],
      nullable: true,
      hidden: true,
      compute: absoluteWeight('max_weight', 'weight_unit'),
    }),
  },

  display: '{model}',
  brief: ['id', 'url', 'display', 'manufacturer', 'model', 'slug', 'description', 'rack_count'],
  order: ['manufacturer', 'model'],
  search: ['comments', 'model', 'description'],
  unique: [{ fields: ['manufacturer', 'model'] }, { fields: ['manufacturer', 'slug'] }],

  features: [...PRIMARY, 'imageAttachments'],
})
