import type { RegisteredModel } from '../../schema/view.ts'
import { clusterModel } from './cluster.ts'
import { clusterGroupModel } from './cluster-group.ts'
import { clusterTypeModel } from './cluster-type.ts'
import { virtualDiskModel } from './virtual-disk.ts'
import { virtualMachineModel } from './virtual-machine.view.ts'
import { virtualMachineTypeModel } from './virtual-machine-type.ts'
import { vmInterfaceModel } from './vm-interface.view.ts'

/** Clusters and virtual machines. */
export const VIRTUALIZATION: readonly RegisteredModel[] = [
  clusterModel,
  clusterGroupModel,
  clusterTypeModel,
  virtualDiskModel,
  virtualMachineModel,
  virtualMachineTypeModel,
  vmInterfaceModel,
]
