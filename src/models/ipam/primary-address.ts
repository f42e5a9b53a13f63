import { derivedKey, foreignKey } from '../../schema/field.ts'
import { holds } from '../../schema/filter.ts'
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

const addressKey = foreignKey('ipam.ipaddress', {
  onDelete: 'setNull',
  related: '+',
  unique: true,
  projection: PRIMARY_ADDRESS_FIELDS,
})

/** The primary addresses of a device or virtual machine. */
export const primaryAddresses = {
  primary_ip: derivedKey('ipam.ipaddress', primaryAddress, { projection: PRIMARY_ADDRESS_FIELDS }),
  primary_ip4: addressKey,
  primary_ip6: addressKey,
}

/** Filter of objects that have a primary address. */
export const hasPrimaryAddress = holds(
  ({ column }) => sql`(${column('primary_ip4')} is not null or ${column('primary_ip6')} is not null)`,
)
