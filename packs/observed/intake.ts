/** What becomes of a request: observed objects are stored, matched and compared. */
import {
  deleteFrom,
  firstCharacters,
  GrpcError,
  insertInto,
  type Queryable,
  repeated,
  type Service,
  type Sql,
  type StoredObjects,
  sql,
  storedObjects,
  table,
  updateTable,
} from 'cadastre'
import { acceptByRules } from './accept.ts'
import {
  DRIFT,
  matchColumns,
  OBSERVATION,
  observationsWhere,
  PROMISED,
  promiseText,
  referenceText,
  refresh,
  SOURCE,
} from './drift.ts'
import { hashOf, type ObservedObject, observedObjects, Reference, referencesIn, storedForm } from './entities.ts'
import { searchTexts, strongTexts } from './keys.ts'
import { matchAll } from './match.ts'
import { Document, Message } from './protobuf.ts'

const RUN = 'observed.run'

/** Minutes to which the time is exact at which an object was last seen: an identical request writes no objects. */
const PRECISION = 10

/** Problems that a run lists; more of them repeat the same mistake. */
const MAX_PROBLEMS = 100

/** Producers of the Orb agent. They send the defaults of their policies as if they had been observed. */
const AGENTS = /(^|\/)(device|snmp|network)-discovery$/
const AGENT_DEFAULTS = [
  ...['site', 'location', 'rack', 'role', 'tenant', 'description', 'comments', 'tags', 'status'].map(
    (field) => `dcim.device.${field}`,
  ),
  ...['ipam.ipaddress', 'ipam.prefix', 'ipam.vlan'].flatMap((type) =>
    ['role', 'tenant', 'description', 'comments', 'tags', 'status', 'scope', 'site', 'group', 'vrf'].map(
      (field) => `${type}.${field}`,
    ),
  ),
  'dcim.interface.tags',
]

/** What a source is named after: its client, or the user whose token observes. */
type Owner = { readonly client: number } | { readonly user: number }

/** What a source has sent. */
interface Intake {
  readonly owner: Owner
  /** The name of the source. */
  readonly name: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly runId: string
  readonly entities: number
  readonly objects: readonly ObservedObject[]
  /** For writes: the values that they set, beside those that were observed before. */
  readonly writes?: {
    /** Ids that new objects will get, by the keys of their observations. */
    readonly promised: ReadonlyMap<string, number>
    /** Keys of objects that were deleted. */
    readonly gone: readonly string[]
  }
}

/** A stored observation, as far as it decides what has to be done. */
interface Earlier {
  readonly id: number
  readonly key: string
  readonly kind: string
  readonly fingerprint: string
  readonly object: number | null
  readonly entity: boolean
  readonly missing: boolean
  readonly promised: readonly number[]
}

/** Stores the observations of an `IngestRequest`, and what follows from them. Throws GrpcError. */
export async function ingest(service: Service, client: number, request: Message): Promise<void> {
  const { producer_app_name: name, entities = [], metadata } = request.fields
  if (typeof name !== 'string' || name === '') throw new GrpcError('invalidArgument', 'The producer has no name.')
  const messages = (Array.isArray(entities) ? entities : []).filter((entity) => entity instanceof Message)
  const document = metadata instanceof Document ? metadata.document : {}
  await takeIn(service, {
    ...{ owner: { client }, name, metadata: document, entities: messages.length },
    runId: typeof document.run_id === 'string' ? document.run_id : '',
    objects: observedObjects(service.registry, messages),
  })
}

/** Stores observations, and what follows from them. */
export async function takeIn(service: Service, intake: Intake): Promise<void> {
  const source = await repeated(() =>
    service.database.transaction(async (database) => {
      const source = await lockSource(database, intake)
      const run = await beginRun(database, source.id, intake)
      await storeObjects(service, database, { source, run, ...intake })
      return source.id
    }),
  )
  await acceptByRules(service, source)
}

export interface Source {
  readonly id: number
  readonly user: number | null
  readonly defaults: readonly string[]
}

