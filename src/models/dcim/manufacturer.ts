import { PRIMARY } from '../../schema/common.ts'
import { relatedCount } from '../../schema/field.ts'
import { words } from '../../schema/view.ts'
import { organizational } from '../organizational.ts'
import { organizationalModel } from '../organizational-view.ts'

/** A maker of hardware. */
export const manufacturer = organizational({
  name: 'dcim.manufacturer',
  path: 'dcim/manufacturers',
  labels: ['manufacturer', 'manufacturers'],
  about: 'A company that makes devices, modules or racks.',

  counts: {
    devicetype_count: relatedCount('dcim.devicetype', 'manufacturer'),
    moduletype_count: relatedCount('dcim.moduletype', 'manufacturer'),
    inventoryitem_count: relatedCount('dcim.inventoryitem', 'manufacturer'),
    platform_count: relatedCount('dcim.platform', 'manufacturer'),
  },
  brief: ['id', 'url', 'display', 'name', 'slug', 'description'],
  features: [...PRIMARY, 'contacts'],
})

export const manufacturerModel = organizationalModel(manufacturer, {
  counts: words('devicetype_count moduletype_count inventoryitem_count platform_count'),
  columns: words(`
    name devicetype_count moduletype_count inventoryitem_count platform_count description slug
  `),
})
