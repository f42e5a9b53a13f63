import { type CustomFilter, custom } from '../../schema/filter.ts'
import { sql } from '../../sql/fragment.ts'

/** Groups whose scope is exactly the object with the id; descendants do not count. */
const scopeIs = (model: string): CustomFilter =>
  custom({
    value: 'integer',
    multiple: false,
    where: ({ column }, [id]) =>
      sql`(${column('scope_type')} = ${model} and ${column('scope_id')} = ${id}::bigint)`,
  })

export const vlanGroupFilters = {
  region: scopeIs('dcim.region'),
  site_group: scopeIs('dcim.sitegroup'),
  site: scopeIs('dcim.site'),
  location: scopeIs('dcim.location'),
  rack_group: scopeIs('dcim.rackgroup'),
  rack: scopeIs('dcim.rack'),
  cluster_group: scopeIs('virtualization.clustergroup'),
  cluster: scopeIs('virtualization.cluster'),
  /** Groups with a range that contains the number. */
  contains_vid: custom({
    value: 'integer',
    multiple: false,
    where: ({ column }, [vid]) => sql`exists (
      select 1 from unnest(${column('vid_ranges')}) r
      where ${vid}::bigint between lower(r) and upper(r) - 1
    )`,
  }),
}
