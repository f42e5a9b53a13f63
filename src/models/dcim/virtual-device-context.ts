import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY, tenantOptions } from '../../schema/common.ts'
import { choice, foreignKey, integer, relatedCount, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { equalsInteger } from '../../schema/search-term.ts'
import { registered, words } from '../../schema/view.ts'
import { hasPrimaryAddress, primaryAddresses } from '../ipam/primary-address.ts'
import { device } from './device.ts'
import { whyNotOwnAddress } from './primary-address.rules.ts'

const virtualDeviceContextStatus = choices([
  ['active', 'Active', 'green'],
  ['planned', 'Planned', 'cyan'],
  ['offline', 'Offline', 'red'],
])

/** A logical partition of a device. */
export const virtualDeviceContext = model({
  name: 'dcim.virtualdevicecontext',
  path: 'dcim/virtual-device-contexts',
  labels: ['virtual device context', 'virtual device contexts'],
  about: 'A part of a device that works as a device of its own.',

  fields: {
    name: text({ max: 64, collation: 'natural' }),
    device: foreignKey('dcim.device', { related: 'vdcs', nullable: true, required: true }),
    identifier: integer({ size: 'small', range: [0, 32767], nullable: true, resetOnPut: true }),
    tenant: foreignKey('tenancy.tenant', { ...tenantOptions, related: 'vdcs', resetOnPut: true }),
    ...primaryAddresses,
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
    has_primary_ip: hasPrimaryAddress,
  },
  features: PRIMARY,
})

const addressesAreOfDevice: Rule<typeof virtualDeviceContext.fields> = async ({ next, read }) => {
  for (const [name, family] of [
    ['primary_ip4', 4],
    ['primary_ip6', 6],
  ] as const) {
    const id = next[name]
    if (id === null) continue
    const holder = next.device === null ? { id: 0, virtual_chassis: null } : await read.get(device, next.device)
    const reason = await whyNotOwnAddress(read, holder, id, { family, translated: false })
    if (reason) return { [name]: reason }
  }
  return
}

export const virtualDeviceContextModel = registered(virtualDeviceContext, {
  behaviour: rulesFor(virtualDeviceContext, addressesAreOfDevice),
  context: ['device'],
  columns: words('name identifier status tenant primary_ip'),
  moreColumns: { without: ['description'], plus: ['interface_count'] },
  labels: {
    primary_ip: 'IP Address',
    primary_ip4: 'IPv4 Address',
    primary_ip6: 'IPv6 Address',
  },
  panels: words('name device identifier status primary_ip4 primary_ip6 tenant'),
  tables: [{ model: 'dcim.interface', by: { vdc_id: 'id' } }],
  form: {
    'Virtual Device Context': words('device name status identifier primary_ip4 primary_ip6 tags'),
  },
  narrowedBy: { primary_ip4: { device_id: 'device' }, primary_ip6: { device_id: 'device' } },
  filters: { Attributes: words('device status has_primary_ip') },
  bulkEdit: { '': words('device status tenant'), More: words('owner description comments') },
  imports: { without: words('primary_ip4 primary_ip6'), plus: words('primary_ip4.address primary_ip6.address') },
  search: {
    weights: { identifier: 300 },
    shown: words('device status identifier tenant description'),
  },
})
