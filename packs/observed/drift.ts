/** Keeps the differences between observations and the inventory current. */
import {
  type AnyRow,
  deleteFrom,
  genericKeys,
  insertInto,
  type Model,
  type Queryable,
  type StoredObjects,
  sql,
  table,
  updateTable,
} from 'cadastre'
import { Reference, References, referencesIn, relationValues, type Values, valuesIn } from './entities.ts'
import { matchAll } from './match.ts'

export const OBSERVATION = 'observed.observation'
export const DRIFT = 'observed.driftitem'
export const RULE = 'observed.rule'
export const SOURCE = 'observed.source'

/** What reads and changes observations and drift. */
export interface Inventory {
  readonly stored: StoredObjects
  readonly database: Queryable
}

/** A stored observation. */
export interface Observation extends Record<string, unknown> {
  readonly id: number
  readonly source: number
  readonly kind: string
  readonly key: string
  readonly label: string
  readonly state: 'matched' | 'new' | 'ambiguous' | 'kept'
  readonly object: number | null
  readonly entity: boolean
  readonly values: Values
  readonly missing: boolean
  readonly defaults: readonly string[]
  /** Ids that programs were told for the new object; it gets the first of them. */
  readonly promised: readonly number[]
  /** Whose token has sent it. */
  readonly user: number | null
  /** What `key` is the hash of. */
  readonly identity: string
}

/** A difference as it should be stored. */
interface Difference {
  readonly observation: number
  readonly source: number
  readonly kind: string
  readonly object: number | null
  readonly site: number | null
  readonly change: 'new' | 'changed' | 'missing'
  readonly field: string
  readonly observed: unknown
  readonly current: unknown
  /** Types whose objects the difference shows. */
  readonly types: readonly string[]
}

/** The ids that programs were told for the object of the observation `o`. */
export const PROMISED = sql`array(select substr(k, 2)::bigint from unnest(o.keys) k where k like '@%' order by 1)`

/** The observations that meet a condition about `o` and their sources `s`. */
export async function observationsWhere(
  database: Queryable,
  condition: ReturnType<typeof sql>,
): Promise<readonly Observation[]> {
  const rows = await database.query<Record<string, unknown>>(sql`
    select o.id, o.source_id as source, o.kind, o.key, o.label, o.state, o.object_id as object, o.entity,
      o.values::text as values, o.missing, o.identity, s.defaults, s.user_id as user,
      ${PROMISED} as promised
    from ${table(OBSERVATION)} o join ${table(SOURCE)} s on s.id = o.source_id where ${condition} order by o.id`)
  return rows.map((row) => ({ ...row, values: valuesIn(String(row.values)) }) as Observation) // the columns selected above
}

/** Text by which the observations are found that refer to the one with this key. */
export const referenceText = (key: string): string => `#${key}`

/** Text by which the observation is found for whose object a program was told the id. */
export const promiseText = (id: number): string => `@${id}`

/** Matches these observations again if they are not matched, and brings the differences of all of them up to date. */
export async function refresh({ stored, database }: Inventory, ids: readonly number[]): Promise<void> {
  for (let pending = ids; pending.length > 0; ) {
    const observations = await observationsWhere(database, sql`o.id = any(${pending}::bigint[])`)
    const matchedKeys = await rematch({ stored, database }, observations)
    await compareAll({ stored, database }, pending)
    // What refers to an object that has just been matched differs in another way, or not at all.
    pending = (
      await database.queryColumn(sql`
        select o.id from ${table(OBSERVATION)} o
        where o.keys && ${matchedKeys.map(referenceText)}::text[]`)
    ).map(Number)
  }
}

/** Keys and ids of observed objects to which others refer. */
async function referredTo(database: Queryable, observations: readonly Observation[]) {
  const keys = [...new Set(observations.flatMap(({ values }) => referencesIn(values).map(({ ref }) => ref)))]
  if (keys.length === 0) return []
  return await observationsWhere(
    database,
    sql`o.source_id = any(${[...new Set(observations.map(({ source }) => source))]}::bigint[])
      and o.key = any(${keys}::text[])`,
  )
}

/** The objects that observations of one source are. */
export async function matchesOf({ stored, database }: Inventory, observations: readonly Observation[]) {
  const referred = await referredTo(database, observations)
  const sought = observations.map((observation) => ({ ...observation, sourceMatch: observation.promised[0] }))
  return await matchAll(stored, sought, {
    user: observations[0]?.user ?? null,
    known: new Map(referred.flatMap(({ key, object }) => (object === null ? [] : [[key, object] as const]))),
    defaults: new Set(observations[0]?.defaults),
    others: new Map(referred.map(({ key, values }) => [key, values])),
  })
}

