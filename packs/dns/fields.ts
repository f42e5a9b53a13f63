/** Fields and filters of the models that only SQL or code can express. */
import {
  address,
  booleanFilter,
  computed,
  custom,
  derived,
  derivedKey,
  holds,
  instruction,
  integer,
  network,
  numberFilter,
  type packCode,
  reverse,
  sql,
  table,
  text,
  textFilter,
} from 'cadastre'
import { isServed, RECORD, ZONE } from './derive.ts'
import { reverseNetwork, unicodeName } from './names.ts'
import { parseValue } from './values.ts'

type Code = ReturnType<typeof packCode>
type Row = Readonly<Record<string, unknown>>

const lower = (row: Row): string => String(row.name).toLowerCase()
const shown = (row: Row): string => unicodeName(String(row.name))

const HIDDEN = { hidden: true, filter: false, unlogged: true } as const
/** Kept up to date by `derive.ts`. */
const MAINTAINED = { ...HIDDEN, nullable: true, maintained: true } as const

/** The name in lower case, by which zones are found, and the name for people. */
const NAMES = {
  _name: text({ ...HIDDEN, default: '', compute: lower }),
  _shown: text({ ...HIDDEN, default: '', compute: shown }),
} as const

/** JSON lists of nested objects of a model by the id of their owner. */
const listed = (model: string, owners: (ids: unknown) => Parameters<typeof sql>[1]) =>
  computed({ type: 'array', items: { type: 'object' }, readOnly: true }, async (ids, { database, nested }) => {
    const rows = await database.query<{ owner: number; id: number }>(
      owners(sql`${ids}::bigint[]`) as ReturnType<typeof sql>,
    )
    const texts = await nested(model, [...new Set(rows.map(({ id }) => id))])
    const byOwner = Map.groupBy(rows, ({ owner }) => owner)
    return new Map(
      ids.map((id) => [id, `[${(byOwner.get(id) ?? []).flatMap((row) => texts.get(row.id) ?? []).join(',')}]`]),
    )
  })

/** The value with whole names. */
const absoluteValue = computed({ type: 'string', readOnly: true }, async (ids, { database }) => {
  const rows = await database.query<{ id: number; type: string; value: string; zone: string }>(sql`
    select r.id, r.type, r.value, z.name as zone from ${table(RECORD)} r join ${table(ZONE)} z on z.id = r.zone_id
    where r.id = any(${ids}::bigint[])`)
  return new Map(
    rows.map(({ id, type, value, zone }) => {
      const meaning = parseValue(type, value, zone)
      return [id, JSON.stringify('problem' in meaning ? value : meaning.absolute)]
    }),
  )
})

/** The id of a zone template, or its name. */
const templateOf = (input: unknown) => {
  const value = typeof input === 'object' && input !== null ? ((input as Row).id ?? (input as Row).name) : input
  if (value === null || (typeof value === 'number' && Number.isSafeInteger(value))) return { value }
  if (typeof value === 'string' && value !== '' && value.length <= 200) return { value }
  return { refused: ['A zone template is named by its id.'] }
}

export const fields: Code['fields'] = {
  'netbox_dns.nameserver': { ...NAMES, zones: reverse(ZONE, 'nameservers') },
  [ZONE]: {
    ...NAMES,
    _network: network({ ...HIDDEN, nullable: true, compute: (row) => reverseNetwork(String(row.name)) }),
    _parent: integer({ ...MAINTAINED, size: 'big' }),
    soa_serial: integer({
      ...{ size: 'big', range: [0, 4_294_967_295], nullable: true, maintained: true, label: 'SOA serial' },
    }),
    active: derived('boolean', (column) => isServed(column('status'))),
    inline_signing: derived(
      'boolean',
      (column) => sql`(select p.inline_signing from ${table('netbox_dns.dnssecpolicy')} p
        where p.id = ${column('dnssec_policy')})`,
      { nullable: true },
    ),
    rfc2317_parent_zone: derivedKey(ZONE, (column) => column('_parent')),
    rfc2317_child_zones: listed(
      ZONE,
      (ids) =>
        sql`select z._parent as owner, z.id from ${table(ZONE)} z where z._parent = any(${ids}) order by z._name, z.id`,
    ),
    template: instruction(
      { oneOf: [{ type: 'integer' }, { type: 'object' }], nullable: true, writeOnly: true },
      templateOf,
    ),
  },
  [RECORD]: {
    _name: text({ ...HIDDEN, default: '', compute: lower }),
    _shown: text({ ...HIDDEN, default: '', compute: shown }),
    fqdn: text({ default: '', readOnly: true, maintained: true, unlogged: true, label: 'FQDN' }),
    _key: text({ ...HIDDEN, default: '', maintained: true }),
    _address: address(MAINTAINED),
    _ip: integer({ ...MAINTAINED, size: 'big' }),
    _ptr: integer({ ...MAINTAINED, size: 'big' }),
    _cname: integer({ ...MAINTAINED, size: 'big' }),
    _child: integer({ ...MAINTAINED, size: 'big' }),
    ptr_record: derivedKey(RECORD, (column) => column('_ptr')),
    address_records: listed(
      RECORD,
      (ids) =>
        sql`select r._ptr as owner, r.id from ${table(RECORD)} r where r._ptr = any(${ids}) order by r.fqdn, r.id`,
    ),
    active: derived('boolean', (column) => sql`${column('status')} = 'active' and ${isServed(column('zone.status'))}`),
    ipam_ip_address: derivedKey('ipam.ipaddress', (column) => column('_ip')),
    absolute_value: absoluteValue,
    expired: derived('boolean', (column) => sql`${column('status')} = 'expired'`),
  },
  'netbox_dns.dnsseckeytemplate': { policies: reverse('netbox_dns.dnssecpolicy', 'key_templates') },
  'netbox_dns.dnssecpolicy': {
    zones: reverse(ZONE, 'dnssec_policy'),
    zone_templates: reverse('netbox_dns.zonetemplate', 'dnssec_policy'),
  },
  // Responses of the plugin have it, always without a value.
  'netbox_dns.zonetemplate': { active: derived('boolean', () => sql`null::boolean`, { nullable: true }) },
  'netbox_dns.recordtemplate': { zone_templates: reverse('netbox_dns.zonetemplate', 'record_templates') },
}

