import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, integer, list, text } from '../../schema/field.ts'
import { listContains } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { modelView, words } from '../../schema/view.ts'
import { serviceProtocol } from './choices.ts'
import { displayOfService, lowestPort } from './service-display.ts'

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

export const serviceTemplateView = modelView(serviceTemplate, {
  columns: words('name protocol ports description'),
  moreColumns: words('id comments tags created last_updated owner.group owner'),
  fieldLabels: { ports: 'Ports' },
  panels: words('name protocol ports description'),
  form: {
    'Application Service Template': words('name protocol ports description tags'),
  },
  filters: {
    Attributes: words('protocol port'),
  },
  bulkEdit: words('protocol ports description'),
  imports: words('name protocol ports description owner.name comments tags.slug'),
  search: { shown: ['description'] },
})
