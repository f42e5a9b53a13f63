/**
 * Records that follow from other objects: SOA and NS from zones, addresses from the names of IP addresses, PTR from
 * addresses, CNAME from classless reverse zones (RFC 2317); and the serials of the zones that have changed.
 *
 * One function computes them for everything that a transaction has affected, or for everything there is, and stores the
 * difference: a number of statements that does not depend on the number of objects.
 */
import {
  deleteFrom,
  insertInto,
  invalid,
  join,
  type Queryable,
  type Sql,
  sql,
  table,
  updateTable,
  volatile,
} from 'cadastre'
import { addressFilterSql } from './address-filter.ts'
import { unicodeName } from './names.ts'
import { recordForm } from './record-form.ts'

export const ZONE = 'netbox_dns.zone'
export const RECORD = 'netbox_dns.record'
export const VIEW = 'netbox_dns.view'
export const NAMESERVER = 'netbox_dns.nameserver'

/** What a write has affected. */
export interface Affected {
  /** Zones whose SOA or name servers are new or changed, by id. */
  readonly zones?: readonly number[]
  /** Zones that are new or gone, or have another name, view, status or network, by id. */
  readonly moved?: readonly number[]
  /** Zones of which a record has changed, by id. */
  readonly touched?: readonly number[]
  /** Names of zones, in lower case, that did or do exist. */
  readonly names?: readonly string[]
  /** Networks of reverse zones that did or do exist. */
  readonly reverse?: readonly string[]
  /** IP addresses, by id, which may be gone. */
  readonly addresses?: readonly number[]
  /** Networks of prefixes whose addresses may belong to other views now. */
  readonly networks?: readonly { readonly network: string; readonly vrf: number | null }[]
  /** Addresses in the values of records that have changed or are gone. */
  readonly hosts?: readonly string[]
}

type Scope = { readonly [K in keyof Affected]-?: NonNullable<Affected[K]> }

/** Statuses of zones whose records are served. */
export const isServed = (status: Sql): Sql => sql`${status} in ('active', 'dynamic')`

const ids = (list: readonly number[]): Sql => sql`${[...new Set(list)]}::bigint[]`
const texts = (list: readonly string[]): Sql => sql`${[...new Set(list)]}::text[]`
const inets = (list: readonly string[]): Sql => sql`${[...new Set(list)]}::inet[]`

/** Any of the conditions; none is false. */
const anyOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0 ? sql`false` : sql`(${join(conditions, ' or ')})`

/** A condition for a list that may be empty. */
const ifAny = (list: readonly unknown[], condition: () => Sql): readonly Sql[] =>
  list.length === 0 ? [] : [condition()]

/** One at a time: two transactions that derive the same record would both insert it. */
const LOCK = volatile`select pg_advisory_xact_lock(hashtextextended('cadastre derived records', 0))`

/**
 * Brings the derived records in line with everything that has been affected, and the serials of the zones whose records
 * have changed. Throws ApiError for the name of an address that is in conflict with a record made by hand.
 */
export async function deriveAffected(database: Queryable, parts: readonly Affected[]): Promise<void> {
  const scope: Scope = {
    zones: parts.flatMap(({ zones = [] }) => zones),
    moved: parts.flatMap(({ moved = [] }) => moved),
    touched: parts.flatMap(({ touched = [] }) => touched),
    names: parts.flatMap(({ names = [] }) => names),
    reverse: parts.flatMap(({ reverse = [] }) => reverse),
    addresses: parts.flatMap(({ addresses = [] }) => addresses),
    networks: parts.flatMap(({ networks = [] }) => networks),
    hosts: parts.flatMap(({ hosts = [] }) => hosts),
  }
  if (Object.values(scope).every((list) => list.length === 0)) return
  await database.query(LOCK)
  await derive(database, scope)
}

/** Brings all derived records in line. For data that came without the write pipeline. */
export async function deriveAll(database: Queryable): Promise<void> {
  await database.query(LOCK)
  await derive(database, undefined)
}

