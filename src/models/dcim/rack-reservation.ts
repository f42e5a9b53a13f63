import { choices } from '../../schema/choices.ts'
import { comments, owner, PRIMARY, tenant, timestamps } from '../../schema/common.ts'
import { choice, customFields, derived, foreignKey, list, tags, text } from '../../schema/field.ts'
import { byIdAnd, custom, listContains, related, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { sql } from '../../sql/fragment.ts'

export const rackReservationStatus = choices([
  ['pending', 'Pending', 'cyan'],
  ['active', 'Active', 'green'],
  ['stale', 'Stale', 'orange'],
])

/** Rack units reserved for a purpose. */
export const rackReservation = model({
  name: 'dcim.rackreservation',
  path: 'dcim/rack-reservations',
  labels: ['rack reservation', 'rack reservations'],

  fields: {
    rack: foreignKey('dcim.rack', { onDelete: 'cascade', related: 'reservations' }),
    units: list('integer', { range: [0, 32767], example: (n) => [n] }),
    unit_count: derived('integer', (column) => sql`cardinality(${column('units')})`, {
      isTyped: false,
    }),
    status: choice(rackReservationStatus, { default: 'active' }),
    ...timestamps,
    user: foreignKey('users.user'),
    tenant,
    description: text({ max: 200 }),
    owner,
    comments,
    tags: tags(),
    custom_fields: customFields(),
  },

  display: 'Reservation for rack {rack.display}',
  graphql: { back: { tenant: 'rackreservations' } },
  brief: ['id', 'url', 'display', 'units', 'status', 'user', 'description'],
  order: ['created', 'id'],
  search: ['description', 'user.username', 'rack.name', 'rack.facility_id'],

  filters: {
    ...byIdAnd('slug', 'site', related('rack.site', 'dcim.site')),
    ...byIdAnd('slug', 'region', relatedTree('rack.site.region', 'dcim.region')),
    ...byIdAnd('slug', 'site_group', relatedTree('rack.site.group', 'dcim.sitegroup')),
    ...byIdAnd('slug', 'location', relatedTree('rack.location', 'dcim.location')),
    ...byIdAnd('slug', 'group', related('rack.group', 'dcim.rackgroup')),
    user: related('user', 'users.user', 'username'),
    unit: listContains('units', 'integer'),
    unit_count_min: custom({
      value: 'integer',
      multiple: false,
      where: ({ column }, [count]) => sql`cardinality(${column('units')}) >= ${count}::bigint`,
    }),
    unit_count_max: custom({
      value: 'integer',
      multiple: false,
      where: ({ column }, [count]) => sql`cardinality(${column('units')}) <= ${count}::bigint`,
    }),
  },
  features: PRIMARY,
  changeRelates: 'rack',
})
