import type { RegisteredModel } from '../registered-model.ts'
import { clusterBehaviour } from './cluster.rules.ts'
import { cluster } from './cluster.ts'
import { clusterView } from './cluster.view.ts'
import { clusterGroup } from './cluster-group.ts'
import { clusterGroupView } from './cluster-group.view.ts'
import { clusterType } from './cluster-type.ts'
import { clusterTypeView } from './cluster-type.view.ts'
import { virtualDiskBehaviour } from './virtual-disk.rules.ts'
import { virtualDisk } from './virtual-disk.ts'
import { virtualDiskView } from './virtual-disk.view.ts'
import { virtualMachineBehaviour } from './virtual-machine.rules.ts'
import { virtualMachine } from './virtual-machine.ts'
import { virtualMachineView } from './virtual-machine.view.ts'
import { virtualMachineType } from './virtual-machine-type.ts'
import { virtualMachineTypeView } from './virtual-machine-type.view.ts'
import { vmInterfaceBehaviour } from './vm-interface.rules.ts'
import { vmInterface } from './vm-interface.ts'
import { vmInterfaceView } from './vm-interface.view.ts'

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
