import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { EmbeddedRow } from '../../schema/rule.ts'

const idOf = (value: Json | undefined): Json =>
  isJsonObject(value) ? (value.id ?? null) : (value ?? null)

/**
 * Mappings from the `rear_ports` of a front port, or of a template of one. `holders` are the fields that port and
 * mapping share: the device, or the types.
 */
export const embeddedPortMappings =
  (model: string, holders: readonly string[]) =>
  (port: JsonObject): readonly EmbeddedRow[] => {
    const mappings = Array.isArray(port.rear_ports) ? port.rear_ports : []
    const common = Object.fromEntries(holders.map((name) => [name, idOf(port[name])]))
    return mappings.filter(isJsonObject).map((mapping) => ({
      model,
      row: {
        ...common,
        front_port: port.id,
        front_port_position: mapping.position,
        rear_port: mapping.rear_port,
        rear_port_position: mapping.rear_port_position,
      },
    }))
  }
