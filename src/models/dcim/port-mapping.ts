import { timestamps } from '../../schema/common.ts'
import { foreignKey, integer } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type EffectFunction } from '../../schema/rule.ts'
import type { RegisteredModel } from '../../schema/view.ts'
import { nodeOf } from './cabling/cabled-object.ts'
import { retracePaths } from './cabling/retrace.ts'

const position = integer({ size: 'small', range: [1, 1024], default: 1 })

/** A position of a front port that is wired to a position of a rear port within the device. */
export const portMapping = model({
  name: 'dcim.portmapping',
  labels: ['port mapping', 'port mappings'],
  page: false,

  fields: {
    device: foreignKey('dcim.device', { onDelete: 'cascade', related: 'port_mappings' }),
    front_port: foreignKey('dcim.frontport', { onDelete: 'cascade', related: 'mappings' }),
    front_port_position: position,
    rear_port: foreignKey('dcim.rearport', { onDelete: 'cascade', related: 'mappings' }),
    rear_port_position: position,
    ...timestamps,
  },

  display: '{front_port}:{front_port_position} to {rear_port}:{rear_port_position}',
  graphql: {
    isPart: true,
    lookups: { front_port_position: 'IntFilterLookup', rear_port_position: 'IntFilterLookup' },
  },
  brief: ['id', 'display'],
  order: ['id'],
  unique: [{ fields: ['front_port', 'front_port_position'] }, { fields: ['rear_port', 'rear_port_position'] }],
  private: true,
  hasHistory: true,
})

/** Recomputes the paths through ports after their mappings have changed. */
const retracePortMappings: EffectFunction<typeof portMapping.fields> = ({ rows, database }) =>
  retracePaths(
    database,
    rows.flatMap(({ next, previous }) =>
      [next, previous].flatMap((row) =>
        row ? [nodeOf('dcim.frontport', row.front_port), nodeOf('dcim.rearport', row.rear_port)] : [],
      ),
    ),
  )

export const portMappingModel: RegisteredModel = {
  model: portMapping,
  behaviour: behaviour(portMapping, { afterWrite: [retracePortMappings] }),
}

/** A port mapping that the devices or modules of a type have. */
export const portTemplateMapping = model({
  name: 'dcim.porttemplatemapping',
  labels: ['port template mapping', 'port template mappings'],
  page: false,

  fields: {
    device_type: foreignKey('dcim.devicetype', {
      onDelete: 'cascade',
      related: 'port_mappings',
      nullable: true,
    }),
    module_type: foreignKey('dcim.moduletype', {
      onDelete: 'cascade',
      related: 'port_mappings',
      nullable: true,
    }),
    front_port: foreignKey('dcim.frontporttemplate', { onDelete: 'cascade', related: 'mappings' }),
    front_port_position: position,
    rear_port: foreignKey('dcim.rearporttemplate', { onDelete: 'cascade', related: 'mappings' }),
    rear_port_position: position,
    ...timestamps,
  },

  display: '{front_port}:{front_port_position} to {rear_port}:{rear_port_position}',
  graphql: {
    type: 'PortMappingTemplateType',
    isPart: true,
    lookups: { front_port_position: 'IntFilterLookup', rear_port_position: 'IntFilterLookup' },
  },
  brief: ['id', 'display'],
  order: ['id'],
  unique: [{ fields: ['front_port', 'front_port_position'] }, { fields: ['rear_port', 'rear_port_position'] }],
  private: true,
  hasHistory: true,
})
