import { description, LOGGED, timestamps } from '../../schema/common.ts'
import { boolean, choice, color, foreignKey, integer, manyToMany, text } from '../../schema/field.ts'
import { related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type Rule, rulesFor } from '../../schema/rule.ts'
import { words } from '../../schema/view.ts'
import { portType } from './choices/port-type.ts'
import { powerOutletType } from './choices/power-outlet-type.ts'
import { powerPortType } from './choices/power-port-type.ts'
import { consolePortType, powerOutletFeedLeg } from './choices.ts'
import {
  areOfOneType,
  belongsToOneType,
  componentTemplate,
  componentTemplateModel,
  staysInType,
} from './component-template.ts'
import { allocatedIsWithinMaximum, embeddedPortMappings, rearPortColumns, rearPortOf } from './components.ts'
import { deviceType } from './device-type.ts'
import { bayTypeFilters } from './module-bay-type.ts'
import { portLinks } from './port-links.rules.ts'
import { portMappings } from './port-links.ts'

/** A console port that the devices or modules of a type have. */
export const consolePortTemplate = componentTemplate({
  name: 'dcim.consoleporttemplate',
  path: 'dcim/console-port-templates',
  labels: ['console port template', 'console port templates'],

  fields: {
    type: choice(consolePortType, { nullable: true, blank: true, filter: 'single' }),
    description,
  },
})

export const consolePortTemplateModel = componentTemplateModel(consolePortTemplate, {
  behaviour: rulesFor(consolePortTemplate, staysInType, belongsToOneType),
  fields: ['type'],
  bulkEdit: words('label type'),
})

/** A console server port that the devices or modules of a type have. */
export const consoleServerPortTemplate = componentTemplate({
  name: 'dcim.consoleserverporttemplate',
  path: 'dcim/console-server-port-templates',
  labels: ['console server port template', 'console server port templates'],

  fields: {
    type: choice(consolePortType, { nullable: true, blank: true, filter: 'single' }),
    description,
  },
})

export const consoleServerPortTemplateModel = componentTemplateModel(consoleServerPortTemplate, {
  behaviour: rulesFor(consoleServerPortTemplate, staysInType, belongsToOneType),
  fields: ['type'],
})

/** A power port that the devices or modules of a type have. */
export const powerPortTemplate = componentTemplate({
  name: 'dcim.powerporttemplate',
  path: 'dcim/power-port-templates',
  labels: ['power port template', 'power port templates'],

  fields: {
    type: choice(powerPortType, { nullable: true, blank: true, filter: 'single' }),
    maximum_draw: integer({ range: [1, 2147483647], nullable: true }),
    allocated_draw: integer({ range: [1, 2147483647], nullable: true }),
    description,
  },
})

export const powerPortTemplateModel = componentTemplateModel(powerPortTemplate, {
  behaviour: rulesFor(powerPortTemplate, staysInType, belongsToOneType, allocatedIsWithinMaximum),
  fields: words('type maximum_draw allocated_draw'),
})

/** A power outlet that the devices or modules of a type have. */
export const powerOutletTemplate = componentTemplate({
  name: 'dcim.poweroutlettemplate',
  path: 'dcim/power-outlet-templates',
  labels: ['power outlet template', 'power outlet templates'],

  fields: {
    type: choice(powerOutletType, { nullable: true, blank: true, filter: 'single' }),
    color: color({ default: '' }),
    power_port: foreignKey('dcim.powerporttemplate', {
      onDelete: 'setNull',
      related: 'poweroutlet_templates',
    }),
    feed_leg: choice(powerOutletFeedLeg, { nullable: true, blank: true }),
    description,
  },
})

const portIsOfSameType: Rule<typeof powerOutletTemplate.fields> = async ({ next, read }) => {
  if (next.power_port === null) return
  const port = await read.get(powerPortTemplate, next.power_port)
  return areOfOneType(next, port)
    ? undefined
    : { __all__: `The power port ${port.display} belongs to another device type.` }
}

export const powerOutletTemplateModel = componentTemplateModel(powerOutletTemplate, {
  behaviour: rulesFor(powerOutletTemplate, staysInType, belongsToOneType, portIsOfSameType),
  fields: words('type color power_port feed_leg'),
  narrowedBy: { power_port: { device_type_id: 'device_type' } },
  bulkEdit: words('device_type label type color power_port feed_leg description'),
})

/** A rear port that the devices or modules of a type have. */
export const rearPortTemplate = componentTemplate({
  name: 'dcim.rearporttemplate',
  path: 'dcim/rear-port-templates',
  labels: ['rear port template', 'rear port templates'],

  fields: {
    type: choice(portType, {}),
    color: color({ default: '' }),
    positions: integer({ size: 'small', range: [1, 1024], default: 1 }),
    front_ports: portMappings('dcim.porttemplatemapping', 'rear'),
    description,
  },

  filters: { front_port_id: related('mappings.front_port', 'dcim.frontporttemplate') },
})

