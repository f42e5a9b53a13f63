import { fieldGroup, modelView, words } from '../../schema/view.ts'

export const virtualCircuitTerminationView = modelView('circuits.virtualcircuittermination', {
  context: ['virtual_circuit', 'interface'],
  columns: ['id', 'virtual_circuit', 'role', 'interface.device', 'interface', 'description'],
  moreColumns: words(`
    virtual_circuit.provider_network.provider virtual_circuit.provider_network
    virtual_circuit.provider_account created last_updated
  `),
  labels: { 'virtual_circuit.provider_account': 'Account' },
  panels: [
    [
      fieldGroup(
        'Virtual circuit termination',
        'virtual_circuit.provider_network virtual_circuit.provider_account virtual_circuit role',
      ),
    ],
    [fieldGroup('Interface', 'interface.device interface interface.type interface.description')],
  ],
  form: [fieldGroup('', ['virtual_circuit', 'role', 'interface', 'description', 'tags'])],
  search: { weights: { description: 500 }, shown: ['virtual_circuit', 'role', 'description'] },
})