/** The condition on a source. */
const isSource = (owner: Owner, name: string): Sql =>
  'client' in owner
    ? sql`s.client_id = ${owner.client}::bigint and s.name = ${firstCharacters(name, 255)}`
    : sql`s.user_id = ${owner.user}::bigint and s.name = ${firstCharacters(name, 255)}`

/** The source, locked: its requests are handled one after the other. */
async function lockSource(database: Queryable, { owner, name }: Pick<Intake, 'owner' | 'name'>): Promise<Source> {
  const defaults = AGENTS.test(name) ? AGENT_DEFAULTS : []
  const [client, user] = 'client' in owner ? [owner.client, null] : [null, owner.user]
  // What a program does not write any more is not missing: it writes only what differs.
  const missingAfter = user === null ? 48 : null
  await database.execute(sql`
    ${insertInto(SOURCE)} (client_id, user_id, name, defaults, missing_after, description, created, last_updated)
    values (${client}::bigint, ${user}::bigint, ${firstCharacters(name, 255)}, ${defaults}::text[], ${missingAfter}::int, '', now(), now())
    on conflict do nothing`)
  const source = await findSource(database, owner, name, sql`for update`)
  if (!source) throw new Error('The source has just been stored')
  return source
}

/** The source, if it has sent something. */
export async function findSource(
  database: Queryable,
  owner: Owner,
  name: string,
  lock: Sql = sql``,
): Promise<Source | undefined> {
  const [source] = await database.query<Record<string, unknown> & Source>(sql`
    select s.id, s.user_id as user, s.defaults from ${table(SOURCE)} s where ${isSource(owner, name)} ${lock}`)
  return source
}

interface Run {
  readonly id: number
  readonly isNamed: boolean
}

/** The run of the request: the one that it names, or one of its own. */
async function beginRun(
  database: Queryable,
  source: number,
  { metadata, entities, writes, runId: sentId }: Intake,
): Promise<Run> {
  const runId = firstCharacters(sentId, 255)
  // A program that writes names only what it changes.
  const isNamed = runId !== '' && !writes
  const [open] =
    runId === ''
      ? []
      : await database.queryColumn(sql`
    ${updateTable(RUN)} set finished = now(), requests = requests + 1, entities = entities + ${entities}::bigint
    where source_id = ${source}::bigint and run_id = ${runId} returning id`)
  if (open !== undefined) return { id: Number(open), isNamed }
  const [id] = await database.queryColumn(sql`
    ${insertInto(RUN)} (source_id, run_id, started, finished, requests, entities, added, changed, unchanged, kept, problems, metadata)
    values (${source}::bigint, ${runId}, now(), now(), 1, ${entities}::bigint, 0, 0, 0, 0, '[]', ${JSON.stringify(metadata)}::jsonb)
    returning id`)
  return { id: Number(id), isNamed }
}

/** Observed objects, and the objects of the inventory that they are. */
interface Recognised {
  readonly fingerprints: ReadonlyMap<string, string>
  /** The stored observations, by their keys. */
  readonly earlier: ReadonlyMap<string, Earlier>
  /** Objects that have to be stored. */
  readonly written: readonly ObservedObject[]
  readonly unmatched: readonly ObservedObject[]
  /** Ids of matched objects, by the keys of the observed ones. */
  readonly known: ReadonlyMap<string, number>
  readonly matches: Awaited<ReturnType<typeof matchAll>>
}

/** Compares the objects with those that the source has observed before, and looks for the new ones in the inventory. */
export async function recognise(
  stored: StoredObjects,
  database: Queryable,
  source: Pick<Source, 'user' | 'defaults'> & Partial<Source>,
  objects: readonly ObservedObject[],
): Promise<Recognised> {
  const fingerprints = new Map(objects.map((object) => [object.key, fingerprintOf(object)]))
  const rows = await earlierOf(database, source.id, [...fingerprints.keys()])
  const earlier = new Map(rows.map((row) => [row.key, row]))
  const isUnchanged = ({ key, isEntity }: ObservedObject): boolean => {
    const row = earlier.get(key)
    // What others say about an object does not replace what it says itself.
    return row !== undefined && (row.fingerprint === fingerprints.get(key) || !isEntity)
  }
  const written = objects.filter((object) => !isUnchanged(object))
  const known = new Map(
    [...earlier.values()].flatMap(({ key, object }) => (object === null ? [] : [[key, object] as const])),
  )
  const unmatched = written.filter(({ key, isComparable }) => isComparable && !known.has(key))
  const matches = await matchAll(stored, unmatched, {
    known,
    user: source.user,
    defaults: new Set(source.defaults),
    others: new Map(objects.map(({ key, values }) => [key, values])),
    claimed: new Set([...earlier.values()].map(({ kind, object }) => `${kind} ${object}`)),
  })
  return { fingerprints, earlier, written, unmatched, known, matches }
}

