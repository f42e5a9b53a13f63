import { choices } from '../../schema/choices.ts'
import {
  comments,
  description,
  housekeeping,
  owner,
  PRIMARY,
  tenantOptions,
} from '../../schema/common.ts'
import { choice, derivedKey, foreignKey, integer, relatedCount, text } from '../../schema/field.ts'
import { holds, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { equalsInteger } from '../../schema/search-term.ts'
import { sql } from '../../sql/fragment.ts'
import { PRIMARY_ADDRESS_FIELDS, primaryAddress } from '../ipam/primary-address.ts'

export const virtualDeviceContextStatus = choices([
  ['active', 'Active', 'green'],
  ['planned', 'Planned', 'cyan'],
  ['offline', 'Offline', 'red'],
])

/** A logical partition of a device. */
export const virtualDeviceContext = model({
  name: 'dcim.virtualdevicecontext',
  path: 'dcim/virtual-device-contexts',
  labels: ['virtual device context', 'virtual device contexts'],

  fields: {
    name: text({ max: 64, collation: 'natural' }),
    device: foreignKey('dcim.device', { related: 'vdcs', nullable: true, required: true }),
    identifier: integer({ size: 'small', range: [0, 32767], nullable: true, resetOnPut: true }),
    tenant: foreignKey('tenancy.tenant', { ...tenantOptions, related: 'vdcs', resetOnPut: true }),
    primary_ip: derivedKey('ipam.ipaddress', primaryAddress, {
      projection: PRIMARY_ADDRESS_FIELDS,
    }),
    primary_ip4: foreignKey('ipam.ipaddress', {
      onDelete: 'setNull',
      related: '+',
      unique: true,
      projection: PRIMARY_ADDRESS_FIELDS,
    }),
    primary_ip6: foreignKey('ipam.ipaddress', {
      onDelete: 'setNull',
      related: '+',
      unique: true,
      projection: PRIMARY_ADDRESS_FIELDS,
    }),
    status: choice(virtualDeviceContextStatus, {}),
    description,
    owner,
    comments,
    ...housekeeping,
    interface_count: relatedCount('dcim.interface', 'vdcs'),
  },

  brief: ['id', 'url', 'display', 'name', 'device', 'identifier', 'description'],
  order: ['name'],
  search: ['name', 'description', equalsInteger('identifier')],
  unique: [{ fields: ['device', 'identifier'] }, { fields: ['device', 'name'] }],

  filters: {
    device: related('device', 'dcim.device'),
    primary_ip4: related('primary_ip4', 'ipam.ipaddress', 'address'),
    primary_ip6: related('primary_ip6', 'ipam.ipaddress', 'address'),
    interface_id: related('interfaces', 'dcim.interface'),
    has_primary_ip: holds(
      ({ column }) =>
        sql`(${column('primary_ip4')} is not null or ${column('primary_ip6')} is not null)`,
    ),
  },
  features: PRIMARY,
})
