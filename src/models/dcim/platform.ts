import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { derived, foreignKey, slug, subtreeCount, text } from '../../schema/field.ts'
import { custom, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'

/** The software that a device or virtual machine runs. Platforms form a tree. */
export const platform = model({
  name: 'dcim.platform',
  path: 'dcim/platforms',
  labels: ['platform', 'platforms'],

  fields: {
    parent: foreignKey('dcim.platform', {
      onDelete: 'cascade',
      related: 'children',
      nullable: true,
      resetOnPut: true,
      projection: ['id', 'url', 'display_url', 'display', 'name'],
    }),
    name: text({ max: 100 }),
    slug: slug({ max: 100 }),
    manufacturer: foreignKey('dcim.manufacturer', {
      onDelete: 'protect',
      related: 'platforms',
      nullable: true,
    }),
    config_template: foreignKey('extras.configtemplate', {
      onDelete: 'protect',
      related: 'platforms',
      nullable: true,
      resetOnPut: true,
    }),
    description,
    owner,
    comments,
    ...housekeeping,
    device_count: subtreeCount('dcim.device', 'platform'),
    virtualmachine_count: subtreeCount('virtualization.virtualmachine', 'platform'),
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
    { fields: ['manufacturer', 'name'] },
    { fields: ['name'], whereNull: ['manufacturer'] },
    { fields: ['manufacturer', 'slug'] },
    { fields: ['slug'], whereNull: ['manufacturer'] },
  ],

  filters: {
    ancestor_id: relatedTree('parent', 'dcim.platform'),
    ancestor: relatedTree('parent', 'dcim.platform', 'slug'),
    available_for_device_type: custom({
      value: 'related',
      to: 'dcim.devicetype',
      by: 'id',
      multiple: false,
      where: ({ column }, [type]) => sql`(
        ${column('manufacturer')} is null
        or ${column('manufacturer')} = (select d.manufacturer_id from dcim_devicetype d where d.id = ${type}::bigint)
      )`,
    }),
  },
  tree: { parent: 'parent', orderBy: 'name' },
  features: PRIMARY,
})