/** A derived record that has been stored or deleted. */
interface Changed extends Record<string, unknown> {
  readonly zone: number
  readonly host: string | null
  readonly id: number
  readonly name: string
  /** The text of the zone is another one. */
  readonly is_shown: boolean
}

const zonesShown = (changed: readonly Changed[]): readonly number[] =>
  changed.flatMap(({ zone, is_shown }) => (is_shown ? zone : []))

/** `scope`: undefined for everything. */
async function derive(database: Queryable, scope: Scope | undefined): Promise<void> {
  const amongIds =
    (list: readonly number[] | undefined) =>
    (column: Sql): Sql =>
      list ? sql`${column} = any(${ids(list)})` : sql`true`
  const ofMoved = amongIds(scope?.moved)
  if (!scope || scope.moved.length > 0) await completeRecords(database, scope, ofMoved)
  let changed: readonly Changed[] = []
  const note = (more: readonly Changed[]): void => {
    changed = changed.concat(more)
  }
  if (!scope || scope.zones.length > 0) note(await store(database, nameServers(amongIds(scope?.zones))))
  const addresses = await addressRecords(database, scope, ofMoved)
  if (addresses) {
    if (scope && addresses.excluded) await refuse(database, addresses.excluded)
    note(await store(database, addresses))
  }
  const hosts = scope && (await affectedHosts(database, scope, changed))
  if (!hosts || hosts.length > 0) {
    const inHosts = (column: Sql): Sql => (hosts ? sql`${column} = any(${inets(hosts)})` : sql`true`)
    note(await store(database, pointers(inHosts)))
    await linkPointers(database, inHosts)
  }
  const reached = scope && [...scope.moved, ...scope.touched, ...changed.map(({ zone }) => zone)]
  note(await classlessRecords(database, scope, reached))
  await nameInUnicode(database, changed)
  await advanceSerials(database, scope, [...(scope?.touched ?? []), ...zonesShown(changed)])
}

/** How records of one kind follow from other objects. */
interface Derivation {
  /**
   * The records that there should be: zone, name, type, value, ttl, status, disable_ptr, host (inet), ip (id of an IP
   * address), child (id of a classless zone).
   */
  readonly wanted: Sql
  /** Condition on the stored derived records `r` that belong to the derivation. */
  readonly stored: Sql
  /** Columns that tell which stored record is which wanted one. */
  readonly key: (alias: 'w' | 's') => Sql
}

