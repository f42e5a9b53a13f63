import type { RegisteredModel } from '../registered-model.ts'
import { circuit, circuitBehaviour, circuitView } from './circuit.ts'
import { circuitGroup, circuitGroupView } from './circuit-group.ts'
import { circuitGroupAssignment, circuitGroupAssignmentView } from './circuit-group-assignment.ts'
import { circuitTerminationBehaviour } from './circuit-termination.rules.ts'
import { circuitTermination, circuitTerminationView } from './circuit-termination.ts'
import { circuitType, circuitTypeView } from './circuit-type.ts'
import { provider, providerView } from './provider.ts'
import { providerAccount, providerAccountView } from './provider-account.ts'
import { providerNetwork, providerNetworkView } from './provider-network.ts'
import { virtualCircuit, virtualCircuitBehaviour, virtualCircuitView } from './virtual-circuit.ts'
import {
  virtualCircuitTermination,
  virtualCircuitTerminationBehaviour,
  virtualCircuitTerminationView,
} from './virtual-circuit-termination.ts'
import { virtualCircuitType, virtualCircuitTypeView } from './virtual-circuit-type.ts'

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
