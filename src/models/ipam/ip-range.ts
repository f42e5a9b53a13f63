import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenant } from '../../schema/common.ts'
import { address, boolean, choice, derived, foreignKey, integer } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { textContains } from '../../schema/search-term.ts'
import { sql } from '../../sql/fragment.ts'
import { addressFilter, familyFilter, insideFilter, rangeHolds } from './address.filters.ts'
import { equalsAddress } from './address-search.ts'
import { ipAddressFamily } from './choices/ip-address-family.ts'
import { displayOfRange } from './ip-range-display.ts'
import { sizeOfRange } from './ip-range-size.ts'

export const ipRangeStatus = choices([
  ['active', 'Active', 'blue'],
  ['reserved', 'Reserved', 'cyan'],
  ['deprecated', 'Deprecated', 'red'],
])

/** Consecutive addresses, such as a DHCP pool. */
export const ipRange = model({
  name: 'ipam.iprange',
  path: 'ipam/ip-ranges',
  labels: ['IP range', 'IP ranges'],

  fields: {
    family: derived('integer', (column) => sql`family(${column('start_address')})`, {
      choices: ipAddressFamily,
    }),
    start_address: address({}),
    end_address: address({}),
    size: integer({
      range: [0, 2147483647],
      readOnly: true,
      compute: (row) => sizeOfRange(String(row.start_address), String(row.end_address)),
    }),
    vrf: foreignKey('ipam.vrf', { related: 'ip_ranges', nullable: true }),
    tenant,
    status: choice(ipRangeStatus, { default: 'active' }),
    role: foreignKey('ipam.role', { onDelete: 'setNull', related: 'ip_ranges' }),
    description,
    owner,
    comments,
    ...housekeeping,
    mark_populated: boolean({ default: false }),
    mark_utilized: boolean({ default: false }),
  },

  display: displayOfRange,
  brief: ['id', 'url', 'display', 'family', 'start_address', 'end_address', 'description'],
  lock: 'ipam.address',
  naturalKey: ['start_address', 'end_address', 'vrf'],
  order: [{ field: 'vrf', nulls: 'first' }, 'start_address', 'id'],
  search: [
    'description',
    textContains('start_address'),
    textContains('end_address'),
    equalsAddress('start_address', 'end_address'),
  ],

  filters: {
    family: familyFilter('start_address'),
    start_address: addressFilter('start_address'),
    end_address: addressFilter('end_address'),
    contains: rangeHolds,
    vrf: related('vrf', 'ipam.vrf', 'rd'),
    parent: insideFilter('start_address', 'end_address'),
  },
  features: [...PRIMARY, 'contacts'],
})
