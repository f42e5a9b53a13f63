import type { Definition } from '../../schema/model.ts'
import type { EffectFunction, Read, Refusal, RowOf } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
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
  const foreign = (await read.getMany(vlan, ids)).find(
    (candidate) => candidate.site !== null && candidate.site !== site,
  )
  return foreign ? { [name]: `${foreign.display} belongs to a different site than the interface.` } : undefined
}

/** `type` is the model of the interface. */
export const primaryMacIsOwn =
  (type: string) =>
  async ({ next, read }: { readonly next: Addressed; readonly read: Read }): Promise<Refusal | undefined> => {
    if (next.primary_mac_address === null) return
    const address = await read.get(macAddress, next.primary_mac_address)
    if (address.assigned_object_id === null) return
    return address.assigned_object_type === type && address.assigned_object_id === next.id
      ? undefined
      : { primary_mac_address: `${address.display} is assigned to another interface.` }
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

interface WithMac extends Addressed {
  /** Address in the body; not a column. */
  readonly mac_address?: string | null
}

interface MacChange {
  readonly next: WithMac
  readonly previous: Addressed | undefined
  readonly sent: ReadonlySet<string>
  readonly read: Read
}

/**
 * Refuses a MAC address together with a primary one that has another address. If one of the two has not changed, the
 * other one decides: clients send back what they have read, and some send null for what they do not set.
 */
export async function macsAgree({ next, previous, sent, read }: MacChange): Promise<Refusal | undefined> {
  if (!sent.has('mac_address') || !sent.has('primary_mac_address')) return
  const [address, before, primary] = [textOf(next), await primaryOf(previous, read), await primaryOf(next, read)]
  return address === primary || address === before || (primary === undefined && before === undefined)
    ? undefined
    : { __all__: 'mac_address and primary_mac_address name different addresses.' }
}

const textOf = ({ mac_address }: WithMac): string | undefined => mac_address?.toUpperCase()

const primaryOf = async (row: Addressed | undefined, read: Read): Promise<string | undefined> =>
  row && row.primary_mac_address !== null
    ? (await read.get(macAddress, row.primary_mac_address)).mac_address.toUpperCase()
    : undefined

/** Makes an existing address of the interface its primary one, or clears it. */
export const choosePrimaryMac =
  (type: string) =>
  async (change: MacChange): Promise<{ primary_mac_address?: number | null; mac_address?: undefined }> => {
    const { next, previous, sent, read } = change
    const { mac_address: address } = next
    if (!sent.has('mac_address') || address === undefined) return {}
    const isUnchanged = sent.has('primary_mac_address') && textOf(next) === (await primaryOf(previous, read))
    if (isUnchanged) return { mac_address: undefined }
    if (address === null) return { primary_mac_address: null }
    if (next.id === 0) return {}
    const where = { mac_address: address, assigned_object_type: type, assigned_object_id: next.id }
    const assigned = await read.find(macAddress, where)
    return assigned ? { primary_mac_address: assigned.id } : {}
  }

/** Creates the MAC addresses that bodies name, and makes them primary. */
export const createPrimaryMacs =
  (model: Definition): EffectFunction<RowsWithMac> =>
  async ({ action, rows, database, write }) => {
    const named = rows.flatMap(({ next }) => (next && typeof macOf(next) === 'string' ? [next] : []))
    if (named.length === 0 || (action !== 'create' && action !== 'update')) return
    const present = await database.query<{ id: number; address: string }>(sql`
      select i.id, upper(m.mac_address::text) as address from ${table(model.name)} i
      join ${table(macAddress.name)} m on m.id = i.primary_mac_address_id
      where i.id = any(${named.map(({ id }) => id)}::bigint[])`)
    const primaries = new Map(present.map(({ id, address }) => [id, address]))
    const lacking = named.filter((row) => primaries.get(row.id) !== macOf(row)?.toUpperCase())
    if (lacking.length === 0) return
    const assigned = lacking.map((row) => ({
      mac_address: macOf(row) ?? '',
      assigned_object_type: model.name,
      assigned_object_id: row.id,
    }))
    const ids = await write.create(macAddress, assigned)
    const primary = lacking.map(({ id }, index) => ({ id, primary_mac_address: ids[index] ?? null }))
    // Both kinds of interfaces have the field.
    await write.update(model, primary as (Partial<RowOf<RowsWithMac>> & { readonly id: number })[])
  }

type RowsWithMac = Definition['fields']

const macOf = (row: object): string | null | undefined => (row as WithMac).mac_address
