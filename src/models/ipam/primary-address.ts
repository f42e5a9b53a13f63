import type { ColumnOf } from '../../schema/path.ts'
import { type Sql, sql } from '../../sql/fragment.ts'

/** The primary address of a device or virtual machine: IPv6 before IPv4, unless the configuration prefers IPv4. */
export const primaryAddress = (column: ColumnOf): Sql =>
  sql`coalesce(${column('primary_ip6')}, ${column('primary_ip4')})`

export const primaryAddressPreferringIpv4 = (column: ColumnOf): Sql =>
  sql`coalesce(${column('primary_ip4')}, ${column('primary_ip6')})`

/** Projection of the addresses of devices and virtual machines. */
export const PRIMARY_ADDRESS_FIELDS = [
  'id',
  'url',
  'display',
  'family',
  'address',
  'nat_inside',
  'nat_outside',
  'dns_name',
  'description',
] as const
