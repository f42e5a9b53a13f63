import { type ImportColumn, type ImportValues, namedBy } from '../../schema/import-column.ts'

/** Columns of an import that map a front port to one position of a rear port. */
export const rearPortColumns = (model: string): Readonly<Record<string, ImportColumn>> => ({
  rear_port: { to: model },
  rear_port_position: { value: 'integer' },
})

/** The mapping that these columns describe. */
export function rearPortOf(values: ImportValues): Readonly<Record<string, unknown>> {
  const port = namedBy(values, 'rear_port')
  if (!port) return {}
  const position = values.rear_port_position ?? 1
  return { rear_ports: [{ position: 1, rear_port: port.id, rear_port_position: position }] }
}