/**
 * Looks for the objects that could not be found so far. Returns the keys of those that are matched now: each can be that
 * only once, so that whatever follows from it ends.
 */
async function rematch(
  { stored, database }: Inventory,
  observations: readonly Observation[],
): Promise<readonly string[]> {
  const matched: string[] = []
  for (const ofSource of Map.groupBy(observations, ({ source }) => source).values()) {
    const unmatched = ofSource.filter(({ object, state }) => object === null && state !== 'kept')
    if (unmatched.length === 0) continue
    const matches = await matchesOf({ stored, database }, unmatched)
    const results = unmatched.map(({ id, key }) => {
      const match = matches.get(key)
      return { id, ...matchColumns(match) }
    })
    const updated = await database.query<{ key: string; object: number | null }>(sql`
      ${updateTable(OBSERVATION)} o set state = q.state, matched_by = q.matched_by, candidates = q.candidates,
        object_id = q.object, object_type = case when q.object is null then null else o.kind end
      from jsonb_to_recordset(${JSON.stringify(results)}::jsonb)
        as q (id bigint, state text, matched_by text, candidates bigint[], object bigint)
      where o.id = q.id and (o.state, o.object_id, o.candidates::bigint[]) is distinct from (q.state, q.object, q.candidates)
        and (q.object is null or not exists (
          select from ${table(OBSERVATION)} a where a.source_id = o.source_id and a.kind = o.kind and a.object_id = q.object))
      returning o.key, o.object_id as object`)
    matched.push(...updated.flatMap(({ key, object }) => (object === null ? [] : [key])))
  }
  return matched
}

/** The columns that a match sets. */
export const matchColumns = (
  match: Awaited<ReturnType<typeof matchAll>> extends ReadonlyMap<string, infer M> ? M | undefined : never,
) =>
  match === undefined
    ? { state: 'new', object: null, matched_by: '', candidates: [] }
    : 'id' in match
      ? { state: 'matched', object: match.id, matched_by: match.by, candidates: [] }
      : { state: 'ambiguous', object: null, matched_by: match.by, candidates: match.candidates }

/** Compares the observations with the inventory, and stores the differences that have come, changed or gone. */
async function compareAll({ stored, database }: Inventory, ids: readonly number[]): Promise<void> {
  const observations = await observationsWhere(database, sql`o.id = any(${ids}::bigint[])`)
  const referred = await referredTo(database, observations)
  const idOf = new Map(referred.map(({ source, key, object }) => [`${source} ${key}`, object]))
  const labelOf = new Map(referred.map(({ source, key, label }) => [`${source} ${key}`, label]))
  const rows = new Map<string, AnyRow>()
  for (const [kind, ofKind] of Map.groupBy(observations, ({ kind }) => kind)) {
    if (!stored.registry.models.has(kind)) continue
    for (const row of await stored.rows(
      kind,
      ofKind.flatMap(({ object }) => object ?? []),
    ))
      rows.set(`${kind} ${row.id}`, row)
  }
  const differences = observations.flatMap((observation): readonly Unplaced[] => {
    const { source, kind, object } = observation
    const model = stored.registry.models.get(kind)
    if (!model) return []
    return differencesOf(observation, model, object === null ? undefined : rows.get(`${kind} ${object}`), {
      idOf: ({ ref }) => idOf.get(`${source} ${ref}`) ?? undefined,
      labelOf: ({ ref }) => labelOf.get(`${source} ${ref}`) ?? '',
    })
  })
  await storeDifferences({ stored, database }, ids, await withSites(stored, differences))
}

/** Ids of the site and of the device of an object, as far as it has them. */
interface Place {
  readonly site: number | undefined
  readonly device: number | undefined
}

type Unplaced = Omit<Difference, 'site'> & { readonly place: Place }

/** Where the object is; a new one is where it was observed. */
function placeOf(values: Values, row: AnyRow | undefined, { idOf }: Reading): Place {
  const idIn = (field: string): number | undefined => {
    const value = row ? row[field] : values[field]
    return value instanceof Reference ? idOf(value) : typeof value === 'number' ? value : undefined
  }
  return { site: idIn('site'), device: idIn('device') }
}

