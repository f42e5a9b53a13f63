/** Zone files out and in. */
import { createHash } from 'node:crypto'
import {
  type ApiRequest,
  action,
  andVisible,
  findTarget,
  type HttpResponse,
  invalid,
  jsonResponse,
  type Queryable,
  type Sql,
  sql,
  table,
  unlessKnown,
  writeWith,
} from 'cadastre'
import { RECORD, ZONE } from './derive.ts'
import { meaningOf } from './record-form.ts'
import { type FileRecord, readZoneFile, type ZoneRecord, zoneText } from './zone-file.ts'

interface Zone extends Record<string, unknown> {
  readonly id: number
  readonly name: string
  readonly default_ttl: number
}

const zoneOf = (request: ApiRequest) =>
  findTarget<Zone>(request, ZONE, { columns: sql`, t.name, coalesce(t.default_ttl, 86400) as default_ttl` })

/** The text of a zone with its active records that meet the condition. One TTL for each set: the lowest one. */
export async function textOfZone(
  database: Queryable,
  { id, name, default_ttl }: Zone,
  condition: Sql,
): Promise<string> {
  const records = await database.query<ZoneRecord & Record<string, unknown>>(sql`
    select t.name, t.type, t.value,
      min(coalesce(t.ttl, ${default_ttl}::integer)) over (partition by t._name, t.type) as ttl
    from ${table(RECORD)} t where t.zone_id = ${id}::bigint and t.status = 'active'${condition}
    order by t.type = 'SOA' desc, t._name = '@' desc, t._name, t.type = 'NS' desc, t.type, t.value, t.id`)
  return zoneText(name, default_ttl, records)
}

