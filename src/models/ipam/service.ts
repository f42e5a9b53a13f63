import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, genericForeignKey, integer, list, manyToMany, text } from '../../schema/field.ts'
import { byIdAnd, listContains, related } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { modelView, words } from '../../schema/view.ts'
import { serviceParentFilters } from './address.filters.ts'
import { serviceProtocol } from './choices.ts'
import { displayOfService, lowestPort } from './service-template.ts'

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

export const serviceView = modelView(service, {
  context: ['parent'],
  columns: words('name parent protocol ports description'),
  moreColumns: words('id ipaddresses comments tags created last_updated owner.group owner'),
  labels: { ipaddresses: 'IP addresses' },
  fieldLabels: { ports: 'Ports' },
  panels: words('name parent protocol ports ipaddresses description'),
  cloned: words('protocol ports description parent ipaddresses'),
  form: { 'Application Service': words('parent name protocol ports ipaddresses description tags') },
  filters: {
    Attributes: words('protocol port'),
    Assignment: words('device_id virtual_machine_id fhrpgroup_id'),
  },
  bulkEdit: words('protocol ports description'),
  importColumns: { parent: { to: { typeIn: 'parent_object_type' }, assigns: 'parent' } },
  importRequires: ['parent_object_type'],
  imports: words(`
    ipaddresses.address name protocol ports description owner.name comments tags.slug
    parent_object_type parent.name parent_object_id
  `),
  search: { shown: words('parent description') },
})
