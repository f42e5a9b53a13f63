import { labelOf } from '../../schema/choice-label.ts'
import { choices } from '../../schema/choices.ts'
import { description, housekeeping, LOGGED } from '../../schema/common.ts'
import { choice, foreignKey } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'

export const virtualCircuitTerminationRole = choices([
  ['peer', 'Peer', 'green'],
  ['hub', 'Hub', 'blue'],
  ['spoke', 'Spoke', 'orange'],
])

/** An end of a virtual circuit at a virtual interface. */
export const virtualCircuitTermination = model({
  name: 'circuits.virtualcircuittermination',
  path: 'circuits/virtual-circuit-terminations',
  labels: ['virtual circuit termination', 'virtual circuit terminations'],

  fields: {
    virtual_circuit: foreignKey('circuits.virtualcircuit', {
      onDelete: 'cascade',
      related: 'terminations',
    }),
    role: choice(virtualCircuitTerminationRole, { default: 'peer' }),
    interface: foreignKey('dcim.interface', {
      // Two of the example interfaces are virtual.
      example: (n, id) => (n <= 2 ? id('dcim.interface', 3 + n) : undefined),
      onDelete: 'cascade',
      related: 'virtual_circuit_termination',
      unique: true,
    }),
    description,
    ...housekeeping,
  },

  display: (column) =>
    sql`${column('virtual_circuit.display')} || ': ' || ${labelOf(column('role'), virtualCircuitTerminationRole)} || ' termination'`,
  brief: ['id', 'url', 'display', 'virtual_circuit', 'role', 'interface', 'description'],
  order: ['virtual_circuit', 'role', 'id'],
  search: ['virtual_circuit.cid', 'description'],

  filters: {
    ...byIdAnd(
      'slug',
      'provider',
      related('virtual_circuit.provider_network.provider', 'circuits.provider'),
    ),
    provider_account_id: related('virtual_circuit.provider_account', 'circuits.provideraccount'),
    provider_account: related(
      'virtual_circuit.provider_account',
      'circuits.provideraccount',
      'account',
    ),
    provider_network_id: related('virtual_circuit.provider_network', 'circuits.providernetwork'),
  },
  features: [...LOGGED, 'customLinks', 'exportTemplates'],
  changeRelates: 'virtual_circuit',
})
