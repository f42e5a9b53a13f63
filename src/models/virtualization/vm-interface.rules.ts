import { behaviour, type EffectFunction, type Refusal, type Rule } from '../../schema/rule.ts'
import {
  choosePrimaryMac,
  createPrimaryMacs,
  dropUselessVlans,
  macAssignments,
  macsAgree,
  primaryMacIsOwn,
  vlansAreInSite,
} from '../dcim/base-interface.rules.ts'
import { macAddress } from '../dcim/mac-address.ts'
import { virtualMachine } from './virtual-machine.ts'
import { vmInterface } from './vm-interface.ts'

/** Assigns the primary MAC address of a new interface to it. */
const assignVmPrimaryMac: EffectFunction<typeof vmInterface.fields> = async ({ action, rows, write }) => {
  const assignments = action === 'create' ? macAssignments(vmInterface.name, rows) : []
  if (assignments.length > 0) await write.update(macAddress, assignments)
}

type InterfaceRule = Rule<typeof vmInterface.fields>

const NAME = 'virtualization.vminterface'

const taggedVlansAreInSite: InterfaceRule = async ({ next, sent, read }) => {
  if (!sent.has('tagged_vlans') || next.tagged_vlans.length === 0) return
  const { site } = await read.get(virtualMachine, next.virtual_machine)
  return vlansAreInSite(read, 'tagged_vlans', next.tagged_vlans, site)
}

const serviceVlanNeedsMode: InterfaceRule = ({ next }) =>
  next.qinq_svlan !== null && next.mode !== 'q-in-q'
    ? { qinq_svlan: 'Only interfaces in Q-in-Q mode have a service VLAN.' }
    : undefined

/** Whether another interface is in the same virtual machine. */
const isNeighbour =
  (name: 'parent' | 'bridge'): InterfaceRule =>
  async ({ next, read }): Promise<Refusal | undefined> => {
    const id = next[name]
    if (id === null) return
    if (id === next.id) return { [name]: 'An interface cannot refer to itself here.' }
    const other = await read.get(vmInterface, id)
    return other.virtual_machine === next.virtual_machine
      ? undefined
      : { [name]: `${other.display} belongs to another virtual machine.` }
  }

const untaggedVlanIsInSite: InterfaceRule = async ({ next, read }) => {
  if (next.untagged_vlan === null) return
  const { site } = await read.get(virtualMachine, next.virtual_machine)
  return vlansAreInSite(read, 'untagged_vlan', [next.untagged_vlan], site)
}
// In the order of the checks of NetBox 4.6.8: only the first error is reported.
export const vmInterfaceBehaviour = behaviour(vmInterface, {
  serializerRules: [taggedVlansAreInSite, macsAgree],
  modelRules: [
    serviceVlanNeedsMode,
    primaryMacIsOwn(NAME),
    isNeighbour('parent'),
    isNeighbour('bridge'),
    untaggedVlanIsInSite,
  ],
  beforeSave: [dropUselessVlans, choosePrimaryMac(NAME)],
  afterWrite: [assignVmPrimaryMac, createPrimaryMacs(vmInterface)],
})
