import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { genericForeignKey, manyToMany, text } from '../../schema/field.ts'
import { byIdAnd, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { behaviour } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { serviceParentFilters } from './address.filters.ts'
import { earlierPortFilters, earlierPorts } from './port-mappings.earlier.ts'
import { portFilters } from './port-mappings.filters.ts'
import { portsAreClear, settlePorts } from './port-mappings.rules.ts'
import { deprecatedPorts, fillMappings, portFields } from './port-mappings.ts'

const { port_mappings, protocol, ports, _ports_lowest } = portFields

const parentFilters = {
  ...serviceParentFilters,
  ...byIdAnd('address', 'ip_address', related('ipaddresses', 'ipam.ipaddress')),
}

/** A network service (protocol and ports) of a device, virtual machine or FHRP group. */
export const service = model({
  name: 'ipam.service',
  path: 'ipam/services',
  labels: ['application service', 'application services'],
  about: 'What a device or a virtual machine offers at its ports, such as HTTPS.',
  className: 'Service',

  fields: {
    parent: genericForeignKey(['dcim.device', 'ipam.fhrpgroup', 'virtualization.virtualmachine'], {
      nullable: false,
      typeField: 'parent_object_type',
      idField: 'parent_object_id',
      related: 'services',
    }),
    name: text({ max: 100 }),
    port_mappings,
    protocol,
    ports,
    ipaddresses: manyToMany('ipam.ipaddress', { related: 'services' }),
    description,
    owner,
    comments,
    ...housekeeping,
    _ports_lowest,
  },

  graphql: {
    root: 'service',
    enums: { protocol: ['ServiceProtocolEnum', ''] },
    deprecated: deprecatedPorts,
  },
  brief: ['id', 'url', 'display', 'name', 'port_mappings', 'description'],
  naturalKey: ['parent_object_type', 'parent_object_id', 'name'],
  order: ['name', 'id'],
  search: ['name', 'description'],

  filters: {
    ...parentFilters,
    ...portFilters,
  },
  features: [...PRIMARY, 'contacts'],
  earlier: {
    ...earlierPorts,
    order: ['protocol', '_ports_lowest', 'id'],
    filters: { ...parentFilters, ...earlierPortFilters },
    graphql: { root: 'service', enums: { protocol: ['ServiceProtocolEnum', 'ROLE'] } },
  },
})

export const serviceModel = registered(service, {
  behaviour: behaviour(service, {
    serializerRules: [portsAreClear],
    normalize: [settlePorts],
    rebuild: fillMappings(service.name),
  }),
  context: ['parent'],
  columns: words('name parent port_mappings description'),
  moreColumns: { without: words('protocol ports') },
  labels: { ipaddresses: 'IP addresses' },
  panels: words('name parent port_mappings ipaddresses description'),
  cloned: words('port_mappings description parent ipaddresses'),
  setElsewhere: { protocol: 'the port mappings', ports: 'the port mappings' },
  form: { 'Application Service': words('parent name port_mappings ipaddresses description tags') },
  filters: {
    Attributes: words('protocol port'),
    Assignment: words('device_id virtual_machine_id fhrpgroup_id'),
  },
  bulkEdit: words('port_mappings description'),
  importColumns: { parent: { to: { typeIn: 'parent_object_type' }, assigns: 'parent' } },
  importRequires: ['parent_object_type'],
  imports: {
    without: ['ipaddresses'],
    plus: words('ipaddresses.address protocol ports parent_object_type parent_object_id'),
  },
  search: { shown: words('parent description') },
})