/** Stores the difference between the wanted records and the stored ones. Returns what has changed. */
async function store(database: Queryable, { wanted, stored, key }: Derivation): Promise<readonly Changed[]> {
  return await database.query<Changed>(volatile`
    with wanted as (
      select w.*, z.name as zone_name,
        case when w.name = '@' then z.name || '.' else w.name || '.' || z.name || '.' end as fqdn,
        case when w.type in ('A', 'AAAA') then host(w.host) else lower(w.value) end as meaning
      from (${wanted}) w join ${table(ZONE)} z on z.id = w.zone
    ), present as (
      select r.id, r.zone_id as zone, r.name, r.type, r.value, r.ttl, r.status, r.disable_ptr, r.fqdn,
        r._address as host, r._ip as ip, r._child as child, r._key as meaning
      from ${table(RECORD)} r where r.managed and ${stored}
    ), numbered as (
      select s.*, row_number() over (partition by ${key('s')} order by s.id) as copy from present s
    ), paired as (
      select s.id, w.* from wanted w join numbered s on s.copy = 1 and (${key('s')}) = (${key('w')})
    ), gone as (
      ${deleteFrom(RECORD)} r using present s
      where r.id = s.id and not exists (select from paired p where p.id = s.id)
      returning r.id, r.zone_id as zone, r._address as host, r.name, r.status = 'active' as is_shown
    ), moved as (
      ${updateTable(RECORD)} r set zone_id = p.zone, name = p.name, _name = lower(p.name), _shown = p.name,
        type = p.type, value = p.value, ttl = p.ttl, status = p.status, disable_ptr = p.disable_ptr, fqdn = p.fqdn,
        _key = p.meaning, _address = p.host, _ip = p.ip, _child = p.child, last_updated = now()
      from paired p join present s on s.id = p.id
      where r.id = p.id and (s.zone, s.name, s.type, s.value, s.ttl, s.status, s.disable_ptr, s.fqdn, s.host, s.ip, s.child,
          s.meaning)
        is distinct from (p.zone, p.name, p.type, p.value, p.ttl, p.status, p.disable_ptr, p.fqdn, p.host, p.ip, p.child,
          p.meaning)
      returning r.id, r.zone_id as zone, r._address as host, r.name, s.zone as former_zone, s.host as former_host,
        (s.zone, s.name, s.type, s.value, s.ttl, s.status) is distinct from (p.zone, p.name, p.type, p.value, p.ttl, p.status)
          as is_shown
    ), made as (
      ${insertInto(RECORD)} (zone_id, name, _name, _shown, type, value, ttl, status, disable_ptr, managed, fqdn, _key,
        _address, _ip, _child, created, last_updated)
      select w.zone, w.name, lower(w.name), w.name, w.type, w.value, w.ttl, w.status, w.disable_ptr, true, w.fqdn,
        w.meaning, w.host, w.ip, w.child, now(), now()
      from wanted w
      where not exists (select from numbered s where (${key('s')}) = (${key('w')}))
      order by w.zone, w.name, w.value
      returning id, zone_id as zone, _address as host, name, status = 'active' as is_shown
    )
    select id, zone, host(host) as host, name, is_shown from gone
    union all select id, zone, host(host), name, is_shown from moved
    union all select id, former_zone, host(former_host), name, is_shown from moved
    union all select id, zone, host(host), name, is_shown from made`)
}

const NOTHING = sql`false as disable_ptr, null::inet as host, null::bigint as ip, null::bigint as child`

/** An NS record for each name server of a zone. */
const nameServers = (ofZones: (column: Sql) => Sql): Derivation => ({
  wanted: sql`
    select distinct j.zone_id as zone, '@' as name, 'NS' as type, n.name || '.' as value, null::integer as ttl,
      'active' as status, ${NOTHING}
    from ${table(`${ZONE}.nameservers`)} j join ${table(NAMESERVER)} n on n.id = j.nameserver_id
    where ${ofZones(sql`j.zone_id`)}`,
  stored: sql`r._name = '@' and r.type = 'NS' and ${ofZones(sql`r.zone_id`)}`,
  key: (alias) => (alias === 'w' ? sql`w.zone, w.type, w.value` : sql`s.zone, s.type, s.value`),
})

/** The address without the length of its network. */
const hostOf = (address: Sql): Sql => sql`set_masklen(${address}, case family(${address}) when 4 then 32 else 128 end)`

