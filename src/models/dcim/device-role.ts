import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import {
  boolean,
  color,
  derived,
  foreignKey,
  slug,
  subtreeCount,
  text,
} from '../../schema/field.ts'
import { relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'

/** What a device or virtual machine does. Roles form a tree. */
export const deviceRole = model({
  name: 'dcim.devicerole',
  path: 'dcim/device-roles',
  labels: ['device role', 'device roles'],

  fields: {
    name: text({ max: 100 }),
    slug: slug({ max: 100 }),
    color: color({ default: '9e9e9e' }),
    vm_role: boolean({ default: true, label: 'VM role' }),
    config_template: foreignKey('extras.configtemplate', {
      onDelete: 'protect',
      related: 'device_roles',
      nullable: true,
      resetOnPut: true,
    }),
    parent: foreignKey('dcim.devicerole', {
      onDelete: 'cascade',
      related: 'children',
      nullable: true,
      resetOnPut: true,
      projection: ['id', 'url', 'display_url', 'display', 'name'],
    }),
    description,
    ...housekeeping,
    device_count: subtreeCount('dcim.device', 'role'),
    virtualmachine_count: subtreeCount('virtualization.virtualmachine', 'role'),
    owner,
    comments,
    _depth: derived('integer', (column) => column('_level')),
  },

  display: '{name}',
  brief: [
    'id',
    'url',
    'display',
    'name',
    'slug',
    'description',
    'device_count',
    'virtualmachine_count',
    '_depth',
  ],
  order: ['_sort', 'id'],
  orderAsRelation: ['name'],
  search: ['comments', 'description', 'name', 'slug'],
  unique: [
    { fields: ['parent', 'name'] },
    { fields: ['name'], whereNull: ['parent'] },
    { fields: ['parent', 'slug'] },
    { fields: ['slug'], whereNull: ['parent'] },
  ],

  filters: {
    ancestor_id: relatedTree('parent', 'dcim.devicerole'),
    ancestor: relatedTree('parent', 'dcim.devicerole', 'slug'),
  },
  tree: { parent: 'parent', orderBy: 'name' },
  features: PRIMARY,
})