async function sendText(request: ApiRequest): Promise<HttpResponse> {
  const body = await textOfZone(request.service.database, await zoneOf(request), andVisible(request, RECORD))
  const headers = { ETag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` }
  return unlessKnown({ status: 200, body, type: 'text/dns; charset=utf-8', headers }, request.headers['if-none-match'])
}

interface Stored extends Record<string, unknown> {
  readonly id: number
  readonly name: string
  readonly type: string
  readonly value: string
  readonly key: string
  readonly ttl: number | null
  readonly managed: boolean
}

const keyOf = (name: string, type: string, key: string): string => `${name.toLowerCase()} ${type} ${key}`

/** What an import changes. */
interface Plan {
  readonly create: readonly (FileRecord & { readonly stored: number | null })[]
  readonly update: readonly { readonly record: Stored; readonly ttl: number | null }[]
  readonly remove: readonly Stored[]
  readonly unchanged: number
  readonly ignored: readonly string[]
}

/** Compares the records of a file with the active ones of the zone, by what they mean. */
function planOf(
  { name: zone, default_ttl }: Zone,
  file: readonly FileRecord[],
  stored: readonly Stored[],
  replaces: boolean,
): Plan {
  const present = new Map(stored.map((record) => [keyOf(record.name, record.type, record.key), record]))
  const seen = new Set<string>()
  const [create, update, ignored]: [Plan['create'][number][], Plan['update'][number][], string[]] = [[], [], []]
  let unchanged = 0
  for (const record of file) {
    const ttl = record.ttl === undefined || record.ttl === default_ttl ? null : record.ttl
    if (record.type === 'SOA') {
      ignored.push(`Line ${record.line}: the SOA record follows from the zone.`)
      continue
    }
    const key = keyOf(record.name, record.type, meaningOf(record.type, record.value, zone))
    if (seen.has(key)) {
      ignored.push(`Line ${record.line}: the record is there twice.`)
      continue
    }
    seen.add(key)
    const other = present.get(key)
    if (!other) create.push({ ...record, stored: ttl })
    else if (!other.managed && (other.ttl ?? default_ttl) !== (ttl ?? default_ttl)) update.push({ record: other, ttl })
    else unchanged++
  }
  const remove = replaces
    ? stored.filter(({ name, type, key, managed }) => !managed && !seen.has(keyOf(name, type, key)))
    : []
  return { create, update, remove, unchanged, ignored }
}

/** Records that a response names at most, of each kind. */
const MOST_NAMED = 1000

const reportOf = ({ create, update, remove, unchanged, ignored }: Plan, isDryRun: boolean) => ({
  dry_run: isDryRun,
  created: create.length,
  updated: update.length,
  deleted: remove.length,
  unchanged,
  ignored: ignored.slice(0, MOST_NAMED),
  create: create
    .slice(0, MOST_NAMED)
    .map(({ line, name, type, value, stored }) => ({ line, name, type, value, ttl: stored })),
  update: update
    .slice(0, MOST_NAMED)
    .map(({ record: { id, name, type, value }, ttl }) => ({ id, name, type, value, ttl })),
  delete: remove.slice(0, MOST_NAMED).map(({ id, name, type, value, ttl }) => ({ id, name, type, value, ttl })),
})

async function readText(request: ApiRequest): Promise<HttpResponse> {
  const zone = await zoneOf(request)
  const body = await request.body.read()
  const {
    text,
    replace = false,
    dry_run: isDryRun = false,
  } = (typeof body === 'object' && body !== null ? body : {}) as Readonly<Record<string, unknown>>
  if (typeof text !== 'string') throw invalid({ text: ['The text of a zone file is required.'] })
  for (const [name, flag] of Object.entries({ replace, dry_run: isDryRun })) {
    if (typeof flag !== 'boolean') throw invalid({ [name]: ['Must be a valid boolean.'] })
  }
  const { records, problems } = readZoneFile(text, zone.name)
  if (problems.length > 0) throw invalid({ text: problems })
  const plan = await writeWith(request, async ({ database, create, update, remove }) => {
    const stored = await database.query<Stored>(sql`
      select t.id, t.name, t.type, t.value, t._key as key, t.ttl, t.managed from ${table(RECORD)} t
      where t.zone_id = ${zone.id}::bigint and t.status = 'active'${andVisible(request, RECORD)}
      order by t._name, t.type, t.id`)
    const made = planOf(zone, records, stored, replace === true)
    if (isDryRun === true) return made
    if (made.remove.length > 0)
      await remove(
        RECORD,
        made.remove.map(({ id }) => id),
      )
    if (made.update.length > 0) {
      await update(
        RECORD,
        made.update.map(({ record: { id }, ttl }) => ({ id, body: { ttl } })),
      )
    }
    const bodies = made.create.map(({ name, type, value, stored: ttl }) => ({ zone: zone.id, name, type, value, ttl }))
    if (bodies.length > 0) {
      await create(RECORD, bodies, {
        refusal: (messages) =>
          invalid({
            text: messages
              .flatMap((refusal, index) =>
                refusal ? [`Line ${made.create[index]?.line}: ${Object.values(refusal).flat().join(' ')}`] : [],
              )
              .slice(0, 50),
          }),
      })
    }
    return made
  })
  return jsonResponse(200, reportOf(plan, isDryRun === true))
}

const RECORDS = { type: 'array', items: { type: 'object', additionalProperties: {} } } as const

export const actions = [
  action({
    path: 'plugins/netbox-dns/zones/:id/text',
    title: 'Zone Text',
    description: 'The zone as a zone file with its active records, for name servers.',
    methods: {
      GET: {
        handle: sendText,
        permission: { view: ZONE },
        answer: { type: 'string' },
        otherTypes: ['text/dns'],
      },
    },
  }),
  action({
    path: 'plugins/netbox-dns/zones/:id/import',
    title: 'Zone Import',
    description:
      'Creates the records of a zone file, and gives existing ones its TTL. With `replace`, records that the file lacks are deleted. With `dry_run`, nothing is changed.',
    methods: {
      POST: {
        handle: readText,
        permission: { view: ZONE, add: RECORD, change: RECORD },
        body: {
          type: 'object',
          required: ['text'],
          properties: { text: { type: 'string' }, replace: { type: 'boolean' }, dry_run: { type: 'boolean' } },
        },
        answer: {
          type: 'object',
          properties: {
            dry_run: { type: 'boolean' },
            created: { type: 'integer' },
            updated: { type: 'integer' },
            deleted: { type: 'integer' },
            unchanged: { type: 'integer' },
            ignored: { type: 'array', items: { type: 'string' } },
            create: RECORDS,
            update: RECORDS,
            delete: RECORDS,
          },
        },
      },
    },
  }),
]
