import { behaviour, type EffectFunction, type Normalizer, type Refusal, type Rule } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import {
  choosePrimaryMac,
  createPrimaryMacs,
  dropUselessVlans,
  macAssignments,
  macsAgree,
  modeAllowsVlans,
  primaryMacIsOwn,
  vlansAreInSite,
} from './base-interface.rules.ts'
import { channelsAreClear, keepsChannels, parentHasChannel } from './channels.rules.ts'
import { cableOrMark, fillComponentPlace, staysInDevice } from './component.ts'
import { device } from './device.ts'
import { deviceInterface } from './interface.ts'
import {
  channelOf,
  isVirtual,
  isWireless,
  notBridgedToItself,
  powerNeedsHardware,
  powerTypeNeedsMode,
  roleNeedsWireless,
} from './interface-kind.ts'
import { macAddress } from './mac-address.ts'

/** Assigns the primary MAC address of a new interface to it. */
const assignPrimaryMac: EffectFunction<typeof deviceInterface.fields> = async ({ action, rows, write }) => {
  const assignments = action === 'create' ? macAssignments(deviceInterface.name, rows) : []
  if (assignments.length > 0) await write.update(macAddress, assignments)
}

type InterfaceRule = Rule<typeof deviceInterface.fields>

const NAME = 'dcim.interface'

const taggedVlansAreInSite: InterfaceRule = async ({ next, sent, read }) => {
  if (!sent.has('tagged_vlans') || next.tagged_vlans.length === 0) return
  const { site } = await read.get(device, next.device)
  return vlansAreInSite(read, 'tagged_vlans', next.tagged_vlans, site)
}

const virtualHasNoConnection: InterfaceRule = ({ next }) => {
  if (!isVirtual(next.type) && next.channel_id === null) return
  if (next.cable !== null) return { type: 'A virtual interface cannot have a cable.' }
  return next.mark_connected ? { mark_connected: 'A virtual interface cannot be connected.' } : undefined
}

const onlyVirtualHasParent: InterfaceRule = ({ next }) => {
  if (next.parent === null) return
  if (next.parent === next.id) return { parent: 'An interface cannot be its own parent.' }
  return next.type === 'virtual' || next.channel_id !== null
    ? undefined
    : { parent: 'Only virtual interfaces and channels have a parent interface.' }
}

const parentIsChannelized: InterfaceRule = async ({ next, read }) =>
  next.parent === null ? undefined : parentHasChannel(next.channel_id, await read.get(deviceInterface, next.parent))

const channelsStay: InterfaceRule = async ({ next, previous, read }) =>
  previous && previous.channels !== next.channels
    ? keepsChannels(next.channels, await read.all(deviceInterface, { parent: next.id }))
    : undefined

/** Renames the channels that have the name of their parent and their number. */
const renameChannels: EffectFunction<typeof deviceInterface.fields> = async ({ action, rows, database, write }) => {
  const renamed = rows.flatMap(({ previous, next }) =>
    action === 'update' && previous && next && next.channels !== null && previous.name !== next.name
      ? [{ id: next.id, from: previous.name, to: next.name }]
      : [],
  )
  for (const { id, from, to } of renamed) {
    const channels = await database.query<{ id: number; name: string }>(sql`
      select t.id, ${to} || ':' || t.channel_id as name from ${table(NAME)} t
      where t.parent_id = ${id}::bigint and t.name = ${from} || ':' || t.channel_id
        and not exists (
          select from ${table(NAME)} other
          where other.device_id = t.device_id and other.name = ${to} || ':' || t.channel_id)
      order by t.id`)
    if (channels.length > 0) await write.update(deviceInterface, channels)
  }
}

const virtualHasNoAggregate: InterfaceRule = ({ next }) => {
  if (next.lag === null) return
  if (next.type === 'virtual') return { lag: 'A virtual interface cannot be part of a LAG.' }
  return next.lag === next.id ? { lag: 'A LAG cannot be a member of itself.' } : undefined
}

/** Whether another interface is in the same device, or in the same virtual chassis. */
const isInReach =
  (name: 'parent' | 'bridge' | 'lag'): InterfaceRule =>
  async ({ next, read }): Promise<Refusal | undefined> => {
    const id = next[name]
    if (id === null) return
    const other = await read.get(deviceInterface, id)
    if (other.device === next.device) return
    const [own, its] = await Promise.all([read.get(device, next.device), read.get(device, other.device)])
    return own.virtual_chassis !== null && own.virtual_chassis === its.virtual_chassis
      ? undefined
      : { [name]: `${other.display} belongs to ${its.display}, another device.` }
  }

const channelNeedsWireless: InterfaceRule = ({ next }) => {
  if (isWireless(next.type)) return
  const sentence = 'Only wireless interfaces have a channel.'
  if (next.rf_channel) return { rf_channel: sentence }
  if (Number(next.rf_channel_frequency)) return { rf_channel_frequency: sentence }
  return Number(next.rf_channel_width) ? { rf_channel_width: sentence } : undefined
}

/** Refuses frequency and width that differ from those of the channel. */
const channelFitsItsNumbers: InterfaceRule = ({ next }) => {
  if (!next.rf_channel) return
  const { frequency, width } = channelOf(next.rf_channel)
  const differs = (value: string | null, own: string) => Number(value) !== 0 && Number(value) !== Number(own)
  if (differs(next.rf_channel_frequency, frequency)) {
    return { rf_channel_frequency: `The channel's frequency is ${frequency} MHz.` }
  }
  return differs(next.rf_channel_width, width)
    ? { rf_channel_width: `The channel's width is ${width} MHz.` }
    : undefined
}

const untaggedVlanIsInSite: InterfaceRule = async ({ next, read }) => {
  if (next.untagged_vlan === null) return
  const { site } = await read.get(device, next.device)
  return vlansAreInSite(read, 'untagged_vlan', [next.untagged_vlan], site)
}

const fillChannelNumbers: Normalizer<typeof deviceInterface.fields> = ({ next }) => {
  if (!next.rf_channel) return
  const { frequency, width } = channelOf(next.rf_channel)
  return {
    ...(Number(next.rf_channel_frequency) ? {} : { rf_channel_frequency: frequency }),
    ...(Number(next.rf_channel_width) ? {} : { rf_channel_width: width }),
  }
}
// In the order of the checks of NetBox 4.6.8: only the first error is reported.
export const interfaceBehaviour = behaviour(deviceInterface, {
  serializerRules: [modeAllowsVlans, taggedVlansAreInSite, macsAgree],
  modelRules: [
    cableOrMark,
    primaryMacIsOwn(NAME),
    staysInDevice,
    notBridgedToItself,
    powerNeedsHardware,
    powerTypeNeedsMode,
    roleNeedsWireless,
    virtualHasNoConnection,
    channelsAreClear,
    onlyVirtualHasParent,
    isInReach('parent'),
    parentIsChannelized,
    channelsStay,
    isInReach('bridge'),
    virtualHasNoAggregate,
    isInReach('lag'),
    channelNeedsWireless,
    channelFitsItsNumbers,
    untaggedVlanIsInSite,
  ],
  beforeSave: [fillComponentPlace, dropUselessVlans, fillChannelNumbers, choosePrimaryMac(NAME)],
  afterWrite: [assignPrimaryMac, createPrimaryMacs(deviceInterface), renameChannels],
})
