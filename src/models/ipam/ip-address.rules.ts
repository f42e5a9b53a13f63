import { lastOf, networkOf, parseInterface } from '../../schema/net/ip.ts'
import { oncePerBatch } from '../../schema/once-per-batch.ts'
import { behaviour, type Normalizer, type Read, type RowOf, type Rule } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { device } from '../dcim/device.ts'
import { deviceInterface } from '../dcim/interface.ts'
import { virtualMachine } from '../virtualization/virtual-machine.ts'
import { vmInterface } from '../virtualization/vm-interface.ts'
import { duplicatesBefore, hostOf, storedDuplicates } from './address-duplicates.ts'
import { ipAddress } from './ip-address.ts'
import { ipRange } from './ip-range.ts'
import { enforcedIn } from './vrf.ts'

type AddressFields = typeof ipAddress.fields
type AddressRow = RowOf<AddressFields>
type AddressRule = Rule<AddressFields>

/** Host names are case-insensitive; they are stored in lower case. */
const lowerName: Normalizer<AddressFields> = ({ next }) => ({
  dns_name: next.dns_name.toLowerCase(),
})

const refuseWholeInternet: AddressRule = ({ next }) =>
  next.address.endsWith('/0') ? { address: 'The network of an address cannot be the whole address space.' } : undefined

/** Refuses network and broadcast addresses on interfaces, except in networks too small to have them. */
const refuseNetworkAddress: AddressRule = ({ next }) => {
  if (next.assigned_object_id === null) return
  const address = parseInterface(next.address)
  if (!address || address.length >= (address.family === 4 ? 31 : 127)) return
  if (address.value === networkOf(address).value) {
    return { __all__: `${next.address} is a network's own address and cannot be assigned.` }
  }
  if (address.family === 4 && address.value === lastOf(address).value) {
    return { __all__: `${next.address} is a broadcast address and cannot be assigned.` }
  }
  return
}

/** Roles by which several hosts share one address. */
const SHARED: ReadonlySet<unknown> = new Set(['anycast', 'vip', 'vrrp', 'hsrp', 'glbp', 'carp'])

/** Addresses that differ only in the mask are duplicates. NetBox 4.6.8 ipam/models/ip.py. */
const refuseDuplicate: AddressRule = async (change) => {
  const { next, read, settings } = change
  const stored = await storedDuplicates(change)
  const duplicates = [...(stored.get(next) ?? []), ...duplicatesBefore(change)]
  const [duplicate] = duplicates
  if (!duplicate || [next, ...duplicates].every(({ role }) => SHARED.has(role))) return
  const table = await enforcedIn(next.vrf, read, settings)
  if (!table) return
  // A duplicate in the same request has no id yet.
  const isShown = duplicate.id <= 0 || (await read.shows(ipAddress, duplicate.id))
  return {
    address: isShown ? `Duplicate IP address found in ${table}: ${duplicate.address}` : 'This value cannot be used.',
  }
}

/** The range marked as full that contains each row's address. */
const fullRanges = oncePerBatch<AddressFields, Promise<ReadonlyMap<AddressRow, string>>>(async ({ batch, read }) => {
  const ranges = await read.database.query<{
    position: number
    id: number
    start: string
    end: string
  }>(sql`
      select q.position, r.id, host(r.start_address) as start, host(r.end_address) as "end"
      from ${table('ipam.iprange')} r
      join unnest(${batch.map(hostOf)}::inet[], ${batch.map((row) => row.vrf)}::bigint[])
        with ordinality as q(host, vrf, position)
        on q.vrf is not distinct from r.vrf_id
        and q.host between host(r.start_address)::inet and host(r.end_address)::inet
      where r.mark_populated`)
  const visible = await Promise.all(ranges.map(({ id }) => read.shows(ipRange, id)))
  return new Map(
    ranges.flatMap(({ position, start, end }, index) => {
      const row = batch[position - 1]
      return row ? [[row, visible[index] ? `${start}-${end}` : 'a range'] as const] : []
    }),
  )
})

/** Refuses new addresses in a full range; existing ones may stay and change. */
const refuseInFullRange: AddressRule = async (change) => {
  if (change.previous) return
  const range = (await fullRanges(change)).get(change.next)
  return range ? { address: `${change.next.address} is in ${range}, which counts as fully populated.` } : undefined
}

/** The device or virtual machine that an interface belongs to; undefined for other objects. */
async function ownerOf(read: Read, { assigned_object_type: type, assigned_object_id: id }: AddressRow) {
  if (id === null) return
  if (type === 'dcim.interface') {
    const [assigned] = await read.getMany(deviceInterface, [id])
    return assigned && { kind: 'device', id: assigned.device, row: await read.get(device, assigned.device) }
  }
  if (type === 'virtualization.vminterface') {
    const [assigned] = await read.getMany(vmInterface, [id])
    return (
      assigned && {
        kind: 'machine',
        id: assigned.virtual_machine,
        row: await read.get(virtualMachine, assigned.virtual_machine),
      }
    )
  }
  return
}

/** Refuses to move a device's primary address away from its interfaces. */
const keepPrimary: AddressRule = async ({ next, previous, read }) => {
  if (!previous || previous.assigned_object_id === null) return
  const isSame =
    previous.assigned_object_type === next.assigned_object_type &&
    previous.assigned_object_id === next.assigned_object_id
  if (isSame) return
  const [before, after] = await Promise.all([ownerOf(read, previous), ownerOf(read, next)])
  if (!before || (before.kind === after?.kind && before.id === after.id)) return
  const { row } = before
  const isPrimary = row.primary_ip4 === next.id || row.primary_ip6 === next.id
  if (isPrimary) return { __all__: `This is the primary address of ${row.display}.` }
  return 'oob_ip' in row && row.oob_ip === next.id
    ? { __all__: `This is the out-of-band address of ${row.display}.` }
    : undefined
}

const slaacNeedsIpv6: AddressRule = ({ next }) =>
  next.status === 'slaac' && parseInterface(next.address)?.family !== 6
    ? { status: 'Only IPv6 addresses can have the status SLAAC.' }
    : undefined

export const ipAddressBehaviour = behaviour(ipAddress, {
  normalize: [lowerName],
  modelRules: [
    refuseWholeInternet,
    refuseNetworkAddress,
    refuseDuplicate,
    refuseInFullRange,
    keepPrimary,
    slaacNeedsIpv6,
  ],
})
