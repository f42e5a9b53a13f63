import type { ImportColumn } from '../../schema/import-column.ts'
import { registered, words } from '../../schema/view.ts'
import { cableBehaviour } from './cable.rules.ts'
import { cable } from './cable.ts'
import { COMPATIBLE_ENDS } from './cabling/cable-end-types.ts'

/** Columns of an import that name the object on one side of a cable. */
const cableEndColumns = (side: 'a' | 'b'): Readonly<Record<string, ImportColumn>> => {
  const column = (name: string): string => `side_${side}_${name}`
  const type = column('type')
  const name = column('name')
  const device = column('device')
  const panel = column('power_panel')
  return {
    [column('site')]: { to: 'dcim.site', narrows: { [device]: 'site', [panel]: 'site' } },
    [device]: { to: 'dcim.device', narrows: { [name]: 'device' } },
    [panel]: { to: 'dcim.powerpanel', narrows: { [name]: 'power_panel' } },
    [type]: {},
    [name]: { to: { typeIn: type }, assigns: `${side}_terminations` },
  }
}

/** Types of objects that cables connect. */
const CABLE_ENDS = {
  types: words(`
    dcim.interface dcim.frontport dcim.rearport dcim.consoleport dcim.consoleserverport
    dcim.powerport dcim.poweroutlet dcim.powerfeed circuits.circuittermination
  `),
  within: { model: 'dcim.device', by: 'device_id' },
  available: { occupied: 'false', kind: 'physical' },
}

export const cableModel = registered(cable, {
  behaviour: cableBehaviour,
  context: words('a_terminations b_terminations'),
  columns: words('id label a_terminations b_terminations status type'),
  labels: { a_terminations: 'Termination A', b_terminations: 'Termination B' },
  formLabels: { a_terminations: 'Ends', b_terminations: 'Ends' },
  cloned: words('tenant type profile bundle'),
  panels: words('type status profile tenant bundle label description color length'),
  shownElsewhere: words('a_terminations b_terminations'),
  form: {
    'A Side': ['a_terminations'],
    'B Side': ['b_terminations'],
    Cable: words(`
      status type profile tenant bundle label description color length length_unit tags
    `),
  },
  folded: words('profile tenant bundle label description color length length_unit tags'),
  objectLists: {
    a_terminations: { ...CABLE_ENDS, opposite: { name: 'b_terminations', types: COMPATIBLE_ENDS } },
    b_terminations: { ...CABLE_ENDS, opposite: { name: 'a_terminations', types: COMPATIBLE_ENDS } },
  },
  filters: {
    Location: words('site_id location_id rack_id device_id'),
    Attributes: words('type status profile color length length_unit unterminated bundle_id'),
  },
  bulkEdit: {
    '': words('type status profile tenant bundle label description'),
    Attributes: words('color length length_unit'),
  },
  importColumns: { ...cableEndColumns('a'), ...cableEndColumns('b') },
  importRequires: words('side_a_type side_a_name side_b_type side_b_name'),
  imports: {
    without: words('a_terminations b_terminations'),
    plus: words('side_a_type side_a_name side_b_type side_b_name'),
  },
  search: { weights: { label: 100 }, shown: words('type status tenant label description') },
})