interface Storing extends Pick<Intake, 'objects' | 'writes'> {
  readonly source: Source
  readonly run: Run
}

async function storeObjects(
  service: Service,
  database: Queryable,
  { source, run, objects, writes }: Storing,
): Promise<void> {
  const stored = storedObjects(service, database)
  const { fingerprints, earlier, written, unmatched, known, matches } = await recognise(
    stored,
    database,
    source,
    objects,
  )
  const renamed = await followNewKeys(database, source.id, { unmatched, known, seen: new Set(fingerprints.keys()) })
  const rows = written.map((object) => ({
    ...{
      key: object.key,
      identity: object.identity,
      kind: object.kind,
      label: object.label,
      entity: object.isEntity,
      values: storedForm(object.values),
    },
    ...{ problems: object.problems, fingerprint: fingerprints.get(object.key), types: [object.kind] },
    keys: [...searchTexts(object.values), ...referencesIn(object.values).map(({ ref }) => referenceText(ref))],
    parent: parentOf(object),
    ...(object.isComparable ? matchColumns(matches.get(object.key)) : { ...matchColumns(undefined), state: 'kept' }),
  }))
  const ids = await writeRows(database, { source: source.id, run: run.id, isPartial: writes !== undefined }, rows)
  if (writes) await notePromises(database, source.id, writes.promised)
  const returned = [...earlier.values()].filter(({ missing }) => missing).map(({ id }) => id)
  const seen = [...earlier.values()].map(({ id }) => id)
  await database.execute(sql`
    ${updateTable(OBSERVATION, { rows: seen, columns: ['last_seen', 'missing'] })}
    set last_seen = now(), missing = false where id = any(${seen}::bigint[])
      and (missing or ${run.isNamed}::boolean or last_seen < now() - make_interval(mins => ${PRECISION}::int))`)
  const missing = [
    ...(await noteMissingParts(database, run, [...seen, ...ids])),
    ...(await followTime(service, database, source.id)),
    ...(writes ? await noteGone(database, source.id, writes.gone) : []),
  ]
  const changed = [...new Set([...ids, ...renamed, ...returned, ...missing])]
  await refresh({ stored, database }, changed)
  await noteResult(database, run.id, {
    added: written.filter(({ key }) => !earlier.has(key)).length,
    changed: written.filter(({ key }) => earlier.has(key)).length,
    unchanged: objects.length - written.length,
    kept: objects.filter(({ isComparable }) => !isComparable).length,
    problems: objects.flatMap(({ kind, label, problems }) =>
      Object.entries(problems).map(([field, problem]) => ({ type: kind, object: label, field, problem })),
    ),
  })
}

const earlierOf = async (database: Queryable, source: number | undefined, keys: readonly string[]) =>
  await database.query<Record<string, unknown> & Earlier>(sql`
    select id, key, kind, fingerprint, object_id as object, entity, missing, ${PROMISED} as promised
    from ${table(OBSERVATION)} o where source_id = ${source ?? null}::bigint and key = any(${keys}::text[])`)

const fingerprintOf = ({ isEntity, values, problems, label }: ObservedObject): string =>
  hashOf(JSON.stringify([isEntity, label, problems, Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1))]))

/** The object to which a component belongs: when that is observed without the component, the component is missing. */
function parentOf({ values }: ObservedObject): string | null {
  const parent = [values.device, values.virtual_machine, values.assigned_object].find(
    (value) => value instanceof Reference,
  )
  return parent?.ref ?? null
}

