import { fieldGroup } from '../../schema/view.ts'

/** Filters of a device's components by the place and the properties of the device. */
export const PLACE_FILTERS = [
  fieldGroup('Location', ['region_id', 'site_group_id', 'site_id', 'location_id', 'rack_id']),
  fieldGroup('Device', [
    'tenant_id',
    'device_type_id',
    'device_role_id',
    'device_id',
    'device_status',
    'virtual_chassis_id',
  ]),
]

/** Further columns of the components that cables connect. */
export const CABLED_COLUMNS = [
  'id',
  'module.module_bay',
  'module',
  'mark_connected',
  'cable',
  'cable.color',
  'link_peers',
  'tags',
  'created',
  'last_updated',
  'device.location',
  'device.site',
  'device.status',
]

/** Headings of those columns. */
export const CABLED_LABELS = {
  'module.module_bay': 'Module Bay',
  mark_connected: 'Mark Connected',
  'cable.color': 'Cable Color',
  link_peers: 'Link Peers',
  'device.location': 'Device Location',
  'device.site': 'Device Site',
  'device.status': 'Device Status',
}
