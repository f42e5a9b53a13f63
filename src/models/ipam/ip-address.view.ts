import { namedBy } from '../../schema/import-column.ts'
import { registered, tab, words } from '../../schema/view.ts'
import { holderColumns, interfaceColumn } from '../dcim/interface-columns.ts'
import { ipAddressBehaviour } from './ip-address.rules.ts'
import { ipAddress } from './ip-address.ts'

export const ipAddressModel = registered(ipAddress, {
  behaviour: ipAddressBehaviour,
  context: words('vrf assigned_object'),
  columns: words('address assigned_object status dns_name vrf role tenant description'),
  moreColumns: { plus: words('nat_outside assigned_object_id') },
  labels: {
    address: 'IP Address',
    nat_inside: 'NAT (Inside)',
    nat_outside: 'NAT (Outside)',
    assigned_object_id: 'Assigned',
    assigned_object: 'Interface',
  },
  formLabels: { assigned_object: 'Assign to' },
  panels: words(`
    family vrf tenant status role dns_name description assigned_object nat_inside nat_outside
  `),
  tables: [{ model: 'ipam.service', by: { ip_address_id: 'id' }, label: 'Application services' }],
  tabs: [tab('related-ip-addresses', 'ipam.ipaddress', { parent: 'address', vrf_id: 'vrf' }, { label: 'Related IPs' })],
  cloned: words('vrf tenant status role dns_name description'),
  shownElsewhere: ['address'],
  form: {
    'IP Address': words('address status role vrf dns_name description tags'),
    Assignment: ['assigned_object'],
    'NAT IP (Inside)': ['nat_inside'],
  },
  bulkAdd: { field: 'address', pattern: 'network' },
  filters: {
    Attributes: words('parent family status role mask_length assigned_to_interface dns_name'),
    VRF: words('vrf_id present_in_vrf_id'),
    'Device/VM': words('device_id virtual_machine_id'),
    NAT: ['nat_inside_id'],
  },
  bulkEdit: {
    '': words('status role tenant description'),
    Addressing: words('vrf mask_length dns_name'),
  },
  networkLengths: { mask_length: 'address' },
  importColumns: {
    ...holderColumns('interface'),
    interface: interfaceColumn('assigned_object'),
    fhrp_group: { to: 'ipam.fhrpgroup', assigns: 'assigned_object' },
    is_primary: { value: 'boolean' },
    is_oob: { value: 'boolean' },
  },
  importRefusals: (values) => ({
    ...(values.is_primary === true &&
      !namedBy(values, 'device') &&
      !namedBy(values, 'virtual_machine') && {
        is_primary: 'Name the device or virtual machine whose primary address this is.',
      }),
    ...(values.is_oob === true &&
      !namedBy(values, 'device') && {
        is_oob: 'Name the device whose out-of-band address this is.',
      }),
  }),
  importFollowUps: (values, id, { address }) => {
    const owner = namedBy(values, 'device') ?? namedBy(values, 'virtual_machine')
    if (!owner) return []
    const primary = String(address).includes(':') ? 'primary_ip6' : 'primary_ip4'
    return [
      ...(values.is_primary === true ? [{ ...owner, body: { [primary]: id } }] : []),
      ...(values.is_oob === true ? [{ ...owner, body: { oob_ip: id } }] : []),
    ]
  },
  importRequires: ['status'],
  imports: { without: ['nat_inside'] },
  search: {
    weights: { address: 100, dns_name: 300 },
    leadsTo: 'assigned_object',
    shown: words('vrf tenant status role description'),
  },
})
