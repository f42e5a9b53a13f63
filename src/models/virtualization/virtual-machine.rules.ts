import { behaviour, type Normalizer, type Read, type Rule } from '../../schema/rule.ts'
import { device } from '../dcim/device.ts'
import { localContextIsObject } from '../extras/config-context.ts'
import { ipAddress } from '../ipam/ip-address.ts'
import { cluster } from './cluster.ts'
import { virtualDisk } from './virtual-disk.ts'
import { virtualMachine } from './virtual-machine.ts'
import { virtualMachineType } from './virtual-machine-type.ts'
import { vmInterface } from './vm-interface.ts'

type MachineRule = Rule<typeof virtualMachine.fields>
type MachinePreparation = Normalizer<typeof virtualMachine.fields>

const runsSomewhere: MachineRule = ({ next }) =>
  next.site === null && next.cluster === null && next.device === null
    ? { __all__: 'A virtual machine needs a site, a cluster or a device.' }
    : undefined

const clusterIsInSite: MachineRule = async ({ next, read }) => {
  if (next.cluster === null || next.site === null) return
  const { _site: site, display } = await read.get(cluster, next.cluster)
  return site !== null && site !== next.site ? { cluster: `${display} is in another site.` } : undefined
}

const hostIsInSite: MachineRule = async ({ next, read }) => {
  if (next.device === null || next.site === null) return
  const host = await read.get(device, next.device)
  return host.site === next.site ? undefined : { site: `${host.display} is in another site.` }
}

/** A device in a cluster hosts machines of that cluster only. */
const hostIsInCluster: MachineRule = async ({ next, read }) => {
  if (next.device === null) return
  const host = await read.get(device, next.device)
  if (host.cluster === next.cluster) return
  return next.cluster === null
    ? { cluster: `${host.display} is part of a cluster, which must be named too.` }
    : { device: `${host.display} is not part of this cluster.` }
}

async function sizeOfDisks(read: Read, id: number): Promise<number> {
  const disks = await read.all(virtualDisk, { virtual_machine: id })
  return disks.reduce((sum, { size }) => sum + size, 0)
}

const diskIsSumOfDisks: MachineRule = async ({ next, previous, read }) => {
  const size = previous ? await sizeOfDisks(read, next.id) : 0
  return size > 0 && next.disk !== size ? { disk: `The virtual disks add up to ${size} MB.` } : undefined
}

const FAMILIES = { primary_ip4: 4, primary_ip6: 6 } as const

const addressesAreOwn: MachineRule = async ({ next, read }) => {
  for (const name of ['primary_ip4', 'primary_ip6'] as const) {
    const id = next[name]
    if (id === null) continue
    const address = await read.get(ipAddress, id)
    const family = address.address.includes(':') ? 6 : 4
    if (family !== FAMILIES[name]) {
      return { [name]: `${address.display} is not an IPv${FAMILIES[name]} address.` }
    }
    const inner = address.nat_inside === null ? [] : [await read.get(ipAddress, address.nat_inside)]
    const isOwn = await Promise.all([address, ...inner].map((candidate) => isAssigned(read, next.id, candidate)))
    if (!isOwn.includes(true)) {
      return { [name]: `${address.display} is not assigned to this virtual machine.` }
    }
  }
  return
}

async function isAssigned(
  read: Read,
  machine: number,
  address: {
    readonly assigned_object_type: string | null
    readonly assigned_object_id: number | null
  },
): Promise<boolean> {
  const { assigned_object_type: type, assigned_object_id: id } = address
  if (type !== 'virtualization.vminterface' || id === null) return false
  return (await read.find(vmInterface, { id }))?.virtual_machine === machine
}

const fillDisk: MachinePreparation = async ({ next, previous, read }) => {
  if (!previous || next.disk !== null) return
  const size = await sizeOfDisks(read, next.id)
  return size > 0 ? { disk: size } : undefined
}

const fillSite: MachinePreparation = async ({ next, read }) => {
  if (next.site !== null) return
  const site = next.cluster === null ? null : (await read.get(cluster, next.cluster))._site
  if (site !== null) return { site }
  return next.device === null ? undefined : { site: (await read.get(device, next.device)).site }
}

const inheritFromType: MachinePreparation = async ({ next, previous, read }) => {
  if (previous || next.virtual_machine_type === null) return
  const type = await read.get(virtualMachineType, next.virtual_machine_type)
  return {
    platform: next.platform ?? type.default_platform,
    vcpus: next.vcpus ?? type.default_vcpus,
    memory: next.memory ?? type.default_memory,
  }
}

// In the order of the checks of NetBox 4.6.8: only the first error is reported.
export const virtualMachineBehaviour = behaviour(virtualMachine, {
  normalize: [fillDisk],
  modelRules: [
    localContextIsObject,
    runsSomewhere,
    clusterIsInSite,
    hostIsInSite,
    hostIsInCluster,
    diskIsSumOfDisks,
    addressesAreOwn,
  ],
  beforeSave: [fillSite, inheritFromType],
})