/** Components are at the sites of their devices. */
async function withSites(stored: StoredObjects, differences: readonly Unplaced[]): Promise<readonly Difference[]> {
  const devices = new Set(differences.flatMap(({ place: { site, device } }) => (site === undefined && device) || []))
  const sites = new Map((await stored.rows('dcim.device', [...devices])).map(({ id, site }) => [id, Number(site)]))
  return differences.map(({ place: { site, device }, ...difference }) => ({
    ...difference,
    site: difference.kind === 'dcim.site' ? difference.object : (site ?? sites.get(device ?? 0) ?? null),
  }))
}

/** What the references of an observation lead to. */
interface Reading {
  readonly idOf: (reference: Reference) => number | undefined
  readonly labelOf: (reference: Reference) => string
}

/** Where the object differs from what was observed. */
function differencesOf(
  { id, source, kind, object, entity, values, missing, defaults, state, label }: Observation,
  model: Model,
  row: AnyRow | undefined,
  references: Reading,
): readonly Unplaced[] {
  const base = { observation: id, source, kind, object, place: placeOf(values, row, references) }
  if (state === 'kept') return []
  if (object === null || row === undefined) {
    if (missing || state === 'ambiguous') return []
    return [{ ...base, object: null, change: 'new', field: '', observed: label, current: null, types: [kind] }]
  }
  if (missing) return [{ ...base, change: 'missing', field: '', observed: null, current: label, types: [] }]
  // What only others name is known too little to be compared.
  if (!entity) return []
  const skipped = new Set(defaults)
  return Object.entries(values).flatMap(([field, value]): readonly Unplaced[] => {
    if (skipped.has(`${kind}.${field}`)) return []
    const compared = compare(model, row, field, value, references)
    return compared ? [{ ...base, change: 'changed', field, ...compared }] : []
  })
}

/** The two values, if they differ. */
function compare(
  model: Model,
  row: AnyRow,
  field: string,
  value: unknown,
  { idOf, labelOf }: Reading,
): Pick<Difference, 'observed' | 'current' | 'types'> | undefined {
  if (value instanceof Reference) {
    const id = idOf(value)
    const wanted = relationValues(model, field, id === undefined ? undefined : { type: value.kind, id })
    const current = Object.fromEntries(Object.keys(wanted).map((name) => [name, row[name] ?? null]))
    if (id !== undefined && isSame(wanted, current)) return undefined
    return { observed: { type: value.kind, id: id ?? null, name: labelOf(value) }, current, types: [value.kind] }
  }
  if (value instanceof References) {
    const ids = value.refs.map(idOf)
    const present = Array.isArray(row[field]) ? (row[field] as readonly number[]) : [] // a list of relations contains ids
    const isComplete = ids.every((id) => id !== undefined && present.includes(id))
    // A source does not know all tags; other lists are complete.
    if (isComplete && (field === 'tags' || present.length === new Set(ids).size)) return undefined
    return {
      observed: value.refs.map(labelOf),
      current: present,
      types: [...new Set(value.refs.map(({ kind }) => kind))],
    }
  }
  const current = currentValue(model, row, field)
  return isSame(value, current) ? undefined : { observed: value, current, types: [] }
}

/** The value of a field, the id of a generic relation, or the value of a custom field. */
function currentValue({ fields }: Model, row: AnyRow, name: string): unknown {
  const field = fields.get(name)
  if (field) return row[field.kind === 'genericForeignKey' ? genericKeys(name, field).id : name] ?? null
  const values = row.custom_fields as Readonly<Record<string, unknown>> | null // an object in every row
  const custom = name.slice('custom_fields.'.length)
  return values && Object.hasOwn(values, custom) ? values[custom] : null
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null) || (one === '' && other === null)

