import { choices } from '../../schema/choices.ts'
import { description } from '../../schema/common.ts'
import { choice, color, foreignKey, integer } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { type ImportColumn, type ImportValues, namedBy } from '../../schema/import-column.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { behaviour, type EmbeddedRow, type Refusal, type Rule } from '../../schema/rule.ts'
import { titled, words } from '../../schema/view.ts'
import { passThroughPort, pathEndpoint } from './cabled-component.ts'
import { portType } from './choices/port-type.ts'
import { powerOutletType } from './choices/power-outlet-type.ts'
import { powerPortType } from './choices/power-port-type.ts'
import { consolePortSpeed, consolePortType, powerOutletFeedLeg } from './choices.ts'
import { cableOrMark, fillComponentPlace, staysInDevice } from './component.ts'
import { cabledModel, PLACE_FILTERS } from './component-view.ts'
import { portLinks } from './port-links.rules.ts'
import { portMappings } from './port-links.ts'

export const allocatedIsWithinMaximum = ({
  next,
}: {
  readonly next: { readonly maximum_draw: number | null; readonly allocated_draw: number | null }
}): Refusal | undefined =>
  next.maximum_draw !== null && next.allocated_draw !== null && next.allocated_draw > next.maximum_draw
    ? { allocated_draw: `The allocated draw must not exceed the maximum draw of ${next.maximum_draw} W.` }
    : undefined

const idOf = (value: Json | undefined): Json => (isJsonObject(value) ? (value.id ?? null) : (value ?? null))

/**
 * Mappings from the `rear_ports` of a front port or front port template. `holders` are the fields that port and mapping
 * share: the device, or the types.
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

const CONSOLE = {
  fields: words('type speed'),
  filtered: words('type speed'),
  cloned: words('device module type speed'),
  bulkEdit: {
    '': words('module type label speed description mark_connected'),
    More: words('owner device'),
  },
  imports: { without: words('module') },
  search: { weights: { speed: 2000 }, shown: words('device label type description') },
}

/** A device's port for local administration. */
export const consolePort = pathEndpoint({
  name: 'dcim.consoleport',
  path: 'dcim/console-ports',
  labels: ['console port', 'console ports'],
  graphql: { enums: { type: ['ConsolePortTypeEnum', 'TYPE'] } },

  fields: {
    type: choice(consolePortType, { nullable: true, blank: true }),
    speed: choice(consolePortSpeed, { nullable: true, filter: 'single' }),
    description,
  },
})

export const consolePortModel = cabledModel(consolePort, {
  behaviour: behaviour(consolePort, {
    modelRules: [cableOrMark, staysInDevice],
    beforeSave: [fillComponentPlace],
  }),
  ...CONSOLE,
})

/** A port that gives access to another device's console port. */
export const consoleServerPort = pathEndpoint({
  name: 'dcim.consoleserverport',
  path: 'dcim/console-server-ports',
  labels: ['console server port', 'console server ports'],

  fields: {
    type: choice(consolePortType, { nullable: true, blank: true }),
    speed: choice(consolePortSpeed, { nullable: true, filter: 'single' }),
    description,
  },
})

export const consoleServerPortModel = cabledModel(consoleServerPort, {
  behaviour: behaviour(consoleServerPort, {
    modelRules: [cableOrMark, staysInDevice],
    beforeSave: [fillComponentPlace],
  }),
  ...CONSOLE,
})

/** A device's power input. */
export const powerPort = pathEndpoint({
  name: 'dcim.powerport',
  path: 'dcim/power-ports',
  labels: ['power port', 'power ports'],
  graphql: { enums: { type: ['PowerPortTypeEnum', 'TYPE'] } },

  fields: {
    type: choice(powerPortType, { nullable: true, blank: true }),
    maximum_draw: integer({ unit: 'W', range: [1, 2147483647], nullable: true }),
    allocated_draw: integer({ unit: 'W', range: [1, 2147483647], nullable: true }),
    description,
  },
})

export const powerPortModel = cabledModel(powerPort, {
  behaviour: behaviour(powerPort, {
    modelRules: [cableOrMark, staysInDevice, allocatedIsWithinMaximum],
    beforeSave: [fillComponentPlace],
  }),
  fields: words('type maximum_draw allocated_draw'),
  filtered: ['type'],
  labels: { maximum_draw: 'Maximum draw (W)', allocated_draw: 'Allocated draw (W)' },
  panels: words('device module name label type description maximum_draw allocated_draw'),
  cloned: words('device module maximum_draw allocated_draw'),
  bulkEdit: {
    '': words('module type label description mark_connected'),
    Power: words('maximum_draw allocated_draw'),
    More: words('owner device'),
  },
  imports: { without: ['module'] },
  search: {
    weights: { maximum_draw: 2000, allocated_draw: 2000 },
    shown: words('device label type description'),
  },
})

const powerOutletStatus = choices([
  ['enabled', 'Enabled', 'green'],
  ['disabled', 'Disabled', 'red'],
  ['faulty', 'Faulty', 'gray'],
])

