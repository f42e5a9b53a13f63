import type { RegisteredModel } from '../registered-model.ts'
import { cluster, clusterBehaviour, clusterView } from './cluster.ts'
import { clusterGroup, clusterGroupView } from './cluster-group.ts'
import { clusterType, clusterTypeView } from './cluster-type.ts'
import { virtualDisk, virtualDiskBehaviour, virtualDiskView } from './virtual-disk.ts'
import { virtualMachineBehaviour } from './virtual-machine.rules.ts'
import { virtualMachine, virtualMachineView } from './virtual-machine.ts'
import { virtualMachineType, virtualMachineTypeView } from './virtual-machine-type.ts'
import { vmInterfaceBehaviour } from './vm-interface.rules.ts'
import { vmInterface, vmInterfaceView } from './vm-interface.ts'

/** Clusters and virtual machines. */
export const VIRTUALIZATION: readonly RegisteredModel[] = [
  { model: cluster, behaviour: clusterBehaviour, view: clusterView },
  { model: clusterGroup, view: clusterGroupView },
  { model: clusterType, view: clusterTypeView },
  { model: virtualDisk, behaviour: virtualDiskBehaviour, view: virtualDiskView },
  { model: virtualMachine, behaviour: virtualMachineBehaviour, view: virtualMachineView },
  { model: virtualMachineType, view: virtualMachineTypeView },
  { model: vmInterface, behaviour: vmInterfaceBehaviour, view: vmInterfaceView },
]
