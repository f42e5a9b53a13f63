import { boolean, color, foreignKey, subtreeCount } from '../../schema/field.ts'
import { registered, words } from '../../schema/view.ts'
import { nestedGroup } from '../nested-group.ts'

/** The function of a device or virtual machine. Roles form a tree. */
export const deviceRole = nestedGroup({
  name: 'dcim.devicerole',
  path: 'dcim/device-roles',
  labels: ['device role', 'device roles'],
  about: 'What devices are used for, such as access switch or firewall.',

  fields: {
    color: color({ default: '9e9e9e' }),
    vm_role: boolean({ default: true, label: 'VM role' }),
    config_template: foreignKey('extras.configtemplate', {
      related: 'device_roles',
      nullable: true,
      resetOnPut: true,
    }),
  },
  parent: { projection: ['id', 'url', 'display_url', 'display', 'name'] },
  counts: {
    device_count: subtreeCount('dcim.device', 'role'),
    virtualmachine_count: subtreeCount('virtualization.virtualmachine', 'role'),
  },
})

export const deviceRoleModel = registered(deviceRole, {
  context: ['parent'],
  columns: words('name device_count color vm_role description'),
  panels: words('parent name description color vm_role config_template'),
  tables: [{ model: 'dcim.devicerole', by: { parent_id: 'id' }, label: 'Child Device Roles' }],
  cloned: words('parent description'),
  form: { 'Device Role': words('name slug parent color vm_role config_template description tags') },
  filters: { 'Device Role': words('parent_id config_template_id') },
  importRequires: ['color'],
  search: { shown: ['description'] },
})
