import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { relatedCount, slug, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** A maker of hardware. */
export const manufacturer = model({
  name: 'dcim.manufacturer',
  path: 'dcim/manufacturers',
  labels: ['manufacturer', 'manufacturers'],

  fields: {
    name: text({ max: 100, unique: true }),
    slug: slug({ max: 100, unique: true }),
    description,
    owner,
    comments,
    ...housekeeping,
    devicetype_count: relatedCount('dcim.devicetype', 'manufacturer'),
    moduletype_count: relatedCount('dcim.moduletype', 'manufacturer'),
    inventoryitem_count: relatedCount('dcim.inventoryitem', 'manufacturer'),
    platform_count: relatedCount('dcim.platform', 'manufacturer'),
  },

  display: '{name}',
  brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
  order: ['name'],
  search: ['description', 'name', 'slug'],

  features: [...PRIMARY, 'contacts'],
})
