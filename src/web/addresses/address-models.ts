import type { ApiRequest } from '../../api/api-request.ts'
import { cachedNumbers } from '../../read/query/cached-column.ts'
import type { Registry } from '../../schema/registry.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

/** The models that pages about address space need. */
export const addressModels = (registry: Registry) => ({
  prefix: registry.model('ipam.prefix'),
  address: registry.model('ipam.ipaddress'),
  range: registry.model('ipam.iprange'),
  vrf: registry.model('ipam.vrf'),
})

/** Ids of the VRFs that have prefixes within a network; 0 is the global table. */
export const vrfsWithin = async (service: ApiRequest['service'], prefix: string): Promise<readonly number[]> =>
  await cachedNumbers(
    service,
    sql`select distinct coalesce(t.vrf_id, 0) from ${table('ipam.prefix')} t where t.prefix << ${prefix}::cidr`,
  )