/** The address records that follow from the names of IP addresses; undefined if none is affected. */
async function addressRecords(
  database: Queryable,
  scope: Scope | undefined,
  ofMoved: (column: Sql) => Sql,
): Promise<(Derivation & { readonly excluded: NamedRow | undefined }) | undefined> {
  const address = table('ipam.ipaddress')
  const affected = scope && [
    ...ifAny(scope.addresses, () => sql`a.id = any(${ids(scope.addresses)})`),
    ...ifAny(
      scope.names,
      () => sql`a.dns_name <> '' and exists (
        select from unnest(${texts(scope.names)}) q (name)
        where lower(a.dns_name) = q.name or right(lower(a.dns_name), length(q.name) + 1) = '.' || q.name)`,
    ),
    ...ifAny(scope.networks, () => {
      const [networks, vrfs] = [scope.networks.map(({ network }) => network), scope.networks.map(({ vrf }) => vrf)]
      return sql`a.dns_name <> '' and exists (
        select from unnest(${networks}::inet[], ${vrfs}::bigint[]) q (network, vrf)
        where ${hostOf(sql`a.address`)} <<= q.network and a.vrf_id is not distinct from q.vrf)`
    }),
  ]
  if (affected?.length === 0 && scope?.moved.length === 0) return undefined
  const found =
    affected &&
    (await database.queryColumn(sql`
      ${join(
        [
          sql`select null::bigint as id where false`,
          ...affected.map((condition) => sql`select a.id from ${address} a where ${condition}`),
          ...ifAny(
            scope.moved,
            () => sql`select r._ip from ${table(RECORD)} r
            where r.managed and r._ip is not null and ${ofMoved(sql`r.zone_id`)}`,
          ),
        ],
        ' union ',
      )}`))
  const affectedIds = found && ids([...found.map(Number), ...scope.addresses])
  const isAffected = (column: Sql): Sql => (affectedIds ? sql`${column} = any(${affectedIds})` : sql`true`)
  const filters = await database.query<{ id: number; filter: string }>(
    sql`select v.id, v.ip_address_filter::text as filter from ${table(VIEW)} v where v.ip_address_filter is not null`,
  )
  const allowed = filters.flatMap(({ id, filter }) => {
    const condition = addressFilterSql(JSON.parse(filter), (name) => sql`a.${name}`)
    return condition === undefined ? [] : [sql`when ${id}::bigint then ${condition}`]
  })
  const isAllowed = allowed.length === 0 ? sql`true` : sql`(case v.view_id ${join(allowed, ' ')} else true end)`
  const [hasPrefixes] = await database.queryColumn(sql`select exists (select from ${table(`${VIEW}.prefixes`)})`)
  // A prefix is found by the network of the address with the length of the prefix: an equality, which a hash answers.
  const named = sql`
    with viewed as (
      select p.prefix, p.vrf_id, j.view_id, masklen(p.prefix) as length
      from ${table(`${VIEW}.prefixes`)} j join ${table('ipam.prefix')} p on p.id = j.prefix_id
    ), hits as (
      select a.id, a.address, a.status, a.custom_field_data as values, v.view_id, l.length,
        max(l.length) over (partition by a.id) as longest,
        string_to_array(rtrim(lower(a.dns_name), '.'), '.') as labels, ${isAllowed} as is_allowed
      from ${address} a
      join (select distinct family(prefix) as family, length from viewed) l on l.family = family(a.address)
      join viewed v on v.length = l.length and v.prefix = network(set_masklen(a.address, l.length))
        and v.vrf_id is not distinct from a.vrf_id
      where ${isAffected(sql`a.id`)} and a.dns_name <> ''
        and a.custom_field_data -> 'ipaddress_dns_disabled' is distinct from 'true'
    ), placed as (
      select distinct on (h.id, h.view_id) h.*, z.id as zone, n.place
      from hits h cross join generate_series(1, cardinality(h.labels) - 1) n (place)
      join ${table(ZONE)} z on z._name = array_to_string(h.labels[n.place:], '.') and z.view_id = h.view_id
        and ${isServed(sql`z.status`)}
      where h.length = h.longest and h.is_allowed
      order by h.id, h.view_id, n.place
    ), n as (
      select p.zone, case p.place when 1 then '@' else array_to_string(p.labels[:p.place - 1], '.') end as name,
        case family(p.address) when 4 then 'A' else 'AAAA' end as type, host(p.address) as value,
        case when jsonb_typeof(p.values -> 'ipaddress_dns_record_ttl') = 'number'
          and (p.values ->> 'ipaddress_dns_record_ttl')::numeric between 0 and 2147483647
          then (p.values ->> 'ipaddress_dns_record_ttl')::numeric::integer end as ttl,
        case when p.status in ('active', 'dhcp', 'slaac') then 'active' else 'inactive' end as status,
        coalesce(p.values -> 'ipaddress_dns_record_disable_ptr' = 'true', false) as disable_ptr, p.id as ip
      from placed p
    )
    select n.*, n.status = 'active' and exists (
      select from ${table(RECORD)} h
      where h.zone_id = n.zone and h._name = n.name and h.status = 'active' and not h.managed
        and (h.type = 'CNAME' or (h.type = n.type and h._key = n.value))) as is_excluded
    from n`
  const rows = hasPrefixes === true ? await database.query<NamedRow>(named) : []
  const wanted = rows.filter(({ is_excluded }) => !is_excluded)
  const list = <K extends keyof NamedRow>(key: K) => wanted.map((row) => row[key])
  return {
    excluded: rows.find(({ is_excluded }) => is_excluded),
    wanted: sql`
      select q.*, q.value::inet as host, q.owner as ip, null::bigint as child
      from (select zone, name, type, value, ttl, status, disable_ptr, owner
        from unnest(${list('zone')}::bigint[], ${list('name')}::text[], ${list('type')}::text[], ${list('value')}::text[],
          ${list('ttl')}::integer[], ${list('status')}::text[], ${list('disable_ptr')}::boolean[], ${list('ip')}::bigint[])
          u (zone, name, type, value, ttl, status, disable_ptr, owner)) q`,
    stored: sql`r._ip is not null and ${isAffected(sql`r._ip`)}`,
    key: (alias) => (alias === 'w' ? sql`w.zone, w.ip` : sql`s.zone, s.ip`),
  }
}

