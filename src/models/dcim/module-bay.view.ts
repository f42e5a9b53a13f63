import { fieldGroup, modelView, words } from '../../schema/view.ts'
import { PLACE_FILTERS } from './component-view.ts'

export const moduleBayView = modelView('dcim.modulebay', {
  context: ['device'],
  columns: ['name', 'device', 'enabled', 'label', 'installed_module', 'description'],
  moreColumns: words(
    'id position tags device.location device.site device.status module.module_bay module',
  ),
  labels: {
    installed_module: 'Installed Module',
    'device.location': 'Device Location',
    'device.site': 'Device Site',
    'device.status': 'Device Status',
    'module.module_bay': 'Module Bay',
  },
  panels: [
    [fieldGroup('Module bay', ['device', 'module', 'name', 'label', 'position', 'description'])],
    [fieldGroup('Installed Module', ['installed_module'])],
  ],
  cloned: ['device', 'enabled'],
  form: [fieldGroup('', 'device module name label position enabled description tags')],
  narrowedBy: { module: { device_id: 'device' } },
  filters: [fieldGroup('Attributes', ['name', 'label', 'position', 'enabled']), ...PLACE_FILTERS],
  bulkEdit: [fieldGroup('', ['label', 'position', 'enabled', 'description'])],
  imports: words('device.name name label position enabled description owner.name tags.slug'),
  search: {
    weights: { name: 100, label: 200, description: 500 },
    shown: ['device', 'label', 'position', 'description'],
  },
})
