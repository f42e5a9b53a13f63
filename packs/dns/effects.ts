/** What a write affects: the derived records of zones, records, views, name servers, addresses and prefixes. */
import { type AnyRow, sql, table, type UntypedEffect } from 'cadastre'
import { type Affected, deriveAffected, RECORD, VIEW, ZONE } from './derive.ts'
import { reverseNetwork } from './names.ts'
import { recordForm } from './record-form.ts'
import { samePlace } from './rules.ts'

type Row = UntypedEffect['rows'][number]

/** Derives at the end of the transaction, once for all its writes. */
const later = ({ atEnd, database }: UntypedEffect, affected: readonly Affected[]): void => {
  if (affected.length > 0) atEnd('derived DNS records', affected, (parts) => deriveAffected(database, parts))
}

const present = ({ next, previous }: Row): readonly AnyRow[] => [next, previous].filter((row) => row !== undefined)

const idsOf = (rows: readonly Row[]): readonly number[] => [...new Set(rows.flatMap(present).map(({ id }) => id))]

/** Whether one of the fields has another value than before. */
const differs = ({ next, previous }: Row, names: readonly string[]): boolean =>
  next === undefined ||
  previous === undefined ||
  names.some((name) => JSON.stringify(next[name]) !== JSON.stringify(previous[name]))

/* Zones */

const OF_ZONE = [
  ...([
    'name',
    'view',
    'status',
    'nameservers',
    'default_ttl',
    'soa_ttl',
    'soa_mname',
    'soa_rname',
    'soa_refresh',
  ] as const),
  ...(['soa_retry', 'soa_expire', 'soa_minimum', 'soa_serial', 'soa_serial_auto', 'rfc2317_prefix'] as const),
  'rfc2317_parent_managed',
]

/** Fields of which a change concerns records of other zones too. */
const OF_PLACE = ['name', 'view', 'status', 'rfc2317_prefix', 'rfc2317_parent_managed']

export async function zonesWritten(effect: UntypedEffect): Promise<void> {
  const changed = effect.rows.filter((row) => differs(row, OF_ZONE))
  const elsewhere = changed.filter((row) => differs(row, OF_PLACE))
  const moved = elsewhere.flatMap(present)
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? [value] : [])
  later(
    effect,
    changed.length === 0
      ? []
      : [
          {
            zones: idsOf(changed),
            moved: idsOf(elsewhere),
            // The TTL of the zone is that of its records.
            touched: changed.flatMap((row) =>
              differs(row, ['default_ttl', 'status']) && row.next ? [row.next.id] : [],
            ),
            names: moved.flatMap(({ name }) => text(String(name).toLowerCase())),
            reverse: moved.flatMap(({ _network, rfc2317_prefix }) => [...text(_network), ...text(rfc2317_prefix)]),
          },
        ],
  )
}

/** Creates the records of the templates of new zones. */
export async function zonesFromTemplates({ rows, database, write }: UntypedEffect): Promise<void> {
  const zones = rows.flatMap(({ next, previous }) =>
    next && next.template !== undefined && next.template !== null
      ? [{ id: next.id, template: next.template, isNew: !previous }]
      : [],
  )
  if (zones.length === 0) return
  const found = await database.query<Record<string, unknown> & { zone: number }>(sql`
    select q.zone, z.name as zone_name, t.record_name as name, t.type, t.value, t.status, t.ttl, t.disable_ptr, t.tenant_id as tenant,
      t.description
    from unnest(${zones.map(({ id }) => id)}::bigint[], ${zones.map(({ template }) => String(template))}::text[]) q (zone, template)
    join ${table('netbox_dns.zonetemplate')} p on p.id::text = q.template or p.name = q.template
    join ${table('netbox_dns.zonetemplate.record_templates')} j on j.zonetemplate_id = p.id
    join ${table('netbox_dns.recordtemplate')} t on t.id = j.recordtemplate_id
    join ${table(ZONE)} z on z.id = q.zone
    where not exists (
      select from ${table(RECORD)} r where r.zone_id = q.zone and r._name = lower(t.record_name) and r.type = t.type and r.value = t.value)
    order by q.zone, t.id`)
  await write.create(
    { name: RECORD },
    found.map(({ zone_name, ...row }) => ({
      ...row,
      ...recordForm({ name: String(zone_name) }, row),
    })),
  )
}

/* Records */

const OF_RECORD = ['zone', 'name', 'type', 'value', 'status', 'ttl', 'disable_ptr']

export async function recordsWritten(effect: UntypedEffect): Promise<void> {
  // Derived records are deleted with their zones. Other records may follow from them.
  const isOwn = ({ next, previous }: Row) => effect.action === 'delete' || (next ?? previous)?.managed !== true
  const changed = effect.rows.filter((row) => isOwn(row) && differs(row, OF_RECORD))
  const states = changed.flatMap(present)
  later(
    effect,
    states.length === 0
      ? []
      : [
          {
            touched: [...new Set(states.map(({ zone }) => Number(zone)))],
            hosts: [
              ...states.flatMap(({ _address }) => (typeof _address === 'string' ? [_address.split('/')[0] ?? ''] : [])),
              ...states.flatMap(({ type, fqdn }) => (type === 'PTR' || type === 'CNAME' ? hostOf(String(fqdn)) : [])),
            ],
          },
        ],
  )
}

