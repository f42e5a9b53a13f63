import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { boolean, choice, decimal, foreignKey, integer, relatedCount, text } from '../../schema/field.ts'
import { byIdAnd, related, relatedTree, textFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { weightUnit } from '../core/choices.ts'
import { rackDimensionUnit, rackFormFactor, rackWidth } from './choices.ts'
import { coolingCapability, coolingCapacity } from './cooling.ts'
import { storedGrams } from './units.ts'

const rackStatus = choices([
  ['reserved', 'Reserved', 'yellow'],
  ['available', 'Available', 'green'],
  ['planned', 'Planned', 'cyan'],
  ['active', 'Active', 'blue'],
  ['deprecated', 'Deprecated', 'red'],
])

const rackAirflow = choices([
  ['front-to-rear', 'Front to rear'],
  ['rear-to-front', 'Rear to front'],
])

/** A cabinet or frame with numbered units for devices. */
export const rack = model({
  name: 'dcim.rack',
  path: 'dcim/racks',
  labels: ['rack', 'racks'],
  about: 'A cabinet or frame with numbered units, into which devices are mounted.',
  earlier: { without: ['cooling_capability', 'cooling_capacity'] },

  fields: {
    name: text({ max: 100, collation: 'natural' }),
    facility_id: text({
      max: 50,
      nullable: true,
      resetOnPut: true,
      blank: true,
      label: 'Facility ID',
    }),
    site: foreignKey('dcim.site', { related: 'racks' }),
    location: foreignKey('dcim.location', {
      onDelete: 'setNull',
      related: 'racks',
      resetOnPut: true,
    }),
    group: foreignKey('dcim.rackgroup', { related: 'racks', nullable: true }),
    tenant,
    status: choice(rackStatus, { default: 'active' }),
    role: foreignKey('dcim.rackrole', { related: 'racks', nullable: true }),
    serial: text({ max: 50, default: '', label: 'Serial number' }),
    asset_tag: text({ max: 50, nullable: true, unique: true, blank: true }),
    rack_type: foreignKey('dcim.racktype', { related: 'racks', nullable: true, resetOnPut: true }),
    form_factor: choice(rackFormFactor, { nullable: true, blank: true }),
    width: choice(rackWidth, { default: 19 }),
    u_height: integer({ size: 'small', range: [1, 100], default: 42, label: 'Height (U)' }),
    starting_unit: integer({ example: 1, size: 'small', range: [1, 32767], default: 1 }),
    weight: decimal({ unit: 'weight_unit', digits: 8, places: 2, nullable: true }),
    max_weight: integer({ unit: 'weight_unit', range: [0, 2147483647], nullable: true }),
    weight_unit: choice(weightUnit, { nullable: true, blank: true, filter: 'single' }),
    desc_units: boolean({ default: false, label: 'Descending units' }),
    outer_width: integer({ unit: 'outer_unit', size: 'small', range: [0, 32767], nullable: true }),
    outer_height: integer({ unit: 'outer_unit', size: 'small', range: [0, 32767], nullable: true }),
    outer_depth: integer({ unit: 'outer_unit', size: 'small', range: [0, 32767], nullable: true }),
    outer_unit: choice(rackDimensionUnit, { nullable: true, blank: true, filter: 'single' }),
    mounting_depth: integer({ unit: 'mm', size: 'small', range: [0, 32767], nullable: true }),
    airflow: choice(rackAirflow, { nullable: true, blank: true, filter: 'single' }),
    cooling_capability: choice(coolingCapability, { nullable: true, blank: true }),
    cooling_capacity: coolingCapacity,
    description,
    owner,
    comments,
    ...housekeeping,
    device_count: relatedCount('dcim.device', 'rack'),
    powerfeed_count: relatedCount('dcim.powerfeed', 'rack'),
    _abs_weight: storedGrams('weight', 'weight_unit'),
    _abs_max_weight: storedGrams('max_weight', 'weight_unit'),
  },

  display: '{name}[ ({facility_id})]',
  graphql: {
    enums: {
      airflow: ['RackAirflowEnum', ''],
      cooling_capability: ['RackCoolingCapabilityEnum', 'CAPABILITY'],
      form_factor: ['RackFormFactorEnum', 'TYPE'],
      outer_unit: ['RackDimensionUnitEnum', 'UNIT'],
    },
  },
  brief: ['id', 'url', 'display', 'name', 'description', 'device_count'],
  naturalKey: ['site', 'location', 'name'],
  order: ['site', 'location', 'name', 'id'],
  search: ['comments', 'description', 'asset_tag', 'serial', 'name', 'facility_id'],
  unique: [{ fields: ['location', 'name'] }, { fields: ['location', 'facility_id'] }],

  filters: {
    ...byIdAnd('slug', 'region', relatedTree('site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('site.group', 'dcim.sitegroup')),
    ...byIdAnd('slug', 'manufacturer', related('rack_type.manufacturer', 'dcim.manufacturer')),
    serial: textFilter('serial', { default: 'ie' }),
  },
  features: [...PRIMARY, 'contacts', 'imageAttachments'],
})
