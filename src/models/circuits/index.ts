import type { RegisteredModel } from '../registered-model.ts'
import { circuitBehaviour } from './circuit.rules.ts'
import { circuit } from './circuit.ts'
import { circuitView } from './circuit.view.ts'
import { circuitGroup } from './circuit-group.ts'
import { circuitGroupView } from './circuit-group.view.ts'
import { circuitGroupAssignment } from './circuit-group-assignment.ts'
import { circuitGroupAssignmentView } from './circuit-group-assignment.view.ts'
import { circuitTerminationBehaviour } from './circuit-termination.rules.ts'
import { circuitTermination } from './circuit-termination.ts'
import { circuitTerminationView } from './circuit-termination.view.ts'
import { circuitType } from './circuit-type.ts'
import { circuitTypeView } from './circuit-type.view.ts'
import { provider } from './provider.ts'
import { providerView } from './provider.view.ts'
import { providerAccount } from './provider-account.ts'
import { providerAccountView } from './provider-account.view.ts'
import { providerNetwork } from './provider-network.ts'
import { providerNetworkView } from './provider-network.view.ts'
import { virtualCircuitBehaviour } from './virtual-circuit.rules.ts'
import { virtualCircuit } from './virtual-circuit.ts'
import { virtualCircuitView } from './virtual-circuit.view.ts'
import { virtualCircuitTerminationBehaviour } from './virtual-circuit-termination.rules.ts'
import { virtualCircuitTermination } from './virtual-circuit-termination.ts'
import { virtualCircuitTerminationView } from './virtual-circuit-termination.view.ts'
import { virtualCircuitType } from './virtual-circuit-type.ts'
import { virtualCircuitTypeView } from './virtual-circuit-type.view.ts'

/** Circuits and their providers. */
export const CIRCUITS: readonly RegisteredModel[] = [
  { model: circuit, behaviour: circuitBehaviour, view: circuitView },
  { model: circuitGroup, view: circuitGroupView },
  { model: circuitGroupAssignment, view: circuitGroupAssignmentView },
  {
    model: circuitTermination,
    behaviour: circuitTerminationBehaviour,
    view: circuitTerminationView,
  },
  { model: circuitType, view: circuitTypeView },
  { model: provider, view: providerView },
  { model: providerAccount, view: providerAccountView },
  { model: providerNetwork, view: providerNetworkView },
  { model: virtualCircuit, behaviour: virtualCircuitBehaviour, view: virtualCircuitView },
  {
    model: virtualCircuitTermination,
    behaviour: virtualCircuitTerminationBehaviour,
    view: virtualCircuitTerminationView,
  },
  { model: virtualCircuitType, view: virtualCircuitTypeView },
]
