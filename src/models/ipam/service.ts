import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, genericForeignKey, integer, list, manyToMany, text } from '../../schema/field.ts'
import { byIdAnd, listContains, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { serviceParentFilters } from './address.filters.ts'
import { serviceProtocol } from './choices/service-protocol.ts'
import { lowestPort } from './lowest-port.ts'
import { displayOfService } from './service-display.ts'

/** A network service (protocol and ports) of a device, virtual machine or FHRP group. */
export const service = model({
  name: 'ipam.service',
  path: 'ipam/services',
  labels: ['application service', 'application services'],
  className: 'Service',

  fields: {
    parent: genericForeignKey(['dcim.device', 'ipam.fhrpgroup', 'virtualization.virtualmachine'], {
      nullable: false,
      typeField: 'parent_object_type',
      idField: 'parent_object_id',
      related: 'services',
    }),
    name: text({ max: 100 }),
    protocol: choice(serviceProtocol, { lateRequired: true, filter: 'single' }),
    ports: list('integer', { range: [1, 65535], label: 'Port numbers' }),
    ipaddresses: manyToMany('ipam.ipaddress', { related: 'services' }),
    description,
    owner,
    comments,
    ...housekeeping,
    _ports_lowest: integer({
      range: [0, 2147483647],
      nullable: true,
      hidden: true,
      compute: (row) => lowestPort(row.ports),
    }),
  },

  display: displayOfService,
  graphql: { root: 'service', enums: { protocol: ['ServiceProtocolEnum', 'ROLE'] } },
  brief: ['id', 'url', 'display', 'name', 'protocol', 'ports', 'description'],
  naturalKey: ['parent_object_type', 'parent_object_id', 'name'],
  order: ['protocol', '_ports_lowest', 'id'],
  search: ['name', 'description'],

  filters: {
    ...serviceParentFilters,
    ...byIdAnd('address', 'ip_address', related('ipaddresses', 'ipam.ipaddress')),
    port: listContains('ports', 'integer'),
  },
  features: [...PRIMARY, 'contacts'],
})
