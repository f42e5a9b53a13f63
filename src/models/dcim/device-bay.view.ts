import { fieldGroup, modelView, words } from '../../schema/view.ts'
import { PLACE_FILTERS } from './component-view.ts'

export const deviceBayView = modelView('dcim.devicebay', {
  context: ['device'],
  columns: ['name', 'device', 'label', 'enabled', 'installed_device', 'description'],
  moreColumns: words(`
    id installed_device.role installed_device.device_type installed_device.description
    installed_device.serial installed_device.asset_tag tags created last_updated device.location
    device.site device.status
  `),
  labels: {
    installed_device: 'Installed Device',
    'installed_device.role': 'Installed Role',
    'installed_device.device_type': 'Installed Type',
    'installed_device.description': 'Installed Description',
    'installed_device.serial': 'Installed Serial',
    'installed_device.asset_tag': 'Installed Asset Tag',
    'device.location': 'Device Location',
    'device.site': 'Device Site',
    'device.status': 'Device Status',
  },
  panels: [
    [fieldGroup('Device bay', ['device', 'name', 'label', 'description'])],
    [fieldGroup('Installed Device', ['installed_device', 'installed_device.device_type'])],
  ],
  cloned: ['device', 'enabled'],
  form: [fieldGroup('', ['device', 'name', 'label', 'enabled', 'description', 'tags'])],
  filters: [fieldGroup('Attributes', ['name', 'label', 'enabled']), ...PLACE_FILTERS],
  bulkEdit: [fieldGroup('', ['label', 'enabled', 'description'])],
  imports: words(
    'device.name name label enabled installed_device.name description owner.name tags.slug',
  ),
  search: {
    weights: { name: 100, label: 200, description: 500 },
    shown: ['device', 'label', 'description'],
  },
})
