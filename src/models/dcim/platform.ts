import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { foreignKey, slug, subtreeCount, text } from '../../schema/field.ts'
import { custom } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { parentNode, treeDepth, uniqueWithin } from '../../schema/tree.ts'
import { registered, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** The software that a device or virtual machine runs. Platforms form a tree. */
export const platform = model({
  name: 'dcim.platform',
  path: 'dcim/platforms',
  labels: ['platform', 'platforms'],
  about: 'The operating system of devices and virtual machines.',

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

  brief: words('id url display name slug description device_count virtualmachine_count _depth'),
  order: ['_sort', 'id'],
  earlier: { orderAsRelation: ['name'], tree: { parent: 'parent', orderBy: 'name', isWalked: true } },
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

export const platformModel = registered(platform, {
  context: ['manufacturer'],
  columns: words('name manufacturer device_count description'),
  labels: { config_template: 'Config Template' },
  panels: words('parent name description manufacturer config_template'),
  tables: [{ model: 'dcim.platform', by: { parent_id: 'id' }, label: 'Child Platforms' }],
  cloned: words('parent description'),
  form: { Platform: words('name slug parent manufacturer config_template description tags') },
  filters: { Platform: words('manufacturer_id parent_id config_template_id') },
  search: { shown: words('manufacturer description') },
})
