import type { Read, Refusal } from '../../schema/rule.ts'
import { vlan } from '../ipam/vlan.ts'
import { macAddress } from './mac-address.ts'

// Fields that interfaces of devices and of virtual machines share.

interface Tagging {
  readonly mode: string | null
  readonly untagged_vlan: number | null
  readonly qinq_svlan: number | null
  readonly tagged_vlans: readonly number[]
}
interface Addressed {
  readonly id: number
  readonly primary_mac_address: number | null
}

/** Checks that the tagging mode allows the VLANs. NetBox 4.6.8 dcim/api/serializers_/device_components.py. */
export function modeAllowsVlans({ next }: { readonly next: Tagging }): Refusal | undefined {
  const { mode, untagged_vlan: untagged, qinq_svlan: service, tagged_vlans: tagged } = next
  const sentence = 'The mode of the interface does not allow this.'
  return {
    ...(service !== null && mode !== 'q-in-q' ? { qinq_svlan: sentence } : {}),
    ...(untagged !== null && !mode ? { untagged_vlan: sentence } : {}),
    ...(tagged.length > 0 && (!mode || mode === 'access' || mode === 'tagged-all') ? { tagged_vlans: sentence } : {}),
  }
}

/** Checks that the VLANs belong to the site, or to none. */
export async function vlansAreInSite(
  read: Read,
  name: 'tagged_vlans' | 'untagged_vlan',
  ids: readonly number[],
  site: number | null,
): Promise<Refusal | undefined> {
  const foreign = (await read.getMany(vlan, ids)).find((each) => each.site !== null && each.site !== site)
  return foreign ? { [name]: `${foreign.display} belongs to another site than the interface.` } : undefined
}

/** `type` is the model of the interface. */
export const primaryMacIsOwn =
  (type: string) =>
  async ({ next, read }: { readonly next: Addressed; readonly read: Read }): Promise<Refusal | undefined> => {
    if (next.primary_mac_address === null) return
    const found = await read.get(macAddress, next.primary_mac_address)
    if (found.assigned_object_id === null) return
    return found.assigned_object_type === type && found.assigned_object_id === next.id
      ? undefined
      : { primary_mac_address: `${found.display} is assigned to another interface.` }
  }

/** Clears VLANs that the tagging mode does not use, at each save. */
export function dropUselessVlans({
  next,
  previous,
  sent,
}: {
  readonly next: Tagging
  readonly previous: object | undefined
  readonly sent: ReadonlySet<string>
}): { untagged_vlan?: null; tagged_vlans?: readonly number[] } {
  const keepsTagged = !previous || next.mode === 'tagged' || sent.has('tagged_vlans')
  return {
    ...(next.mode ? {} : { untagged_vlan: null }),
    ...(keepsTagged ? {} : { tagged_vlans: [] }),
  }
}

/** Assigns the primary MAC addresses of new interfaces to them. */
export const macAssignments = (
  type: string,
  rows: readonly { readonly next: Addressed | undefined }[],
): { id: number; assigned_object_type: string; assigned_object_id: number }[] =>
  rows.flatMap(({ next }) =>
    next && next.primary_mac_address !== null
      ? [{ id: next.primary_mac_address, assigned_object_type: type, assigned_object_id: next.id }]
      : [],
  )