/** The address of which the name in the reverse tree is one; records made by hand replace derived ones there. */
function hostOf(fqdn: string): readonly string[] {
  const network = reverseNetwork(fqdn.replace(/\.$/, ''))
  const [address = '', length] = network?.split('/') ?? []
  return length === '32' || length === '128' ? [address] : []
}

/** All records of a set have one TTL: a changed one changes that of the others. */
export async function setTtl({ rows, database, write }: UntypedEffect): Promise<void> {
  const changed = rows.flatMap(({ next, previous }) =>
    next &&
    previous &&
    next.managed !== true &&
    next.status === 'active' &&
    next.ttl !== previous.ttl &&
    samePlace(next, previous)
      ? [next]
      : [],
  )
  if (changed.length === 0) return
  const others = await database.query<{ id: number; ttl: number | null }>(sql`
    select distinct on (r.id) r.id, q.ttl
    from unnest(${changed.map(({ zone }) => zone)}::bigint[], ${changed.map(({ _name }) => _name)}::text[],
      ${changed.map(({ type }) => type)}::text[], ${changed.map(({ ttl }) => ttl)}::integer[]) q (zone, name, type, ttl)
    join ${table(RECORD)} r on r.zone_id = q.zone and r._name = q.name and r.type = q.type
    where r.status = 'active' and not r.managed and r.ttl is distinct from q.ttl`)
  if (others.length > 0) await write.update({ name: RECORD }, others)
}

/* Views and name servers */

export async function viewsWritten(effect: UntypedEffect): Promise<void> {
  const changed = effect.rows.filter((row) => differs(row, ['prefixes', 'ip_address_filter']))
  const prefixes = [...new Set(changed.flatMap(({ next, previous }) => changedPrefixes(next, previous)))]
  if (prefixes.length > 0) later(effect, [{ networks: await networksOf(effect, prefixes) }])
}

/** The prefixes whose addresses may have entered or left the view. */
function changedPrefixes(next: AnyRow | undefined, previous: AnyRow | undefined): readonly number[] {
  const list = (row: AnyRow | undefined) => (Array.isArray(row?.prefixes) ? row.prefixes.map(Number) : [])
  const [after, before] = [new Set(list(next)), new Set(list(previous))]
  if (JSON.stringify(next?.ip_address_filter) !== JSON.stringify(previous?.ip_address_filter))
    return [...after, ...before]
  return [...[...after].filter((id) => !before.has(id)), ...[...before].filter((id) => !after.has(id))]
}

const networksOf = async ({ database }: UntypedEffect, prefixes: readonly number[]) =>
  await database.query<{ network: string; vrf: number | null }>(
    sql`select prefix::text as network, vrf_id as vrf from ${table('ipam.prefix')} where id = any(${prefixes}::bigint[])`,
  )

/** There is one default view: the latest that is declared to be it. */
export async function keepOneDefault({ rows, database, write }: UntypedEffect): Promise<void> {
  const chosen = rows.findLast(
    ({ next, previous }) => next?.default_view === true && previous?.default_view !== true,
  )?.next
  if (!chosen) return
  const others = await database.queryColumn(
    sql`select id from ${table(VIEW)} where default_view and id <> ${chosen.id}::bigint`,
  )
  if (others.length > 0)
    await write.update(
      { name: VIEW },
      others.map((id) => ({ id: Number(id), default_view: false })),
    )
}

/** The zones that name one of the servers. */
export async function nameserversWritten(effect: UntypedEffect): Promise<void> {
  const changed = idsOf(effect.rows.filter((row) => differs(row, ['name'])))
  if (changed.length === 0 || effect.action === 'create') return
  const zones = await effect.database.queryColumn(sql`
    select z.id from ${table(ZONE)} z where z.soa_mname_id = any(${changed}::bigint[])
    union select j.zone_id from ${table(`${ZONE}.nameservers`)} j where j.nameserver_id = any(${changed}::bigint[])`)
  if (zones.length > 0) later(effect, [{ zones: zones.map(Number) }])
}

/* Addresses and prefixes */

const OF_ADDRESS = [...['address', 'vrf', 'dns_name', 'status', 'role', 'tenant', 'description', 'custom_fields']]

export async function addressesWritten(effect: UntypedEffect): Promise<void> {
  const named = effect.rows.filter(
    (row) => present(row).some(({ dns_name }) => dns_name !== '') && differs(row, OF_ADDRESS),
  )
  if (named.length > 0) later(effect, [{ addresses: idsOf(named) }])
}

/** Prefixes of views that have moved. */
export async function prefixesWritten(effect: UntypedEffect): Promise<void> {
  const moved = effect.rows.filter((row) => row.next && row.previous && differs(row, ['prefix', 'vrf']))
  if (moved.length === 0) return
  const networks = moved
    .flatMap(present)
    .map(({ prefix, vrf }) => ({ network: String(prefix), vrf: vrf as number | null }))
  if (await areViewed(effect, idsOf(moved))) later(effect, [{ networks }])
}

/** Prefixes of views that are about to be deleted: their rows in the lists of the views still exist. */
export async function prefixesGoing(effect: UntypedEffect): Promise<void> {
  const ids = idsOf(effect.rows)
  if (await areViewed(effect, ids)) later(effect, [{ networks: await networksOf(effect, ids) }])
}

const areViewed = async ({ database }: UntypedEffect, prefixes: readonly number[]): Promise<boolean> =>
  (
    await database.queryColumn(
      sql`select true from ${table(`${VIEW}.prefixes`)} where prefix_id = any(${prefixes}::bigint[]) limit 1`,
    )
  ).length > 0