/** Objects whose id is stored without a foreign key. */
const byId = (column: string) =>
  custom({
    ...{ value: 'integer', multiple: true, example: '1' },
    where: ({ column: of }, values) =>
      values.includes(null)
        ? sql`(${of(column)} is null or ${of(column)} = any(${values.filter((value) => value !== null)}::bigint[]))`
        : sql`${of(column)} = any(${values}::bigint[])`,
  })

/** An address in any spelling; other texts match nothing. */
const isAddress = custom({
  ...{ value: 'text', multiple: true, example: '192.0.2.1' },
  where: ({ column }, values) =>
    sql`${column('type')} in ('A', 'AAAA') and host(${column('_address')}) = any(${values.map((value) => spelled(String(value)))}::text[])`,
})

function spelled(address: string): string {
  const meaning = parseValue(address.includes(':') ? 'AAAA' : 'A', address, 'example')
  return 'problem' in meaning ? '' : meaning.canonical
}

/** A network in its usual form; other texts match nothing. */
const isNetwork = (column: string) =>
  custom({
    ...{ value: 'text', multiple: true, example: '192.0.2.0/24' },
    where: ({ column: of }, values) => sql`${of(column)}::text = any(${values.map(String)}::text[])`,
  })

const dates = (name: string) => ({
  [`${name}_after`]: numberFilter(name, 'date', { compare: 'gte' as const, plain: true }),
  [`${name}_before`]: numberFilter(name, 'date', { compare: 'lte' as const, plain: true }),
})

export const models: Code['models'] = {
  'netbox_dns.nameserver': { display: (column) => column('_shown') },
  [ZONE]: {
    display: (column) => column('_shown'),
    indexes: [{ fields: ['_name'] }, { fields: ['_parent'] }],
    filters: {
      active: holds(({ column }) => isServed(column('status'))),
      inline_signing: booleanFilter('dnssec_policy.inline_signing'),
      rfc2317_prefix: isNetwork('rfc2317_prefix'),
      arpa_network: isNetwork('_network'),
      rfc2317_parent_zone_id: byId('_parent'),
      rfc2317_parent_zone: custom({
        ...{ value: 'text', multiple: true, example: '2.0.192.in-addr.arpa' },
        where: ({ column, select }, values) =>
          sql`${column('_parent')} in (${select(
            ZONE,
            (of) => sql`${of('_name')} = any(${values.map((value) => String(value).toLowerCase())}::text[])`,
          )})`,
      }),
      ...dates('expiration_date'),
    },
  },
  [RECORD]: {
    derivedRows: 'managed',
    display: (column) => sql`case ${column('name')} when '@' then ${column('zone._shown')}
      else ${column('_shown')} || '.' || ${column('zone._shown')} end || ' [' || ${column('type')} || ']'`,
    indexes: [
      { fields: ['zone', '_name'] },
      { fields: ['_address'] },
      { fields: ['_ip'] },
      { fields: ['_ptr'] },
      { fields: ['_child'] },
    ],
    filters: {
      fqdn: textFilter('fqdn'),
      active: holds(({ column }) => sql`${column('status')} = 'active' and ${isServed(column('zone.status'))}`),
      expired: holds(({ column }) => sql`${column('status')} = 'expired'`),
      ip_address: isAddress,
      ipam_ip_address_id: byId('_ip'),
      ptr_record_id: byId('_ptr'),
      rfc2317_cname_record_id: byId('_cname'),
      address_record_id: custom({
        ...{ value: 'integer', multiple: true, example: '1' },
        where: ({ id }, values) =>
          sql`${id} in (select a._ptr from ${table(RECORD)} a where a.id = any(${values.filter((value) => value !== null)}::bigint[]))`,
      }),
      ...dates('expiration_date'),
    },
  },
}
