import { boolean, color, foreignKey, subtreeCount } from '../../schema/field.ts'
import { fieldGroup, modelView, words } from '../../schema/view.ts'
import { nestedGroup } from '../nested-group.ts'

/** The function of a device or virtual machine. Roles form a tree. */
export const deviceRole = nestedGroup({
  name: 'dcim.devicerole',
  path: 'dcim/device-roles',
  labels: ['device role', 'device roles'],

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

export const deviceRoleView = modelView('dcim.devicerole', {
  context: ['parent'],
  columns: ['name', 'device_count', 'color', 'vm_role', 'description'],
  moreColumns: words(
    'id parent config_template slug tags created last_updated owner.group owner comments',
  ),
  labels: { device_count: 'Devices' },
  panels: [[fieldGroup('Device role', 'parent name description color vm_role config_template')]],
  tables: [{ model: 'dcim.devicerole', by: { parent_id: 'id' }, label: 'Child Device Roles' }],
  cloned: ['parent', 'description'],
  form: [
    fieldGroup('Device Role', 'name slug parent color vm_role config_template description tags'),
  ],
  filters: [fieldGroup('Device Role', ['parent_id', 'config_template_id'])],
  bulkEdit: [fieldGroup('', ['parent', 'color', 'vm_role', 'config_template', 'description'])],
  importRequires: ['color'],
  imports: words(`
    name slug parent.name color vm_role config_template.name description owner.name comments
    tags.slug
  `),
  search: {
    weights: { name: 100, slug: 110, description: 500, comments: 5000 },
    shown: ['description'],
  },
})
