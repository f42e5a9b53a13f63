import { description } from '../../schema/common.ts'
import { boolean, derived, foreignKey, manyToMany, reverse, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { behaviour, type Normalizer, type Rule } from '../../schema/rule.ts'
import { registered, titled, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { component, fillComponentPlace, labelled, ofDevice, staysInDevice } from './component.ts'
import { PLACE_FILTERS } from './component-view.ts'
import { deviceModule } from './module.ts'
import { bayTypeFilters, fitsInto } from './module-bay-type.ts'

/** Whether the module in a bay fits into it: they share a bay type, or one of them has none. */
const bayFitsModule = (column: ColumnOf): Sql => sql`coalesce((
  select ${fitsInto(column('id'), sql`m.module_type_id`)} from ${table('dcim.module')} m
  where m.module_bay_id = ${column('id')}), true)`

/** A slot in a device or module for a module. Bays of modules form a tree. */
export const moduleBay = component({
  name: 'dcim.modulebay',
  path: 'dcim/module-bays',
  labels: ['module bay', 'module bays'],
  earlier: {
    without: ['module_bay_types', 'is_module_compatible'],
    orderAsRelation: ['device', 'name'],
    tree: { parent: 'parent', orderBy: 'name', duplicatesTogether: true, isWalked: true },
  },

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
    module_bay_types: manyToMany('dcim.modulebaytype', { related: 'module_bays' }),
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
    is_module_compatible: derived('boolean', bayFitsModule, { isTyped: true }),
    parent: foreignKey('dcim.modulebay', {
      onDelete: 'cascade',
      related: 'children',
      nullable: true,
      hidden: true,
    }),
  },

  brief: words('id url display name enabled description installed_module _occupied'),
  order: ['_sort', 'id'],
  orderAsRelation: ['_sort', 'id'],
  unique: [{ fields: ['device', 'module', 'name'] }],
  naturalKey: ['device', 'module', 'name'],

  filters: {
    ...bayTypeFilters,
    parent_id: related('parent', 'dcim.modulebay'),
    installed_module_id: related('installed_module', 'dcim.modulebay'),
  },
  tree: { parent: 'parent', orderBy: 'name', duplicatesTogether: true },
})

const notInItself: Rule<typeof moduleBay.fields> = async ({ next, read }) => {
  const seen = new Set<number>()
  let module = next.module
  while (module !== null && !seen.has(module)) {
    seen.add(module)
    const { module_bay: bay } = await read.get(deviceModule, module)
    if (bay === next.id) return { __all__: 'A module bay cannot belong to a module within it.' }
    module = (await read.get(moduleBay, bay)).module
  }
  return
}

/** The parent of a module's bays is the bay that contains the module. */
const standBelowBayOfModule: Normalizer<typeof moduleBay.fields> = async ({ next, read }) => ({
  parent: next.module === null ? null : (await read.get(deviceModule, next.module)).module_bay,
})

export const moduleBayModel = registered(moduleBay, {
  behaviour: behaviour(moduleBay, {
    modelRules: [staysInDevice, notInItself],
    beforeSave: [fillComponentPlace, standBelowBayOfModule],
  }),
  addedInRows: ['dcim.module'],
  context: ['device'],
  columns: words('name device enabled label installed_module description'),
  moreColumns: words(`
    id position tags device.location device.site device.status module.module_bay module
  `),
  labels: {
    ...titled('installed_module device.location device.site device.status'),
    'module.module_bay': 'Module Bay',
  },
  panels: [
    { 'Module bay': words('device module name label position module_bay_types description') },
    { 'Installed Module': ['installed_module'] },
  ],
  cloned: words('device enabled'),
  form: words('device module name label position module_bay_types enabled description tags'),
  narrowedBy: { module: { device_id: 'device' } },
  filters: { Attributes: words('name label position enabled'), ...PLACE_FILTERS },
  bulkEdit: words('label position enabled description'),
  imports: { without: words('module module_bay_types') },
  search: { shown: words('device label position description') },
})