/** An address record that follows from the name of an IP address. */
interface NamedRow extends Record<string, unknown> {
  readonly zone: number
  readonly name: string
  readonly type: string
  readonly value: string
  readonly ttl: number | null
  readonly status: string
  readonly disable_ptr: boolean
  readonly ip: number
  /** A record made by hand keeps it out. */
  readonly is_excluded: boolean
}

/** Throws `invalid` for the name of an address that is in conflict with a record made by hand. */
async function refuse(database: Queryable, { zone, name, type, value }: NamedRow): Promise<never> {
  const [label] = await database.queryColumn(sql`select name from ${table(ZONE)} where id = ${zone}::bigint`)
  throw invalid({
    dns_name: [
      `The name ${name} in the zone ${label} has an active record that excludes ${type} ${value}. Change that record first.`,
    ],
  })
}

/** The addresses whose PTR records may have changed. */
async function affectedHosts(
  database: Queryable,
  scope: Scope,
  changed: readonly Changed[],
): Promise<readonly string[]> {
  const known = [...scope.hosts, ...changed.flatMap(({ host }) => host ?? [])]
  const rows = table(RECORD)
  const parts = [
    ...ifAny(scope.moved, () => sql`r.zone_id = any(${ids(scope.moved)})`),
    ...ifAny(
      scope.reverse,
      () => sql`exists (select from unnest(${inets(scope.reverse)}) q (net) where r._address <<= q.net)`,
    ),
  ]
  const found =
    parts.length === 0
      ? []
      : await database.queryColumn(sql`
          select distinct host(r._address) from ${rows} r where r._address is not null and ${anyOf(parts)}`)
  return [...new Set([...known, ...found.map(String)])]
}

/** The name of an address in the reverse tree. */
const reverseName = (host: Sql): Sql => sql`case family(${host})
  when 4 then split_part(host(${host}), '.', 4) || '.' || split_part(host(${host}), '.', 3) || '.'
    || split_part(host(${host}), '.', 2) || '.' || split_part(host(${host}), '.', 1) || '.in-addr.arpa'
  else regexp_replace(reverse(right(encode(inet_send(${host}), 'hex'), 32)), '(.)', '\\1.', 'g') || 'ip6.arpa' end`

