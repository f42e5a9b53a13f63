import { modelView } from '../../schema/view.ts'
import { passThroughView } from './pass-through-view.ts'
import { rearPortColumns, rearPortOf } from './rear-port-columns.ts'

export const frontPortView = modelView(
  'dcim.frontport',
  passThroughView({
    title: 'Front port',
    mappings: ['rear_ports'],
    importedMappings: ['rear_port.name', 'rear_port_position'],
    importColumns: rearPortColumns('dcim.rearport'),
    importBody: rearPortOf,
    importRequires: ['positions', 'rear_port'],
  }),
)
