import { labelOf } from '../../schema/choice-label.ts'
import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { choice, integer, list, text } from '../../schema/field.ts'
import { listContains } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import type { ColumnOf } from '../../schema/path.ts'
import { modelView, words } from '../../schema/view.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { serviceProtocol } from './choices.ts'

/** `HTTP (TCP/80, 443, 8000-8010)`: consecutive ports are written as a range, repeated ones again. */
export const displayOfService = (column: ColumnOf): Sql => sql`
  ${column('name')} || ' (' || ${labelOf(column('protocol'), serviceProtocol)} || '/' || coalesce((
    select string_agg(
      case when r.low = r.high then r.low::text else r.low || '-' || r.high end,
      ', ' order by r.low, r.high
    )
    from (
      select min(n.port) as low, max(n.port) as high
      from (
        select u.port, u.port - row_number() over (order by u.port) as island
        from unnest(${column('ports')}) as u(port)
      ) n
      group by n.island
    ) r
  ), '') || ')'`

/** The lowest of a service's ports, which determines the order of services. */
export const lowestPort = (ports: unknown): number | null =>
  Array.isArray(ports) && ports.length > 0 ? Math.min(...ports.map(Number)) : null

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

  filters: { port: listContains('ports', 'integer') },
  features: PRIMARY,
})

export const serviceTemplateView = modelView(serviceTemplate, {
  columns: words('name protocol ports description'),
  moreColumns: words('id comments tags created last_updated owner.group owner'),
  fieldLabels: { ports: 'Ports' },
  panels: words('name protocol ports description'),
  form: { 'Application Service Template': words('name protocol ports description tags') },
  filters: { Attributes: words('protocol port') },
  bulkEdit: words('protocol ports description'),
  imports: words('name protocol ports description owner.name comments tags.slug'),
  search: { shown: ['description'] },
})