/** PTR records of the active address records, in the longest reverse zone of the same view. */
const pointers = (inHosts: (column: Sql) => Sql): Derivation => ({
  wanted: sql`
    select n.* from (
      select p.zone, p.name, 'PTR' as type, p.value, min(p.ttl) as ttl, 'active' as status, false as disable_ptr, p.host,
        null::bigint as ip, null::bigint as child
      from (${pointersOf(inHosts)}) p group by p.zone, p.name, p.value, p.host
    ) n where not exists (
      select from ${table(RECORD)} h
      where h.zone_id = n.zone and h._name = n.name and h.status = 'active' and not h.managed
        and (h.type = 'CNAME' or (h.type = 'PTR' and h._key = lower(n.value))))`,
  stored: sql`r.type = 'PTR' and ${inHosts(sql`r._address`)}`,
  key: (alias) => (alias === 'w' ? sql`w.zone, lower(w.name), w.value` : sql`s.zone, lower(s.name), s.value`),
})

/** The PTR record of each address record: its zone, name and value. */
const pointersOf = (inHosts: (column: Sql) => Sql): Sql => sql`
  with address as (
    select r.id, r._address as host, r.fqdn, r.ttl, z.view_id
    from ${table(RECORD)} r join ${table(ZONE)} z on z.id = r.zone_id
    where r.type in ('A', 'AAAA') and ${inHosts(sql`r._address`)} and r.status = 'active' and ${isServed(sql`z.status`)}
      and not r.disable_ptr and r._name not like '*%'
  ), reverse as (
    select z.id, z.view_id, z._name, z.rfc2317_prefix is not null as is_classless,
      coalesce(z.rfc2317_prefix, z._network) as network, masklen(coalesce(z.rfc2317_prefix, z._network)) as length
    from ${table(ZONE)} z
    where ${isServed(sql`z.status`)} and coalesce(z.rfc2317_prefix, z._network) is not null
  ), lengths as (
    select distinct family(network) as family, length, view_id from reverse
  ), best as (
    select distinct on (a.id) a.id, a.host, a.fqdn, a.ttl, v.id as zone, v._name as zone_name, v.is_classless
    from address a join lengths l on l.family = family(a.host) and l.view_id = a.view_id
    join reverse v on v.view_id = a.view_id and v.length = l.length and v.network = network(set_masklen(a.host, l.length))
    order by a.id, l.length desc, v.is_classless, v.id
  )
  select b.id, b.zone, b.host, b.fqdn as value, b.ttl,
    case when b.is_classless then split_part(host(b.host), '.', 4)
      when ${reverseName(sql`b.host`)} = b.zone_name then '@'
      else left(${reverseName(sql`b.host`)}, -length(b.zone_name) - 1) end as name
  from best b`

/** Links the address records to their PTR records. */
async function linkPointers(database: Queryable, inHosts: (column: Sql) => Sql): Promise<void> {
  await database.execute(sql`
    ${updateTable(RECORD)} t set _ptr = q.ptr from (
      select a.id, min(r.id) as ptr from ${table(RECORD)} a
      left join (${pointersOf(inHosts)}) p on p.id = a.id
      left join ${table(RECORD)} r on r.zone_id = p.zone and r.type = 'PTR' and r._name = lower(p.name)
        and r._key = lower(p.value) and r.status = 'active'
      where a.type in ('A', 'AAAA') and ${inHosts(sql`a._address`)} group by a.id
    ) q where t.id = q.id and t._ptr is distinct from q.ptr`)
}

/**
 * Finds the parent zones of classless reverse zones, and keeps the CNAME records that lead from there to the PTR records
 * of these zones. `reached`: ids of zones of which something has changed.
 */
