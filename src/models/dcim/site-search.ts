import type { SearchTerm } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** Whether the value is an AS number of the site. */
export const hasAsn: SearchTerm = (column, value) =>
  /^\s*\d{1,10}\s*$/.test(value)
    ? sql`exists (
        select 1
        from ${table('dcim.site.asns')} j
        join ${table('ipam.asn')} a on a.id = j.asn_id
        where j.site_id = ${column('id')} and a.asn = ${value.trim()}::bigint
      )`
    : sql`false`
