import type { RegisteredModel } from '../../schema/view.ts'
import { circuitModel } from './circuit.ts'
import { circuitGroupModel } from './circuit-group.ts'
import { circuitGroupAssignmentModel } from './circuit-group-assignment.ts'
import { circuitTerminationModel } from './circuit-termination.view.ts'
import { circuitTypeModel } from './circuit-type.ts'
import { providerModel } from './provider.ts'
import { providerAccountModel } from './provider-account.ts'
import { providerNetworkModel } from './provider-network.ts'
import { virtualCircuitModel } from './virtual-circuit.ts'
import { virtualCircuitTerminationModel } from './virtual-circuit-termination.ts'
import { virtualCircuitTypeModel } from './virtual-circuit-type.ts'

/** Circuits and their providers. */
export const CIRCUITS: readonly RegisteredModel[] = [
  circuitModel,
  circuitGroupModel,
  circuitGroupAssignmentModel,
  circuitTerminationModel,
  circuitTypeModel,
  providerModel,
  providerAccountModel,
  providerNetworkModel,
  virtualCircuitModel,
  virtualCircuitTerminationModel,
  virtualCircuitTypeModel,
]
