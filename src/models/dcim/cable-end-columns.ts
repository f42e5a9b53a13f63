import type { ImportColumn } from '../../schema/import-column.ts'

/** Columns of an import that name the object at one side of a cable. */
export const cableEndColumns = (side: 'a' | 'b'): Readonly<Record<string, ImportColumn>> => {
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
