import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { behaviour } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { earlierPortFilters, earlierPorts } from './port-mappings.earlier.ts'
import { portFilters } from './port-mappings.filters.ts'
import { portsAreClear, settlePorts } from './port-mappings.rules.ts'
import { deprecatedPorts, fillMappings, portFields } from './port-mappings.ts'

const { port_mappings, protocol, ports, _ports_lowest } = portFields

/** A template for services. */
export const serviceTemplate = model({
  name: 'ipam.servicetemplate',
  path: 'ipam/service-templates',
  labels: ['application service template', 'application service templates'],
  className: 'ServiceTemplate',

  fields: {
    name: text({ max: 100, unique: true }),
    port_mappings,
    protocol,
    ports,
    description,
    owner,
    comments,
    ...housekeeping,
    _ports_lowest,
  },

  graphql: { root: 'service_template', deprecated: deprecatedPorts },
  brief: ['id', 'url', 'display', 'name', 'port_mappings', 'description'],
  order: ['name'],
  search: ['name', 'description'],

  filters: portFilters,
  features: PRIMARY,
  earlier: { ...earlierPorts, filters: earlierPortFilters, graphql: { root: 'service_template' } },
})

export const serviceTemplateModel = registered(serviceTemplate, {
  behaviour: behaviour(serviceTemplate, {
    serializerRules: [portsAreClear],
    normalize: [settlePorts],
    rebuild: fillMappings(serviceTemplate.name),
  }),
  columns: words('name port_mappings description'),
  moreColumns: { without: words('protocol ports') },
  panels: words('name port_mappings description'),
  setElsewhere: { protocol: 'the port mappings', ports: 'the port mappings' },
  form: { 'Application Service Template': words('name port_mappings description tags') },
  filters: { Attributes: words('protocol port') },
  imports: { plus: words('protocol ports') },
  search: { shown: ['description'] },
})
