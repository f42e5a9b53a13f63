import { description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { boolean, derived, foreignKey, reverse, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'
import { componentFilters, componentPlace } from './component.ts'

/** A place in a device or module that takes a module. Bays of modules form a tree. */
export const moduleBay = model({
  name: 'dcim.modulebay',
  path: 'dcim/module-bays',
  labels: ['module bay', 'module bays'],

  fields: {
    device: foreignKey('dcim.device', { onDelete: 'cascade', related: 'modulebays' }),
    module: foreignKey('dcim.module', {
      onDelete: 'cascade',
      related: 'modulebays',
      nullable: true,
      resetOnPut: true,
      projection: ['id', 'url', 'display'],
    }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    position: text({ max: 30, default: '' }),
    enabled: boolean({ default: true }),
    description,
    installed_module: reverse('dcim.module', 'module_bay', {
      single: true,
      projection: ['id', 'url', 'display', 'serial', 'description'],
    }),
    owner,
    ...housekeeping,
    _occupied: derived(
      'boolean',
      (column) => sql`(not ${column('enabled')}
        or exists (select 1 from dcim_module m where m.module_bay_id = ${column('id')}))`,
      { isTyped: true },
    ),
    ...componentPlace,
    parent: foreignKey('dcim.modulebay', {
      onDelete: 'cascade',
      related: 'children',
      nullable: true,
      hidden: true,
    }),
  },

  display: '{name}[ ({label})]',
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
  search: ['description', 'name', 'label'],
  unique: [{ fields: ['device', 'module', 'name'] }],

  filters: {
    ...componentFilters,
    parent_id: related('parent', 'dcim.modulebay'),
    installed_module_id: related('installed_module', 'dcim.modulebay'),
  },
  tree: { parent: 'parent', orderBy: 'name', twinsTogether: true },
  features: PRIMARY,
  changeRelates: 'device',
})