/**
 * An object that the source now identifies in another way, because it was renamed or moved, keeps its observation.
 * Returns the ids of the observations that have changed.
 */
async function followNewKeys(
  database: Queryable,
  source: number,
  {
    unmatched,
    known,
    seen,
  }: {
    readonly unmatched: readonly ObservedObject[]
    readonly known: ReadonlyMap<string, number>
    readonly seen: ReadonlySet<string>
  },
): Promise<readonly number[]> {
  const byObject = new Map(
    unmatched.flatMap(({ kind, key }) => (known.has(key) ? [[`${kind} ${Number(known.get(key))}`, key] as const] : [])),
  )
  const byText = new Map(
    unmatched.flatMap(({ kind, key, values }) =>
      known.has(key) ? [] : strongTexts(values).map((text) => [`${kind} ${text}`, key] as const),
    ),
  )
  const matched = await database.query<Earlier & Record<string, unknown>>(sql`
    select o.kind, o.key, o.object_id as object
    from unnest(${unmatched.map(({ kind }) => kind)}::text[], ${unmatched.map(({ key }) => known.get(key) ?? null)}::bigint[])
      as q (kind, object)
    join ${table(OBSERVATION)} o on o.object_type = q.kind and o.object_id = q.object and o.source_id = ${source}::bigint`)
  const unfound = await database.query<Earlier & Record<string, unknown> & { readonly keys: readonly string[] }>(sql`
    select o.kind, o.key, o.keys from ${table(OBSERVATION)} o
    where o.source_id = ${source}::bigint and o.object_id is null
      and o.keys && ${unmatched.flatMap(({ key, values }) => (known.has(key) ? [] : strongTexts(values)))}::text[]`)
  const pairs = [
    ...matched.map(({ kind, key, object }) => [key, byObject.get(`${kind} ${Number(object)}`)] as const),
    ...unfound.map(
      ({ kind, key, keys }) => [key, keys.map((text) => byText.get(`${kind} ${text}`)).find(Boolean)] as const,
    ),
  ]
  const renamed = new Map<string, string>()
  const given = new Set<string>()
  for (const [old, key] of pairs) {
    if (key === undefined || seen.has(old) || renamed.has(old) || given.has(key)) continue
    renamed.set(old, key)
    given.add(key)
  }
  return await replaceKeys(database, source, renamed)
}

/** What the key of an observation is part of. */
interface Keyed extends Record<string, unknown> {
  readonly id: number
  readonly key: string
  readonly identity: string
  /** JSON texts. */
  readonly values: string
  readonly keys: string
}

/** An observation with another key than before. */
interface Rekeyed extends Keyed {
  readonly old: string
}

/** Gives observations other keys, and lets those that refer to them follow. Returns the ids of all of them. */
async function replaceKeys(
  database: Queryable,
  source: number,
  replaced: ReadonlyMap<string, string>,
): Promise<readonly number[]> {
  const read = (condition: ReturnType<typeof sql>) =>
    database.query<Keyed>(sql`
      select id, key, identity, values::text as values, to_jsonb(keys)::text as keys from ${table(OBSERVATION)}
      where source_id = ${source}::bigint and ${condition}`)
  const rows = await read(sql`key = any(${[...replaced.keys()]}::text[])`)
  const ids = await writeKeys(
    database,
    source,
    rows.map((row) => ({ ...row, old: row.key, key: replaced.get(row.key) ?? row.key })),
  )
  for (let renamed = replaced; renamed.size > 0; ) {
    const pairs = [...renamed]
    // Keys are hashes, which occur nowhere else.
    const follow = (text: string) => pairs.reduce((all, [old, key]) => all.replaceAll(old, key), text)
    const referring = await read(sql`keys && ${pairs.map(([old]) => referenceText(old))}::text[]`)
    const changes = referring.map((row): Rekeyed => {
      const identity = follow(row.identity)
      const key = identity === row.identity ? row.key : hashOf(identity)
      return { id: row.id, old: row.key, key, identity, values: follow(row.values), keys: follow(row.keys) }
    })
    ids.push(...(await writeKeys(database, source, changes)))
    renamed = new Map(changes.flatMap(({ old, key }) => (old === key ? [] : [[old, key] as const])))
  }
  return ids
}

