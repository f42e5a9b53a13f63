import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { color, foreignKey, slug, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** A form of module bays: modules fit into bays with which their types have one in common. */
export const moduleBayType = model({
  name: 'dcim.modulebaytype',
  path: 'dcim/module-bay-types',
  labels: ['module bay type', 'module bay types'],
  earlier: 'absent',

  fields: {
    name: text({ max: 100, collation: 'natural' }),
    slug: slug({ max: 100 }),
    manufacturer: foreignKey('dcim.manufacturer', { related: 'module_bay_types', nullable: true, resetOnPut: true }),
    color: color({ default: '' }),
    description,
    owner,
    comments,
    ...housekeeping,
  },

  brief: ['id', 'url', 'display', 'name', 'slug', 'manufacturer', 'color', 'description'],
  order: ['manufacturer', 'name'],
  search: ['comments', 'manufacturer.name', 'name', 'description', 'slug'],
  unique: [
    { fields: ['manufacturer', 'name'], nullsEqual: true },
    { fields: ['manufacturer', 'slug'], nullsEqual: true },
  ],
  filters: {
    module_type_id: related('module_types', 'dcim.moduletype'),
    module_bay_id: related('module_bays', 'dcim.modulebay'),
    module_bay_template_id: related('module_bay_templates', 'dcim.modulebaytemplate'),
  },
  features: PRIMARY,
})

/** Filters by the types of bays that a module bay has or a module fits. */
export const bayTypeFilters = byIdAnd('slug', 'module_bay_type', related('module_bay_types', 'dcim.modulebaytype'))

/** Whether modules of the type fit into the bay: they have a type of bay in common, or one of them has none. */
export const fitsInto = (bay: Sql, moduleType: Sql): Sql => sql`(
  not exists (select from ${table('dcim.modulebay.module_bay_types')} b where b.modulebay_id = ${bay})
  or not exists (select from ${table('dcim.moduletype.module_bay_types')} t where t.moduletype_id = ${moduleType})
  or exists (
    select from ${table('dcim.modulebay.module_bay_types')} b
    join ${table('dcim.moduletype.module_bay_types')} t on t.modulebaytype_id = b.modulebaytype_id
    where b.modulebay_id = ${bay} and t.moduletype_id = ${moduleType}))`
