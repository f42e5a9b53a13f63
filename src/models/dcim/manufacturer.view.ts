import { words } from '../../schema/view.ts'
import { organizationalView } from '../organizational-view.ts'

export const manufacturerView = organizationalView('dcim.manufacturer', {
  heading: 'Manufacturer',
  counts: {
    devicetype_count: 'Device Types',
    moduletype_count: 'Module Types',
    inventoryitem_count: 'Inventory Items',
    platform_count: 'Platforms',
  },
  columns: words(
    'name devicetype_count moduletype_count inventoryitem_count platform_count description slug',
  ),
  moreColumns: ['id', 'comments', 'tags', 'created', 'last_updated', 'owner.group', 'owner'],
})