/** Stores other keys. An observation whose new key another one has already is obsolete. */
async function writeKeys(database: Queryable, source: number, changes: readonly Rekeyed[]): Promise<number[]> {
  if (changes.length === 0) return []
  const renamed = changes.flatMap(({ key, old }) => (key === old ? [] : [key]))
  const taken = new Set(
    await database.queryColumn(sql`
      select key from ${table(OBSERVATION)} where source_id = ${source}::bigint and key = any(${renamed}::text[])`),
  )
  const isObsolete = ({ key, old }: Rekeyed): boolean => key !== old && taken.has(key)
  const dropped = changes.filter(isObsolete)
  const obsolete = dropped.map(({ id }) => id)
  const kept = changes.filter((change) => !isObsolete(change))
  // The other one keeps what programs were told.
  await database.execute(sql`
    ${updateTable(OBSERVATION)} o set keys = o.keys || array(
      select k from unnest(${obsolete}::bigint[], ${dropped.map(({ key }) => key)}::text[]) as q (id, key)
      join ${table(OBSERVATION)} p on p.id = q.id cross join unnest(p.keys) k where q.key = o.key and k like '@%')
    where o.source_id = ${source}::bigint and o.key = any(${dropped.map(({ key }) => key)}::text[])`)
  await database.execute(sql`${deleteFrom(DRIFT)} where observation_id = any(${obsolete}::bigint[])`)
  await database.execute(sql`
    ${updateTable(OBSERVATION)} set parent_id = null where parent_id = any(${obsolete}::bigint[])`)
  await database.execute(sql`${deleteFrom(OBSERVATION)} where id = any(${obsolete}::bigint[])`)
  await database.execute(sql`
    ${updateTable(OBSERVATION)} o set key = q.key, identity = q.identity, values = q.values::jsonb, fingerprint = '',
      keys = array(select jsonb_array_elements_text(q.keys::jsonb))
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as q (id bigint, key text, identity text, values text, keys text)
    where o.id = q.id`)
  return kept.map(({ id }) => id)
}

/**
 * Stores new and changed objects; returns their ids. An object that is matched already stays so. If the rows are partial,
 * what was observed before stays too.
 */