/** A device's power output. */
export const powerOutlet = pathEndpoint({
  name: 'dcim.poweroutlet',
  path: 'dcim/power-outlets',
  labels: ['power outlet', 'power outlets'],
  graphql: {
    enums: {
      type: ['PowerOutletTypeEnum', 'TYPE'],
      feed_leg: ['PowerOutletFeedLegEnum', 'FEED_LEG'],
    },
  },

  fields: {
    type: choice(powerOutletType, { nullable: true, blank: true }),
    status: choice(powerOutletStatus, { default: 'enabled' }),
    color: color({ default: '' }),
    power_port: foreignKey('dcim.powerport', { onDelete: 'setNull', related: 'poweroutlets' }),
    feed_leg: choice(powerOutletFeedLeg, { nullable: true, blank: true }),
    description,
  },
})

const portIsInDevice: Rule<typeof powerOutlet.fields> = async ({ next, read }) => {
  if (next.power_port === null) return
  const port = await read.get(powerPort, next.power_port)
  return port.device === next.device
    ? undefined
    : { __all__: `The power port ${port.display} belongs to another device.` }
}

export const powerOutletModel = cabledModel(powerOutlet, {
  behaviour: behaviour(powerOutlet, {
    modelRules: [cableOrMark, staysInDevice, portIsInDevice],
    beforeSave: [fillComponentPlace],
  }),
  fields: words('type status color power_port feed_leg'),
  filtered: words('type color status'),
  labels: titled('power_port'),
  panels: words('device module name label type status description color power_port feed_leg'),
  cloned: words('device module type power_port feed_leg'),
  form: words(`
    device module name label type status color power_port feed_leg mark_connected description owner
    tags
  `),
  narrowedBy: { module: { device_id: 'device' }, power_port: { device_id: 'device' } },
  bulkEdit: {
    '': words('module type label status description mark_connected color'),
    Power: words('feed_leg power_port'),
    More: words('owner device'),
  },
  imports: { without: words('module status') },
  search: { shown: words('device label type status description') },
})

const PASS_THROUGH = {
  fields: words('type color positions'),
  filtered: [],
  cloned: words('device type color positions'),
  filters: {
    Attributes: words('name label type color'),
    ...PLACE_FILTERS,
    Cable: words('cabled occupied'),
  },
  bulkEdit: {
    '': words('module type label color description mark_connected'),
    More: words('owner device'),
  },
}

/** A pass-through port on the rear with one or more positions. */
export const rearPort = passThroughPort({
  name: 'dcim.rearport',
  path: 'dcim/rear-ports',
  labels: ['rear port', 'rear ports'],

  fields: {
    type: choice(portType, {}),
    color: color({ default: '' }),
    positions: integer({ size: 'small', range: [1, 1024], default: 1 }),
    front_ports: portMappings('dcim.portmapping', 'rear'),
    description,
  },

  filters: { front_port_id: related('mappings.front_port', 'dcim.frontport') },
})

const rearLinks = portLinks('port', 'rear')

export const rearPortModel = cabledModel(rearPort, {
  behaviour: behaviour(rearPort, {
    serializerRules: rearLinks.serializerRules,
    modelRules: [cableOrMark, staysInDevice, ...rearLinks.modelRules],
    beforeSave: [fillComponentPlace],
    beforeChangeRecord: rearLinks.beforeChangeRecord,
  }),
  ...PASS_THROUGH,
  setElsewhere: { front_ports: 'the form of a front port' },
  overview: [{ model: 'dcim.frontport', by: { rear_port_id: 'id' } }],
  imports: { without: ['module'] },
  importRequires: ['positions'],
})

/** A pass-through port on the front, mapped to positions of rear ports. */
export const frontPort = passThroughPort({
  name: 'dcim.frontport',
  path: 'dcim/front-ports',
  labels: ['front port', 'front ports'],
  graphql: { enums: { type: ['PortTypeEnum', 'TYPE'] } },

  fields: {
    type: choice(portType, {}),
    color: color({ default: '' }),
    positions: integer({ size: 'small', range: [1, 1024], default: 1 }),
    rear_ports: portMappings('dcim.portmapping', 'front'),
    description,
  },

  filters: { rear_port_id: related('mappings.rear_port', 'dcim.rearport') },
})

const frontLinks = portLinks('port', 'front')

export const frontPortModel = cabledModel(frontPort, {
  behaviour: behaviour(frontPort, {
    serializerRules: frontLinks.serializerRules,
    modelRules: [cableOrMark, staysInDevice, ...frontLinks.modelRules],
    beforeSave: [fillComponentPlace],
    beforeChangeRecord: frontLinks.beforeChangeRecord,
    unfold: embeddedPortMappings('dcim.portmapping', ['device']),
  }),
  ...PASS_THROUGH,
  form: words(`
    device module name label type color positions rear_ports mark_connected description tags
  `),
  shownElsewhere: ['rear_ports'],
  overview: [{ model: 'dcim.rearport', by: { front_port_id: 'id' } }],
  imports: { without: words('module rear_ports'), plus: ['rear_port.name'] },
  importColumns: rearPortColumns('dcim.rearport'),
  importBody: rearPortOf,
  importRequires: ['positions', 'rear_port'],
})