async function classlessRecords(
  database: Queryable,
  scope: Scope | undefined,
  reached: readonly number[] | undefined,
): Promise<readonly Changed[]> {
  const zone = table(ZONE)
  const changesZones = !scope || scope.moved.length > 0 || scope.reverse.length > 0
  const [hasAny] = changesZones
    ? [true]
    : await database.queryColumn(sql`select exists (select from ${zone} where rfc2317_prefix is not null)`)
  if (hasAny !== true) return []
  const moved = changesZones
    ? await database.queryColumn(sql`
          ${updateTable(ZONE)} t set _parent = q.parent from (
            select distinct on (c.id) c.id, p.id as parent from ${zone} c
            left join ${zone} p on p.view_id = c.view_id and p.id <> c.id and p.rfc2317_prefix is null
              and p._network >>= c.rfc2317_prefix and ${isServed(sql`p.status`)}
            where c.rfc2317_prefix is not null or c._parent is not null
            order by c.id, masklen(p._network) desc nulls last
          ) q where t.id = q.id and t._parent is distinct from q.parent returning t.id`)
    : []
  const inScope = reached
    ? sql`(c.id = any(${ids([...reached, ...moved.map(Number)])}) or c._parent = any(${ids(reached)}))`
    : sql`true`
  const children = (
    await database.queryColumn(sql`
      select c.id from ${zone} c where ${inScope}
        and (c.rfc2317_prefix is not null or exists (select from ${table(RECORD)} r where r._child = c.id))`)
  ).map(Number)
  const inChildren = (column: Sql): Sql =>
    reached ? sql`${column} = any(${ids([...children, ...reached])})` : sql`true`
  const host = sql`set_masklen(network(set_masklen(c.rfc2317_prefix, 24))::inet + r._name::bigint, 32)`
  const changed = await store(database, {
    wanted: sql`
      select n.* from (
        select distinct on (c._parent, r._name) c._parent as zone,
          left(${reverseName(host)}, -length(p._name) - 1) as name, 'CNAME' as type, r.fqdn as value, null::integer as ttl,
          'active' as status, false as disable_ptr, null::inet as host, null::bigint as ip, c.id as child
        from ${zone} c join ${zone} p on p.id = c._parent
        join ${table(RECORD)} r on r.zone_id = c.id and r.type = 'PTR' and r.status = 'active'
        where ${inChildren(sql`c.id`)} and c.rfc2317_prefix is not null and c.rfc2317_parent_managed
          and ${isServed(sql`c.status`)}
          and case when r._name ~ '^[0-9]{1,3}$' then r._name::integer < 256 and ${host} <<= c.rfc2317_prefix else false end
        order by c._parent, r._name, r.id
      ) n where not exists (
        select from ${table(RECORD)} h
        where h.zone_id = n.zone and h._name = n.name and h.status = 'active' and not h.managed)`,
    stored: sql`r.type = 'CNAME' and r._child is not null and ${inChildren(sql`r._child`)}`,
    key: (alias) => (alias === 'w' ? sql`w.zone, w.child, w.name` : sql`s.zone, s.child, s.name`),
  })
  await database.execute(sql`
    ${updateTable(RECORD)} t set _cname = q.cname from (
      select r.id, min(n.id) as cname from ${table(RECORD)} r
      left join ${table(RECORD)} n on n.type = 'CNAME' and n._child = r.zone_id and n._key = lower(r.fqdn)
      where r.type = 'PTR' and r.zone_id = any(${ids(children)}) group by r.id
    ) q where t.id = q.id and t._cname is distinct from q.cname`)
  return changed
}

/**
 * Completes records made by hand with what follows from their zone and their value: those of renamed zones, or all of
 * them, which an import has stored without.
 */
async function completeRecords(
  database: Queryable,
  scope: Scope | undefined,
  ofZones: (column: Sql) => Sql,
): Promise<void> {
  const fqdn = sql`case when r.name = '@' then z.name || '.' else r.name || '.' || z.name || '.' end`
  const rows = await database.query<{ id: number; name: string; type: string; value: string; zone: string }>(sql`
    select r.id, r.name, r.type, r.value, z.name as zone
    from ${table(RECORD)} r join ${table(ZONE)} z on z.id = r.zone_id
    where not r.managed and ${ofZones(sql`z.id`)} and ${scope ? sql`r.fqdn is distinct from ${fqdn}` : sql`true`}`)
  if (rows.length === 0) return
  const forms = rows.map(({ zone, ...row }) => recordForm({ name: zone }, row))
  await database.execute(sql`
    ${updateTable(RECORD)} t
    set name = q.name, _name = lower(q.name), _shown = q.shown, fqdn = q.fqdn, _key = q.key, _address = q.address
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${forms.map(({ name }) => name)}::text[],
      ${forms.map(({ _shown }) => _shown)}::text[], ${forms.map((form) => form.fqdn)}::text[],
      ${forms.map(({ _key }) => _key)}::text[], ${forms.map(({ _address }) => _address)}::inet[])
      q (id, name, shown, fqdn, key, address)
    where t.id = q.id and (t.name, t._name, t._shown, t.fqdn, t._key, t._address)
      is distinct from (q.name, lower(q.name), q.shown, q.fqdn, q.key, q.address)`)
}

