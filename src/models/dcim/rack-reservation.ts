import { choices } from '../../schema/choices.ts'
import { comments, owner, PRIMARY, tenant, timestamps } from '../../schema/common.ts'
import { choice, customFields, derived, foreignKey, list, tags, text } from '../../schema/field.ts'
import { byIdAnd, custom, listContains, related, relatedTree } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'
import { rack } from './rack.ts'

const rackReservationStatus = choices([
  ['pending', 'Pending', 'cyan'],
  ['active', 'Active', 'green'],
  ['stale', 'Stale', 'orange'],
])

/** Rack units reserved for a purpose. */
export const rackReservation = model({
  name: 'dcim.rackreservation',
  path: 'dcim/rack-reservations',
  labels: ['rack reservation', 'rack reservations'],
  about: 'Units of a rack that are kept free for somebody.',

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

type ReservationRule = Rule<typeof rackReservation.fields>

const unitsExist: ReservationRule = async ({ next, read }) => {
  const { starting_unit: first, u_height: height } = await read.get(rack, next.rack)
  const strange = next.units.filter((unit) => unit < first || unit >= first + height)
  return strange.length > 0
    ? { units: `The rack does not have the unit ${strange.join(', ')}; it has ${height} units.` }
    : undefined
}

const unitsAreFree: ReservationRule = async ({ next, previous, read, batch }) => {
  const ids = new Set(batch.map(({ id }) => id))
  const stored = (await read.all(rackReservation, { rack: next.rack })).filter(
    ({ id }) => id !== previous?.id && !ids.has(id),
  )
  // If two reservations of one request conflict, the later one is refused.
  const earlier = batch.slice(0, batch.indexOf(next)).filter((reservation) => reservation.rack === next.rack)
  const taken = new Set([...stored, ...earlier].flatMap(({ units }) => units))
  const double = next.units.filter((unit) => taken.has(unit))
  return double.length > 0 ? { units: `These units are already reserved: ${double.join(', ')}.` } : undefined
}

export const rackReservationModel = registered(rackReservation, {
  behaviour: rulesFor(rackReservation, unitsExist, unitsAreFree),
  context: ['rack'],
  columns: words('rack rack.site unit_count status user description'),
  moreColumns: { without: ['units'], plus: words('rack.location rack.group') },
  labels: { unit_count: "Total U's" },
  panels: {
    'Rack reservation': ['rack.site'],
    Reservation: words('units unit_count status tenant user description'),
  },
  cloned: words('rack user tenant'),
  form: { Reservation: words('rack units status user description tags') },
  filters: {
    Reservation: words('status user_id unit_count_min unit_count_max'),
    Rack: words('region_id site_group_id site_id location_id group_id rack_id'),
  },
  bulkEdit: { without: words('rack units') },
  importColumns: {
    site: { to: 'dcim.site', narrows: { rack: 'site', location: 'site' } },
    location: { to: 'dcim.location', narrows: { rack: 'location' } },
  },
  importAuthor: 'user',
  importRequires: words('site status'),
  imports: { without: ['user'], plus: ['site.name'] },
  search: { shown: words('rack tenant user description') },
})
