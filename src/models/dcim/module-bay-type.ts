import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { color, foreignKey, slug, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** A form factor of module bays: a module fits into a bay if their types share one. */
export const moduleBayType = model({
  name: 'dcim.modulebaytype',
  path: 'dcim/module-bay-types',
  labels: ['module bay type', 'module bay types'],
  earlier: 'absent',

  fields: {
    name: text({ max: 100 }),
    slug: slug({ max: 100 }),
    manufacturer: foreignKey('dcim.manufacturer', { related: 'module_bay_types', nullable: true }),
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

/** Filters by the bay types of a module bay, or by those that a module type fits. */
export const bayTypeFilters = byIdAnd('slug', 'module_bay_type', related('module_bay_types', 'dcim.modulebaytype'))

/** Whether modules of the type fit into the bay: they share a bay type, or one of them has none. */
export const fitsInto = (bay: Sql, moduleType: Sql): Sql => {
  const ofBay = table('dcim.modulebay.module_bay_types')
  const ofModule = table('dcim.moduletype.module_bay_types')
  return sql`(
    not exists (select from ${ofBay} wide where wide.modulebay_id = ${bay})
    or not exists (select from ${ofModule} fits where fits.moduletype_id = ${moduleType})
    or exists (
      select from ${ofBay} wide join ${ofModule} fits on fits.modulebaytype_id = wide.modulebaytype_id
      where wide.modulebay_id = ${bay} and fits.moduletype_id = ${moduleType}))`
}
