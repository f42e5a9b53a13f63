/** What zones, records and views must be like, and the values that they get by themselves. */
import {
  type AnyRow,
  type Change,
  firstCharacters,
  insertInto,
  invalid,
  oncePerBatch,
  sql,
  table,
  type UntypedChange,
  volatile,
} from 'cadastre'
import { addressFilterProblem } from './address-filter.ts'
import { RECORD, VIEW, ZONE } from './derive.ts'
import { parseName } from './names.ts'
import { ADDRESSES, nameIn, recordForm } from './record-form.ts'
import { parseValue } from './values.ts'

type Refusal = Readonly<Record<string, string>> | undefined

/** The result of queries about all rows of a batch, which the rules of each of them share. */
const once = <T>(ask: (change: UntypedChange) => Promise<T>): ((change: UntypedChange) => Promise<T>) =>
  oncePerBatch(ask as unknown as (change: Change<never>) => Promise<T>) as unknown as (
    change: UntypedChange,
  ) => Promise<T>

const DEFAULT_VIEW = '_default_'

/** The id of the default view, which is made for the first zone or view. */
const defaultView = once(async ({ read: { database } }): Promise<number> => {
  const find = async (): Promise<number | undefined> => {
    const [id] = await database.queryColumn(sql`select id from ${table(VIEW)} where default_view order by id limit 1`)
    return id === undefined ? undefined : Number(id)
  }
  const found = await find()
  if (found !== undefined) return found
  await database.execute(volatile`
    ${insertInto(VIEW)} (name, default_view, created, last_updated)
    select ${DEFAULT_VIEW}::text, true, now(), now()
    where not exists (select from ${table(VIEW)} where name = ${DEFAULT_VIEW})`)
  return (await find()) ?? 0
})

/* Views */

export const viewRules = {
  normalize: [
    async (change: UntypedChange) => {
      await defaultView(change)
      return undefined
    },
  ],
  modelRules: [
    ({ next, previous, batch }: UntypedChange): Refusal => {
      const isReplaced = batch.some((view) => view.default_view === true)
      if (previous?.default_view === true && next.default_view !== true && !isReplaced) {
        return { default_view: 'There is always a default view. Make another view the default one instead.' }
      }
      const problem = next.ip_address_filter === null ? undefined : addressFilterProblem(next.ip_address_filter)
      return problem === undefined ? undefined : { ip_address_filter: problem }
    },
  ],
  deletionRules: [
    ({ next }: UntypedChange): Refusal =>
      next.default_view === true ? { default_view: 'The default view cannot be deleted.' } : undefined,
  ],
} as const

/* Name servers */

const storedName = ({ next }: UntypedChange) => {
  const parsed = parseName(String(next.name))
  return 'name' in parsed ? { name: parsed.name } : undefined
}

const nameIsValid = ({ next }: UntypedChange): Refusal => {
  const parsed = parseName(String(next.name))
  return 'problem' in parsed ? { name: parsed.problem } : undefined
}

export const nameserverRules = { normalize: [storedName], modelRules: [nameIsValid] } as const

/* Zones */

/** Values of a zone that only a registered domain has. */
const OF_REGISTRATION = [
  ...([
    'registry_domain_id',
    'expiration_date',
    'domain_status',
    'registrant',
    'tech_c',
    'admin_c',
    'billing_c',
  ] as const),
] as const

/** Values that a zone takes from its template if the body has none. */
const OF_TEMPLATE = [
  ...(['soa_mname', 'soa_rname', 'dnssec_policy', 'parental_agents', 'registrar', 'registrant', 'tech_c'] as const),
  ...(['admin_c', 'billing_c', 'tenant'] as const),
]

interface Template extends Record<string, unknown> {
  readonly id: number
  readonly name: string
  readonly nameservers: string
  readonly tags: string
  readonly values: string
}

const templates = once(async ({ batch, read }) => {
  const wanted = batch.flatMap(({ template }) => (template === undefined || template === null ? [] : [template]))
  if (wanted.length === 0) return []
  const ids = wanted.filter((value) => typeof value === 'number')
  const names = wanted.filter((value) => typeof value === 'string')
  return await read.database.query<Template>(sql`
    select t.id, t.name, to_jsonb(t)::text as values,
      coalesce((select jsonb_agg(j.nameserver_id) from ${table('netbox_dns.zonetemplate.nameservers')} j
        where j.zonetemplate_id = t.id), '[]')::text as nameservers,
      coalesce((select jsonb_agg(g.tag_id) from ${table('extras.taggeditem')} g
        where g.object_type = 'netbox_dns.zonetemplate' and g.object_id = t.id), '[]')::text as tags
    from ${table('netbox_dns.zonetemplate')} t
    where t.id = any(${ids}::bigint[]) or t.name = any(${names}::text[])`)
})

