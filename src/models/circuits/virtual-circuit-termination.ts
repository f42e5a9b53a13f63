import { labelOf } from '../../schema/choice-label.ts'
import { choices } from '../../schema/choices.ts'
import { description, housekeeping, LOGGED } from '../../schema/common.ts'
import { choice, foreignKey } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { deviceInterface } from '../dcim/interface.ts'
import { isVirtual } from '../dcim/interface-kind.ts'

const virtualCircuitTerminationRole = choices([
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
    ...byIdAnd('slug', 'provider', related('virtual_circuit.provider_network.provider', 'circuits.provider')),
    provider_account_id: related('virtual_circuit.provider_account', 'circuits.provideraccount'),
    provider_account: related('virtual_circuit.provider_account', 'circuits.provideraccount', 'account'),
    provider_network_id: related('virtual_circuit.provider_network', 'circuits.providernetwork'),
  },
  features: [...LOGGED, 'customLinks', 'exportTemplates'],
  changeRelates: 'virtual_circuit',
})

const endsAtVirtualInterface: Rule<typeof virtualCircuitTermination.fields> = async ({ next, read }) => {
  const { type } = await read.get(deviceInterface, next.interface)
  return isVirtual(type) ? undefined : { __all__: 'A virtual circuit can only end at virtual interfaces.' }
}

export const virtualCircuitTerminationModel = registered(virtualCircuitTermination, {
  behaviour: rulesFor(virtualCircuitTermination, endsAtVirtualInterface),
  context: words('virtual_circuit interface'),
  columns: words('id virtual_circuit role interface.device interface description'),
  moreColumns: words(`
    virtual_circuit.provider_network.provider virtual_circuit.provider_network
    virtual_circuit.provider_account created last_updated
  `),
  labels: { 'virtual_circuit.provider_account': 'Account' },
  panels: [
    {
      'Virtual circuit termination': words(`
        virtual_circuit.provider_network virtual_circuit.provider_account virtual_circuit role
      `),
    },
    { Interface: words('interface.device interface interface.type interface.description') },
  ],
  form: words('virtual_circuit role interface description tags'),
  bulkEdit: [],
  search: { shown: words('virtual_circuit role description') },
})
