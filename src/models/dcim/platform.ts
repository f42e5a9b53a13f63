import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { foreignKey, slug, subtreeCount, text } from '../../schema/field.ts'
import { custom } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { parentNode, treeDepth, uniqueWithin } from '../../schema/tree.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** The software that a device or virtual machine runs. Platforms form a tree. */
export const platform = model({
  name: 'dcim.platform',
  path: 'dcim/platforms',
  labels: ['platform', 'platforms'],

  fields: {
    parent: parentNode('dcim.platform', {
      projection: ['id', 'url', 'display_url', 'display', 'name'],
    }),
    name: text({ max: 100 }),
    slug: slug({ max: 100 }),
    manufacturer: foreignKey('dcim.manufacturer', { related: 'platforms', nullable: true }),
    config_template: foreignKey('extras.configtemplate', {
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
    _depth: treeDepth,
  },

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
  unique: uniqueWithin('manufacturer', ['name', 'slug']),

  filters: {
    available_for_device_type: custom({
      value: 'related',
      to: 'dcim.devicetype',
      by: 'id',
      multiple: false,
      where: ({ column }, [type]) => sql`(
        ${column('manufacturer')} is null
        or ${column('manufacturer')} = (select d.manufacturer_id from ${table('dcim.devicetype')} d where d.id = ${type}::bigint)
      )`,
    }),
  },
  tree: { parent: 'parent', orderBy: 'name' },
  features: PRIMARY,
})