/** Names with punycode in the form for people. */
async function nameInUnicode(database: Queryable, changed: readonly Changed[]): Promise<void> {
  const names = changed.filter(({ name }) => name.includes('xn--'))
  if (names.length === 0) return
  await database.execute(sql`
    ${updateTable(RECORD)} t set _shown = q.shown
    from unnest(${names.map(({ id }) => id)}::bigint[], ${names.map(({ name }) => unicodeName(name))}::text[]) q (id, shown)
    where t.id = q.id and t._shown is distinct from q.shown`)
}

/**
 * The serial after another one: the time in seconds, or the next number if that is not later (RFC 1982, modulo 2³²).
 */
const nextSerial = (serial: Sql, now: Sql): Sql => sql`case
  when ${serial} is null or (${now} - ${serial} + 4294967296) % 4294967296 between 1 and 2147483647 then ${now}
  else (${serial} + 1) % 4294967296 end`

/** A new serial for zones whose SOA or records have changed, and the SOA records with it. */
async function advanceSerials(
  database: Queryable,
  scope: Scope | undefined,
  touched: readonly number[],
): Promise<void> {
  if (scope?.zones.length === 0 && touched.length === 0) return
  const considered = scope ? sql`z.id = any(${ids([...scope.zones, ...touched])})` : sql`true`
  const soa = sql`
    select z.id as zone, '@' as name, 'SOA' as type,
      n.name || '. ' || rtrim(z.soa_rname, '.') || '. ' || coalesce(z.soa_serial, 1)::text as start,
      concat_ws(' ', coalesce(z.soa_refresh, 43200), coalesce(z.soa_retry, 7200), coalesce(z.soa_expire, 2419200),
        coalesce(z.soa_minimum, 3600)) as times,
      coalesce(z.soa_ttl, z.default_ttl) as ttl, z.soa_serial as serial
    from ${table(ZONE)} z join ${table(NAMESERVER)} n on n.id = z.soa_mname_id
    where z.soa_rname <> '' and ${considered}`
  // Another SOA, or none yet: everything but the serial is compared.
  await database.execute(volatile`
    ${updateTable(ZONE)} t set soa_serial = ${nextSerial(sql`t.soa_serial`, sql`ceil(extract(epoch from now()))::bigint`)}
    from ${table(ZONE)} z
    left join (${soa}) s on s.zone = z.id
    left join ${table(RECORD)} r on r.zone_id = z.id and r._name = '@' and r.type = 'SOA' and r.managed
    where t.id = z.id and ${considered} and z.soa_serial_auto and (
      z.soa_serial is null or z.id = any(${ids(touched)})
      or (r.value, r.ttl) is distinct from (s.start || ' ' || s.times, s.ttl))`)
  await store(database, {
    wanted: sql`
      select s.zone, s.name, s.type, s.start || ' ' || s.times as value, s.ttl, 'active' as status, ${NOTHING}
      from (${soa}) s`,
    stored: sql`r._name = '@' and r.type = 'SOA' and r.zone_id in (select z.id from ${table(ZONE)} z where ${considered})`,
    key: (alias) => (alias === 'w' ? sql`w.zone, w.type` : sql`s.zone, s.type`),
  })
}
