import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const moduleView = modelView('dcim.module', {
  context: ['device', 'module_bay'],
  columns: words(
    'id device module_bay module_type.manufacturer module_type status serial asset_tag',
  ),
  moreColumns: words(
    'module_type.profile description comments tags created last_updated owner.group owner',
  ),
  labels: { module_bay: 'Module Bay', module_type: 'Module Type' },
  panels: [
    [
      fieldGroup(
        'Module',
        'device device.device_type module_bay status description serial asset_tag',
      ),
    ],
  ],
  cloned: ['device', 'module_type', 'status'],
  form: [
    fieldGroup('Module', ['device', 'module_bay', 'module_type', 'status', 'description', 'tags']),
    fieldGroup('Hardware', ['serial', 'asset_tag', 'replicate_components', 'adopt_components']),
  ],
  narrowedBy: { module_bay: { device_id: 'device' } },
  filters: [
    fieldGroup('Location', 'region_id site_group_id site_id location_id rack_id device_id'),
    fieldGroup('Hardware', 'profile_id manufacturer_id module_type_id status serial asset_tag'),
  ],
  bulkEdit: [fieldGroup('', ['module_type', 'status', 'serial', 'description'])],
  importRequires: ['status'],
  imports: words(`
    device.name module_bay.name module_type.model serial asset_tag status description owner.name
    comments replicate_components adopt_components tags.slug
  `),
  search: {
    weights: { asset_tag: 50, serial: 60, description: 500, comments: 5000 },
    shown: ['device', 'module_bay', 'module_type', 'status', 'serial', 'asset_tag', 'description'],
  },
})
