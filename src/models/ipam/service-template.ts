import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, integer, list, text } from '../../schema/field.ts'
import { listContains } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { serviceProtocol } from './choices/service-protocol.ts'
import { lowestPort } from './lowest-port.ts'
import { displayOfService } from './service-display.ts'

/** A template for services. */
export const serviceTemplate = model({
  name: 'ipam.servicetemplate',
  path: 'ipam/service-templates',
  labels: ['application service template', 'application service templates'],
  className: 'ServiceTemplate',

  fields: {
    name: text({ max: 100, unique: true }),
    protocol: choice(serviceProtocol, { lateRequired: true, filter: 'single' }),
    ports: list('integer', { range: [1, 65535], label: 'Port numbers' }),
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
  graphql: { root: 'service_template' },
  brief: ['id', 'url', 'display', 'name', 'protocol', 'ports', 'description'],
  order: ['name'],
  search: ['name', 'description'],

  filters: {
    port: listContains('ports', 'integer'),
  },
  features: PRIMARY,
})
