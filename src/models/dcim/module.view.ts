import { registered, titled, words } from '../../schema/view.ts'
import { moduleBehaviour } from './module.rules.ts'
import { deviceModule } from './module.ts'

export const deviceModuleModel = registered(deviceModule, {
  behaviour: moduleBehaviour,
  context: words('device module_bay'),
  columns: words(`
    id device module_bay module_type.manufacturer module_type status serial asset_tag
  `),
  moreColumns: { plus: ['module_type.profile'] },
  labels: titled('module_bay module_type'),
  panels: words('device device.device_type module_bay status description serial asset_tag'),
  cloned: words('device module_type status'),
  form: {
    Module: words('device module_bay module_type status description tags'),
    Hardware: words('serial asset_tag replicate_components adopt_components'),
  },
  narrowedBy: { module_bay: { device_id: 'device' } },
  filters: {
    Location: words('region_id site_group_id site_id location_id rack_id device_id'),
    Hardware: words('profile_id manufacturer_id module_type_id status serial asset_tag'),
  },
  bulkEdit: words('module_type status serial description'),
  importRequires: ['status'],
  search: { shown: words('device module_bay module_type status serial asset_tag description') },
})
