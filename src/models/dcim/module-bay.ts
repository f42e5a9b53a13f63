import { description } from '../../schema/common.ts'
import { boolean, derived, foreignKey, reverse, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { component, labelled, ofDevice } from './component.ts'

/** A slot in a device or module for a module. Bays of modules form a tree. */
export const moduleBay = component({
  name: 'dcim.modulebay',
  path: 'dcim/module-bays',
  labels: ['module bay', 'module bays'],

  fields: {
    ...ofDevice('modulebays'),
    module: foreignKey('dcim.module', {
      onDelete: 'cascade',
      related: 'modulebays',
      nullable: true,
      resetOnPut: true,
      projection: ['id', 'url', 'display'],
    }),
    ...labelled,
    position: text({ max: 30, default: '' }),
    enabled: boolean({ default: true }),
    description,
    installed_module: reverse('dcim.module', 'module_bay', {
      single: true,
      projection: ['id', 'url', 'display', 'serial', 'description'],
    }),
  },
  derived: {
    _occupied: derived(
      'boolean',
      (column) => sql`(not ${column('enabled')}
        or exists (select 1 from ${table('dcim.module')} m where m.module_bay_id = ${column('id')}))`,
      { isTyped: true },
    ),
    parent: foreignKey('dcim.modulebay', {
      onDelete: 'cascade',
      related: 'children',
      nullable: true,
      hidden: true,
    }),
  },

  brief: [
    'id',
    'url',
    'display',
    'name',
    'enabled',
    'description',
    'installed_module',
    '_occupied',
  ],
  order: ['_sort', 'id'],
  orderAsRelation: ['device', 'name'],
  unique: [{ fields: ['device', 'module', 'name'] }],
  naturalKey: ['device', 'module', 'name'],

  filters: {
    parent_id: related('parent', 'dcim.modulebay'),
    installed_module_id: related('installed_module', 'dcim.modulebay'),
  },
  tree: { parent: 'parent', orderBy: 'name', duplicatesTogether: true },
})