async function storeDifferences(
  { stored, database }: Inventory,
  ids: readonly number[],
  differences: readonly Difference[],
): Promise<void> {
  const source = sql`jsonb_to_recordset(${JSON.stringify(differences)}::jsonb) as q (
    observation bigint, source bigint, kind text, object bigint, site bigint, change text, field text, observed jsonb, current jsonb, types text[])`
  const closed = (
    await database.queryColumn(sql`
      select d.id from ${table(DRIFT)} d where d.observation_id = any(${ids}::bigint[])
        and not exists (select from ${source} where q.observation = d.observation_id and q.field = d.field)`)
  ).map(Number)
  if (closed.length > 0) {
    const storeEvents = await stored.announce(DRIFT, 'object_deleted', closed)
    await database.execute(sql`${deleteFrom(DRIFT)} where id = any(${closed}::bigint[])`)
    storeEvents()
  }
  if (differences.length === 0) return
  // A decision is about a value: another one is a new difference.
  await database.execute(sql`
    ${updateTable(DRIFT)} d set change = q.change, observed = q.observed, current = q.current, types = q.types,
      object_id = q.object, object_type = case when q.object is null then null else q.kind end, site_id = q.site,
      (ignored, until, reason, ignored_by, problem, since) = (
        select case when n then false else d.ignored end, case when n then null else d.until end,
          case when n then '' else d.reason end, case when n then '' else d.ignored_by end,
          case when n then '' else d.problem end, case when n then now() else d.since end
        from (values ((d.change, d.observed) is distinct from (q.change, q.observed))) as is_new (n))
    from ${source} where q.observation = d.observation_id and q.field = d.field
      and (d.change, d.observed, d.current, d.types, d.object_id, d.site_id)
        is distinct from (q.change, q.observed, q.current, q.types, q.object, q.site)`)
  const opened = (
    await database.queryColumn(sql`
      ${insertInto(DRIFT)} (source_id, observation_id, kind, object_type, object_id, site_id, change, field, observed, current,
        types, since, status, ignored, until, reason, ignored_by, problem)
      select q.source, q.observation, q.kind, case when q.object is null then null else q.kind end, q.object, q.site, q.change,
        q.field, q.observed, q.current, q.types, now(), 'open', false, null, '', '', ''
      from ${source} where not exists (
        select from ${table(DRIFT)} d where d.observation_id = q.observation and d.field = q.field)
      returning id`)
  ).map(Number)
  await applyRules({ stored, database }, sql`d.observation_id = any(${ids}::bigint[])`)
  ;(await stored.announce(DRIFT, 'object_created', opened))()
}

/**
 * Decides about the differences that meet a condition on `d`: what a person ignores is ignored until the end of that,
 * otherwise the first rule that fits decides. What another rule could not accept says nothing about this one.
 */
export async function applyRules({ stored, database }: Inventory, condition: ReturnType<typeof sql>): Promise<void> {
  const members = await membersOfRules({ stored, database }, condition)
  await database.execute(sql`
    ${updateTable(DRIFT)} d set status = w.status, rule_id = w.rule, until = w.until, reason = w.reason,
      problem = case when d.rule_id is distinct from w.rule then '' else d.problem end
    from (
      select d.id, r.id as rule,
        case when i.holds or r.action = 'ignore' then 'ignored' when r.action = 'accept' then 'accepting' else 'open' end as status,
        case when i.holds then d.until else r.until end as until,
        case when i.holds then d.reason else coalesce(r.reason, '') end as reason
      from ${table(DRIFT)} d
      cross join lateral (select d.ignored and (d.until is null or d.until > now()) as holds) i
      left join lateral (
        select r.id, r.action, r.until, r.reason from ${table(RULE)} r
        where not i.holds and (r.until is null or r.until > now())
          and (r.source_id is null or r.source_id = d.source_id)
          and (r.object_type = '' or r.object_type = d.kind)
          and (r.group_id is null or (r.group_id, d.kind, d.object_id) in (
            select m.group_id, m.kind, m.id
            from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as m (group_id bigint, kind text, id bigint)))
          and (r.field = d.field and d.change = 'changed' or r.field = d.change
            or r.field = '' and d.change <> 'missing')
        order by r.weight, r.id limit 1) r on true
      where ${condition}) w
    where w.id = d.id and (d.status, d.rule_id, d.until, d.reason) is distinct from (w.status, w.rule, w.until, w.reason)`)
}

/** Which objects of these differences are members of the dynamic groups of rules. */
async function membersOfRules({ stored, database }: Inventory, condition: ReturnType<typeof sql>) {
  const groups = await database.query<{ id: number; kind: string }>(sql`
    select distinct g.id, g.object_type as kind from ${table(RULE)} r join ${table('extras.dynamicgroup')} g on g.id = r.group_id`)
  const members = []
  for (const { id: group, kind } of groups) {
    const ids = await database.queryColumn(sql`
      select distinct d.object_id from ${table(DRIFT)} d where d.object_type = ${kind} and ${condition}`)
    for (const id of await stored.members(kind, group, ids.map(Number))) members.push({ group_id: group, kind, id })
  }
  return members
}