async function writeRows(
  database: Queryable,
  { source, run, isPartial }: { readonly source: number; readonly run: number; readonly isPartial: boolean },
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<readonly number[]> {
  if (rows.length === 0) return []
  const recordset = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as q (
    key text, identity text, kind text, label text, entity boolean, values jsonb, problems jsonb, fingerprint text, types text[],
    keys text[], parent text, state text, object bigint, matched_by text, candidates bigint[])`
  const parent = sql`(select p.id from ${table(OBSERVATION)} p where p.source_id = ${source}::bigint and p.key = q.parent limit 1)`
  const updated = await database.queryColumn(sql`
    ${updateTable(OBSERVATION)} o set label = q.label, identity = q.identity, entity = q.entity, problems = q.problems,
      values = case when ${isPartial}::boolean then o.values else '{}' end || q.values,
      fingerprint = q.fingerprint, types = q.types,
      keys = case when ${isPartial}::boolean then array(select unnest(o.keys) union select unnest(q.keys)) else q.keys end,
      last_seen = now(), run_id = ${run}::bigint, missing = false
    from ${recordset} where o.source_id = ${source}::bigint and o.kind = q.kind and o.key = q.key returning o.id`)
  const inserted = await database.queryColumn(sql`
    ${insertInto(OBSERVATION)} (source_id, kind, key, label, state, object_type, object_id, matched_by, candidates, entity,
      values, problems, missing, first_seen, last_seen, run_id, fingerprint, types, keys, identity)
    select ${source}::bigint, q.kind, q.key, q.label, q.state, case when q.object is null then null else q.kind end, q.object,
      q.matched_by, q.candidates, q.entity, q.values, q.problems, false, now(), now(), ${run}::bigint, q.fingerprint, q.types, q.keys, q.identity
    from ${recordset} where not exists (
      select from ${table(OBSERVATION)} o where o.source_id = ${source}::bigint and o.kind = q.kind and o.key = q.key)
    returning id`)
  const ids = [...updated, ...inserted].map(Number)
  await database.execute(sql`
    ${updateTable(OBSERVATION)} o set parent_id = ${parent} from ${recordset}
    where q.parent is not null and o.source_id = ${source}::bigint and o.key = q.key and o.id = any(${ids}::bigint[])`)
  return ids
}

/** Notes ids that the program was told for objects, by the keys of their observations. */
async function notePromises(database: Queryable, source: number, promised: ReadonlyMap<string, number>): Promise<void> {
  await database.execute(sql`
    ${updateTable(OBSERVATION)} o set keys = o.keys || q.promise
    from unnest(${[...promised.keys()]}::text[], ${[...promised.values()].map(promiseText)}::text[]) as q (key, promise)
    where o.source_id = ${source}::bigint and o.key = q.key and not q.promise = any(o.keys)`)
}

/** Notes objects as missing. Returns the ids of their observations. */
const noteGone = async (database: Queryable, source: number, keys: readonly string[]): Promise<readonly number[]> =>
  (
    await database.queryColumn(sql`
      ${updateTable(OBSERVATION)} set missing = true
      where source_id = ${source}::bigint and key = any(${keys}::text[]) returning id`)
  ).map(Number)

/**
 * Notes components as missing whose object, one of `seen`, this run has observed without them. Returns their ids.
 */
async function noteMissingParts(database: Queryable, run: Run, seen: readonly number[]): Promise<readonly number[]> {
  if (!run.isNamed) return []
  const ids = await database.queryColumn(sql`
    ${updateTable(OBSERVATION)} o set missing = true from ${table(RUN)} r
    where r.id = ${run.id}::bigint and o.parent_id = any(${seen}::bigint[]) and not o.missing and o.last_seen < r.started
    returning o.id`)
  return ids.map(Number)
}

/** Milliseconds between two looks for what follows from time alone. */
const TIMED = 60_000
const lastLooks = new Map<number, number>()

/**
 * Notes objects as missing that the source has not seen for the time that it allows, although it has sent something
 * both before and after that time. Returns their ids.
 */
async function followTime({ clock }: Service, database: Queryable, source: number): Promise<readonly number[]> {
  if (clock.now() - (lastLooks.get(source) ?? 0) < TIMED) return []
  lastLooks.set(source, clock.now())
  const ids = await database.queryColumn(sql`
    ${updateTable(OBSERVATION)} o set missing = true from ${table(SOURCE)} s
    where s.id = ${source}::bigint and o.source_id = s.id and not o.missing
      and o.last_seen + make_interval(mins => ${PRECISION}::int) < (
        select max(r.started) from ${table(RUN)} r
        where r.source_id = s.id and r.started <= now() - make_interval(hours => s.missing_after::int))
    returning o.id`)
  return ids.map(Number)
}

const noteResult = (
  database: Queryable,
  run: number,
  {
    problems,
    ...counts
  }: Readonly<Record<'added' | 'changed' | 'unchanged' | 'kept', number>> & {
    readonly problems: readonly object[]
  },
) =>
  database.execute(sql`
    ${updateTable(RUN)} set added = added + ${counts.added}::bigint, changed = changed + ${counts.changed}::bigint,
      unchanged = unchanged + ${counts.unchanged}::bigint, kept = kept + ${counts.kept}::bigint,
      problems = case when jsonb_array_length(problems) < ${MAX_PROBLEMS}::int
        then problems || ${JSON.stringify(problems.slice(0, MAX_PROBLEMS))}::jsonb else problems end
    where id = ${run}::bigint`)

/** Observations that an object which was written may be, or is. */
export async function observationsOf(
  database: Queryable,
  model: string,
  ids: readonly number[],
  texts: readonly string[],
) {
  return await observationsWhere(
    database,
    sql`(o.object_type = ${model} and o.object_id = any(${ids}::bigint[]))
      or (o.object_id is null and o.kind = ${model} and o.keys && ${texts}::text[])`,
  )
}
