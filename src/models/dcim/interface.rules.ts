import {
  behaviour,
  type EffectFunction,
  type Normalizer,
  type Refusal,
  type RowOf,
  type Rule,
} from '../../schema/rule.ts'
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
import { nodeOf } from './cabling/cabled-object.ts'
import { retracePaths } from './cabling/retrace.ts'
import { channelsAreClear, keepsChannels, parentHasChannel, renameChannels } from './channels.rules.ts'
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
type InterfaceEffect = EffectFunction<typeof deviceInterface.fields>

const NAME = 'dcim.interface'

const taggedVlansAreInSite: InterfaceRule = async ({ next, sent, read }) => {
  if (!sent.has('tagged_vlans') || next.tagged_vlans.length === 0) return
  const { site } = await read.get(device, next.device)
  return vlansAreInSite(read, 'tagged_vlans', next.tagged_vlans, site)
}

const virtualHasNoConnection: InterfaceRule = ({ next, previous }) => {
  if (!isVirtual(next.type) && next.channel_id === null) return
  // A channel has the same addresses as its parent.
  if (next.cable !== null && (previous?.channel_id ?? null) === null) {
    return { type: 'A virtual interface cannot have a cable.' }
  }
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

/**
 * Recomputes cables of channels, and paths, after interfaces have become channels, have gained channels, or have been
 * deleted.
 */
const retraceChannels: InterfaceEffect = async ({ rows, database }) => {
  const changed = rows
    .filter(({ previous, next }) => channelKey(previous) !== channelKey(next))
    .flatMap(({ previous, next }) => [previous ?? [], next ?? []].flat())
  if (changed.length === 0) return
  const interfaces = changed.map(({ id }) => nodeOf(NAME, id))
  const cables = changed.flatMap(({ cable }) => (cable === null ? [] : nodeOf('dcim.cable', cable)))
  await retracePaths(database, [...interfaces, ...cables], interfaces)
}

/** Fields that cable paths depend on. */
const channelKey = (row: RowOf<typeof deviceInterface.fields> | undefined): string =>
  row && row.channel_id !== null ? `${row.parent}:${row.channel_id}` : String(row?.channels ?? '')

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
    const [ownDevice, otherDevice] = await Promise.all([read.get(device, next.device), read.get(device, other.device)])
    return ownDevice.virtual_chassis !== null && ownDevice.virtual_chassis === otherDevice.virtual_chassis
      ? undefined
      : { [name]: `${other.display} belongs to ${otherDevice.display}, another device.` }
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
  const differs = (value: string | null, typical: string) => Number(value) !== 0 && Number(value) !== Number(typical)
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
  afterWrite: [
    assignPrimaryMac,
    createPrimaryMacs(deviceInterface),
    renameChannels(deviceInterface, ['device_id']),
    retraceChannels,
  ],
})