const templateOf = async (change: UntypedChange): Promise<Template | undefined> => {
  const { template } = change.next
  return (await templates(change)).find(({ id, name }) => id === template || name === template)
}

async function fromTemplate(change: UntypedChange) {
  const { next } = change
  const found = await templateOf(change)
  if (!found) return undefined
  const columns = JSON.parse(found.values) as Readonly<Record<string, unknown>>
  const isOpen = (name: string) =>
    next[name] === null || next[name] === '' || next[name] === undefined || isEmpty(next[name])
  const values = OF_TEMPLATE.filter(isOpen).map((name) => [name, columns[`${name}_id`] ?? columns[name] ?? next[name]])
  return {
    ...Object.fromEntries(values),
    ...(isEmpty(next.nameservers) && { nameservers: JSON.parse(found.nameservers) as number[] }),
    ...(isEmpty(next.tags) && { tags: JSON.parse(found.tags) as number[] }),
  }
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

async function completeZone(change: UntypedChange) {
  const { next, previous } = change
  const parsed = parseName(String(next.name))
  const mailbox = next.soa_rname === '' ? undefined : parseName(String(next.soa_rname), { isTarget: true })
  return {
    ...('name' in parsed && { name: parsed.name }),
    ...(mailbox && 'name' in mailbox && { soa_rname: mailbox.name }),
    ...(next.view === null && { view: await defaultView(change) }),
    ...(next.soa_serial_auto === true && { soa_serial: previous?.soa_serial ?? null }),
    ...(next.registrar === null && Object.fromEntries(OF_REGISTRATION.map((name) => [name, null]))),
    ...(next.rfc2317_prefix === null && { rfc2317_parent_managed: false }),
  }
}

/** Whether a serial is not lower than another one (RFC 1982). */
const isNotLower = (serial: number, than: number): boolean =>
  (((serial - than) % 2 ** 32) + 2 ** 32) % 2 ** 32 < 2 ** 31

async function zoneIsValid(change: UntypedChange): Promise<Refusal> {
  const { next, previous } = change
  const parsed = parseName(String(next.name))
  if ('problem' in parsed) return { name: parsed.problem }
  if (next.template !== undefined && next.template !== null && !(await templateOf(change))) {
    return { template: 'There is no such zone template.' }
  }
  if (next.soa_mname === null) return { soa_mname: 'A zone needs soa_mname, the name server of its SOA record.' }
  if (next.soa_rname === '') return { soa_rname: 'A zone needs soa_rname, a mailbox such as hostmaster.example.com.' }
  const mailbox = parseName(String(next.soa_rname), { isTarget: true })
  if ('problem' in mailbox) return { soa_rname: mailbox.problem }
  return serialProblem(next, previous) ?? classlessProblem(next)
}

function serialProblem(next: AnyRow, previous: AnyRow | undefined): Refusal {
  if (next.soa_serial_auto === true) return undefined
  if (next.soa_serial === null) return { soa_serial: 'A serial is needed unless it is automatic.' }
  const [serial, former] = [Number(next.soa_serial), previous?.soa_serial]
  if (typeof former !== 'number' || isNotLower(serial, former)) return undefined
  return { soa_serial: `The serial must not decrease: it is ${former}, and ${serial} counts as lower.` }
}

function classlessProblem({ rfc2317_prefix: prefix, name }: AnyRow): Refusal {
  if (prefix === null) return undefined
  const [address = '', length] = String(prefix).split('/')
  if (address.includes(':') || Number(length) < 25) {
    return { rfc2317_prefix: 'A classless reverse zone has an IPv4 prefix with a length of at least 25.' }
  }
  const above = address.split('.').slice(0, 3).reverse().join('.')
  return String(name).toLowerCase().endsWith(`.${above}.in-addr.arpa`)
    ? undefined
    : { rfc2317_prefix: `The name of a zone for ${prefix} ends with ${above}.in-addr.arpa.` }
}

export const zoneRules = {
  normalize: [fromTemplate, completeZone],
  modelRules: [zoneIsValid],
} as const

/* Records */

/** Types of which a name has at most one record. */
const SINGLE: ReadonlySet<unknown> = new Set(['CNAME', 'DNAME'])
/** Types that may stand beside a CNAME record (RFC 4035 §2.5). */
const BESIDE_CNAME: ReadonlySet<unknown> = new Set(['CNAME', 'NSEC', 'RRSIG', 'KEY'])

interface Zone extends Record<string, unknown> {
  readonly id: number
  readonly name: string
  readonly view: number
}

const zonesOf = once(async ({ batch, read }): Promise<ReadonlyMap<unknown, Zone>> => {
  const ids = [...new Set(batch.map(({ zone }) => zone))]
  const rows = await read.database.query<Zone>(
    sql`select id, name, view_id as view from ${table(ZONE)} where id = any(${ids}::bigint[])`,
  )
  return new Map(rows.map((zone) => [zone.id, zone]))
})

async function completeRecord(change: UntypedChange) {
  const { next, now } = change
  // Their values follow from more than their zone.
  if (next.managed === true) return undefined
  const zone = (await zonesOf(change)).get(next.zone)
  if (!zone) return undefined
  const isPast = typeof next.expiration_date === 'string' && next.expiration_date <= now.slice(0, 10)
  return { ...recordForm(zone, next), ...(isPast && { status: 'expired' }) }
}

/** A stored record that is active, as the rules compare it. */
interface Present extends Record<string, unknown> {
  readonly id: number
  readonly zone: number
  readonly name: string
  readonly type: string
  readonly key: string
  readonly ttl: number | null
  readonly managed: boolean
}

const placeOf = (zone: unknown, name: unknown): string => `${zone} ${name}`

/** The active records with the names of the batch that are not part of it, by zone and name. */
const presentOf = once(async ({ batch, read }): Promise<ReadonlyMap<string, readonly Present[]>> => {
  const own = batch.map(({ id }) => id).filter((id) => id > 0)
  const rows = await read.database.query<Present>(sql`
    select r.id, r.zone_id as zone, r._name as name, r.type, r._key as key, r.ttl, r.managed
    from ${table(RECORD)} r
    join (select distinct zone, name from unnest(${batch.map(({ zone }) => zone)}::bigint[], ${batch.map(({ _name }) => _name)}::text[])
      q (zone, name)) q on r.zone_id = q.zone and r._name = q.name
    where r.status = 'active' and not r.id = any(${own}::bigint[])`)
  return Map.groupBy(rows, ({ zone, name }) => placeOf(zone, name))
})

/** The places of the rows in the batch. */
const positionsOf = once(async ({ batch }) => new Map(batch.map((row, position) => [row, position])))

/** The active records of the batch, by zone and name. */
const batchOf = once(async ({ batch }) =>
  Map.groupBy(
    batch.filter(({ status }) => status === 'active'),
    ({ zone, _name }) => placeOf(zone, _name),
  ),
)

/** The TTL of the set to which a record belongs, for one that has none of its own. */
async function ttlOfSet(change: UntypedChange) {
  const { next, previous } = change
  if (previous || next.ttl !== null || next.status !== 'active') return undefined
  const set = (await presentOf(change)).get(placeOf(next.zone, next._name)) ?? []
  const other = set.find(({ type }) => type === next.type)
  return other ? { ttl: other.ttl } : undefined
}

async function recordIsValid(change: UntypedChange): Promise<Refusal> {
  const { next } = change
  const zone = (await zonesOf(change)).get(next.zone)
  if (!zone) return { zone: 'There is no such zone.' }
  const named = nameIn(zone, next)
  if ('problem' in named) return { name: named.problem }
  if (next.type === 'SOA') return { type: 'The SOA record of a zone follows from the zone. Change the zone instead.' }
  const meaning = parseValue(String(next.type), String(next.value), zone.name)
  return 'problem' in meaning ? { value: meaning.problem } : undefined
}

async function fitsItsName(change: UntypedChange): Promise<Refusal> {
  const { next, previous, sent } = change
  if (next.status !== 'active') return undefined
  const place = placeOf(next.zone, next._name)
  const stored = (await presentOf(change)).get(place) ?? []
  const others = ((await batchOf(change)).get(place) ?? []).filter((other) => other !== next)
  const all = [
    ...stored,
    ...others.map(({ type, _key, ttl, managed }) => ({ type, key: _key, ttl, managed, isOwn: true })),
  ]
  const label = `${next.name} ${next.type} ${firstCharacters(String(next.value), 200)}`
  const zone = (await zonesOf(change)).get(next.zone)?.name
  if (all.some(({ type, key }) => type === next.type && key === next._key)) {
    return { value: `There is already an active record ${label} in the zone ${zone}.` }
  }
  if (
    all.some(
      ({ type }) =>
        (next.type === 'CNAME' && !BESIDE_CNAME.has(type)) || (type === 'CNAME' && !BESIDE_CNAME.has(next.type)),
    )
  ) {
    return { type: `The name ${next.name} in the zone ${zone} can have a CNAME record or other records, not both.` }
  }
  if (SINGLE.has(next.type) && all.some(({ type }) => type === next.type)) {
    return { type: `The name ${next.name} in the zone ${zone} can have only one active ${next.type} record.` }
  }
  const positions = await positionsOf(change)
  // A changed TTL changes that of the whole set.
  const changesSet = previous !== undefined && sent.has('ttl') && samePlace(previous, next)
  const compared = changesSet ? others.filter((other) => (positions.get(other) ?? 0) < (positions.get(next) ?? 0)) : all
  const other = compared.find(({ type, ttl }) => type === next.type && ttl !== next.ttl)
  return other
    ? {
        ttl: `All ${next.type} records of ${next.name} in the zone ${zone} have the TTL ${other.ttl ?? 'of the zone'}.`,
      }
    : undefined
}

export const samePlace = (one: AnyRow, other: AnyRow): boolean =>
  one.zone === other.zone && one._name === other._name && one.type === other.type

/** A zone below another one, at whose name authority changes. */
interface Cut extends Record<string, unknown> {
  readonly view: number
  readonly name: string
  readonly servers: string
}

/** The names between a record and its zone: where a zone cut would be. */
function namesBetween({ _name }: AnyRow, zone: Zone): readonly string[] {
  if (_name === '@') return []
  const labels = String(_name).split('.')
  return labels.map((_label, index) => `${labels.slice(index).join('.')}.${zone.name.toLowerCase()}`)
}

const cutsOf = once(async (change): Promise<ReadonlyMap<string, Cut>> => {
  const zones = await zonesOf(change)
  const places = new Map<string, readonly [number, string]>()
  for (const row of change.batch) {
    const zone = zones.get(row.zone)
    if (zone) for (const name of namesBetween(row, zone)) places.set(placeOf(zone.view, name), [zone.view, name])
  }
  if (places.size === 0) return new Map()
  const list = [...places.values()]
  const rows = await change.read.database.query<Cut>(sql`
    select z.view_id as view, z._name as name, coalesce((
      select jsonb_agg(distinct lower(n._key)) from ${table(RECORD)} n join ${table(ZONE)} o on o.id = n.zone_id
      where n.type = 'NS' and n.status = 'active' and o.view_id = z.view_id and n.fqdn = z.name || '.'), '[]')::text as servers
    from ${table(ZONE)} z
    join unnest(${list.map(([view]) => view)}::bigint[], ${list.map(([, name]) => name)}::text[]) q (view, name)
      on z.view_id = q.view and z._name = q.name
    where z.status in ('active', 'dynamic')`)
  return new Map(rows.map((cut) => [placeOf(cut.view, cut.name), cut]))
})

async function isAboveCuts(change: UntypedChange): Promise<Refusal> {
  const { next } = change
  const zone = (await zonesOf(change)).get(next.zone)
  if (!zone || next.status !== 'active') return undefined
  const cuts = await cutsOf(change)
  const name = String(next.fqdn).toLowerCase()
  for (const between of namesBetween(next, zone)) {
    const cut = cuts.get(placeOf(zone.view, between))
    if (!cut) continue
    const isDelegation = (next.type === 'NS' || next.type === 'DS') && `${between}.` === name
    const isGlue = ADDRESSES.has(next.type) && (JSON.parse(cut.servers) as readonly string[]).includes(name)
    if (isDelegation || isGlue) continue
    return {
      name: `${next.fqdn} belongs to the zone ${cut.name}. Only NS and DS records at its name, and addresses of its name servers, can be here.`,
    }
  }
  return undefined
}

const keepsManaged = ({ next, previous }: UntypedChange): Refusal => {
  if (previous?.managed === true) {
    return { __all__: 'This record is managed: it follows from a zone or from addresses, and cannot be changed.' }
  }
  return next.managed === true
    ? { managed: 'Managed records follow from other objects and cannot be created.' }
    : undefined
}

export const recordRules = {
  serializerRules: [keepsManaged],
  normalize: [completeRecord, ttlOfSet],
  modelRules: [recordIsValid, fitsItsName, isAboveCuts],
  // An undo computes the values again that follow from others.
  beforeSave: [completeRecord],
  deletionRules: [
    ({ next, deletes }: UntypedChange): Refusal => {
      if (next.managed === true && !deletes?.({ name: ZONE }, Number(next.zone))) {
        throw invalid({
          __all__: ['This record is managed: it follows from a zone or from addresses, and cannot be deleted.'],
        })
      }
      return undefined
    },
  ],
} as const

/* Templates */

const templateIsValid = ({ next }: UntypedChange): Refusal => {
  const name = String(next.record_name)
  const parsed = name === '@' ? { name } : parseName(name, { type: String(next.type), hasWildcard: true })
  if ('problem' in parsed) return { record_name: parsed.problem }
  const meaning = parseValue(String(next.type), String(next.value), 'example')
  return 'problem' in meaning ? { value: meaning.problem } : undefined
}

export const recordTemplateRules = { modelRules: [templateIsValid] } as const