const rearLinks = portLinks('template', 'rear')

export const rearPortTemplateModel = componentTemplateModel(rearPortTemplate, {
  behaviour: behaviour(rearPortTemplate, {
    serializerRules: rearLinks.serializerRules,
    modelRules: [staysInType, belongsToOneType, ...rearLinks.modelRules],
    beforeChangeRecord: rearLinks.beforeChangeRecord,
  }),
  fields: words('type color positions'),
  panels: words('device_type module_type name label type color positions front_ports description'),
  imports: { plus: ['front_ports'] },
  bulkEdit: words('label type color description'),
})

/** A front port that the devices or modules of a type have. */
export const frontPortTemplate = componentTemplate({
  name: 'dcim.frontporttemplate',
  path: 'dcim/front-port-templates',
  labels: ['front port template', 'front port templates'],

  fields: {
    type: choice(portType, {}),
    color: color({ default: '' }),
    positions: integer({ size: 'small', range: [1, 1024], default: 1 }),
    rear_ports: portMappings('dcim.porttemplatemapping', 'front'),
    description,
  },

  filters: { rear_port_id: related('mappings.rear_port', 'dcim.rearporttemplate') },
})

const frontLinks = portLinks('template', 'front')

export const frontPortTemplateModel = componentTemplateModel(frontPortTemplate, {
  behaviour: behaviour(frontPortTemplate, {
    serializerRules: frontLinks.serializerRules,
    modelRules: [staysInType, belongsToOneType, ...frontLinks.modelRules],
    beforeChangeRecord: frontLinks.beforeChangeRecord,
    unfold: embeddedPortMappings('dcim.porttemplatemapping', ['device_type', 'module_type']),
  }),
  fields: words('type color positions rear_ports'),
  moreColumns: words('label type color positions'),
  bulkEdit: words('label type color description'),
  importColumns: rearPortColumns('dcim.rearporttemplate'),
  importBody: rearPortOf,
})

/** A device bay that the devices of a type have. */
export const deviceBayTemplate = model({
  name: 'dcim.devicebaytemplate',
  path: 'dcim/device-bay-templates',
  page: false,
  labels: ['device bay template', 'device bay templates'],

  fields: {
    device_type: foreignKey('dcim.devicetype', {
      onDelete: 'cascade',
      related: 'devicebaytemplates',
      filter: false,
    }),
    name: text({ max: 64, collation: 'natural' }),
    label: text({ max: 64, default: '' }),
    enabled: boolean({ default: true }),
    description,
    ...timestamps,
  },

  display: '{name}[ ({label})]',
  brief: ['id', 'url', 'display', 'name', 'enabled', 'description'],
  order: ['device_type', 'name'],
  search: ['name', 'description'],
  unique: [{ fields: ['device_type', 'name'] }],

  filters: { device_type_id: related('device_type', 'dcim.devicetype') },
  features: LOGGED,
  changeRelates: 'device_type',
})

// The only check of NetBox 4.6.8, which allows moving such a template to another device type.
const typeIsParent: Rule<typeof deviceBayTemplate.fields> = async ({ next, read }) => {
  const type = await read.get(deviceType, next.device_type)
  return type.subdevice_role === 'parent' ? undefined : { __all__: `${type.display} is not a parent device type.` }
}

export const deviceBayTemplateModel = componentTemplateModel(deviceBayTemplate, {
  behaviour: rulesFor(deviceBayTemplate, typeIsParent),
  types: ['device_type'],
  fields: ['enabled'],
  columns: words('display name enabled description'),
  moreColumns: ['label'],
  bulkEdit: words('label description enabled'),
})

/** A module bay that the devices or modules of a type have. */
export const moduleBayTemplate = componentTemplate({
  name: 'dcim.modulebaytemplate',
  path: 'dcim/module-bay-templates',
  labels: ['module bay template', 'module bay templates'],

  fields: {
    position: text({ max: 30, default: '' }),
    enabled: boolean({ default: true }),
    description,
    module_bay_types: manyToMany('dcim.modulebaytype', { related: 'module_bay_templates' }),
  },

  brief: ['id', 'url', 'display', 'name', 'enabled', 'description'],
  filters: bayTypeFilters,
  earlier: { without: ['module_bay_types'] },
})

export const moduleBayTemplateModel = componentTemplateModel(moduleBayTemplate, {
  behaviour: rulesFor(moduleBayTemplate, staysInType, belongsToOneType),
  fields: words('position module_bay_types enabled'),
  columns: words('display name enabled description'),
  moreColumns: words('label position'),
  bulkEdit: words('label description enabled'),
})
