/** Accepting differences: ordinary writes, with the rights of whoever accepts. */
import { randomUUID } from 'node:crypto'
import {
  ApiError,
  type EndpointWriter,
  invalid,
  loadUserById,
  type Queryable,
  reserveIds,
  type Service,
  sql,
  table,
  updateTable,
  volatile,
  writeAs,
} from 'cadastre'
import { DRIFT, matchesOf, type Observation, observationsWhere, RULE, refresh } from './drift.ts'
import { Reference, References, referencesIn, relationValues, slugFor } from './entities.ts'
import { identityText } from './keys.ts'
import { levels } from './levels.ts'

/** A stored difference. */
export interface Item {
  readonly id: number
  readonly observation: number
  readonly kind: string
  readonly object: number | null
  readonly change: 'new' | 'changed' | 'missing'
  readonly field: string
}

/** One acceptance at a time: the next one sees what the last one has created. */
const LOCK = volatile`select pg_advisory_xact_lock(hashtextextended('cadastre acceptance of differences', 0))`

/** Accepts those of the differences with these ids that are still there; returns how many. As `accept`. */
export async function acceptItems(write: EndpointWriter, ids: readonly number[]): Promise<number> {
  const { database, stored } = write
  await database.execute(LOCK)
  const read = async () =>
    await database.query<Record<string, unknown> & Item>(sql`
      select d.id, d.observation_id as observation, d.kind, d.object_id as object, d.change, d.field
      from ${table(DRIFT)} d where d.id = any(${ids}::bigint[]) order by d.id`)
  const newObservations = (await read()).filter(({ change }) => change === 'new').map(({ observation }) => observation)
  // An object that another source has observed may have been created since.
  if (!stored.isBranch) await refresh({ stored, database }, newObservations)
  const items = await read()
  await accept(write, items)
  return items.length
}

/** Brings the inventory, or a branch, in line with what was observed. Throws ApiError if a write is refused. */
export async function accept(write: EndpointWriter, items: readonly Item[]): Promise<void> {
  const { created, late } = await createObjects(write, items)
  await updateObjects(write, [...items.filter(({ change }) => change === 'changed'), ...late], created)
  for (const [kind, ofKind] of Map.groupBy(items, ({ kind }) => kind)) {
    const missing = ofKind.flatMap(({ change, object }) => (change === 'missing' && object !== null ? [object] : []))
    // Components have gone with their device.
    const present = (await write.stored.rows(kind, missing)).map(({ id }) => id)
    await write.remove(kind, present, ALL)
  }
}

/** Refuses objects that the user may not write, which a list would ignore. */
const ALL = { refusesUnknown: true }

/** Ids of created objects, by the keys of their observations. */
type Created = Map<string, number>

/** A field to be set. */
type Change = Pick<Item, 'observation' | 'field'>

/**
 * Creates the new objects, and before them those to which they refer. `late`: what an object could not refer to when it
 * was created, such as its own address.
 */
async function createObjects(
  write: EndpointWriter,
  items: readonly Item[],
): Promise<{ readonly created: Created; readonly late: readonly Change[] }> {
  const { database, stored } = write
  const wanted = new Map<string, Observation>()
  const fields = Map.groupBy(items, ({ observation }) => observation)
  const observations = await observationsWhere(database, sql`o.id = any(${[...fields.keys()]}::bigint[])`)
  const isNew = ({ id, object }: Observation): boolean =>
    object === null && (fields.get(id) ?? []).some(({ change }) => change === 'new')
  const changes = observations.map((observation) => ({
    ...observation,
    values: isNew(observation)
      ? observation.values
      : Object.fromEntries((fields.get(observation.id) ?? []).map(({ field }) => [field, observation.values[field]])),
  }))
  for (const observation of observations) if (isNew(observation)) wanted.set(keyOf(observation), observation)
  for (let pending: readonly Observation[] = changes; pending.length > 0; ) {
    const refs = new Set(pending.flatMap(({ values }) => referencesIn(values).map(({ ref }) => ref)))
    const sources = [...new Set(pending.map(({ source }) => source))]
    const referred = await observationsWhere(
      database,
      sql`o.object_id is null and o.state = 'new' and o.source_id = any(${sources}::bigint[]) and o.key = any(${[...refs]}::text[])`,
    )
    pending = referred.filter((observation) => !wanted.has(keyOf(observation)))
    for (const observation of pending) wanted.set(keyOf(observation), observation)
  }
  const created: Created = new Map()
  // Observations know what is in the main inventory, but not what an acceptance has created in a branch.
  const unsure = stored.isBranch ? Map.groupBy(wanted.values(), ({ source }) => source).values() : []
  for (const ofSource of unsure) {
    const matches = await matchesOf({ stored, database }, ofSource)
    for (const observation of ofSource) {
      const match = matches.get(observation.key)
      if (match === undefined || !('id' in match)) continue
      created.set(keyOf(observation), match.id)
      wanted.delete(keyOf(observation))
    }
  }
  const late: Change[] = []
  for (const level of inOrder(wanted)) {
    const resolve = await resolverOf(database, level, created)
    for (const [kind, ofKind] of Map.groupBy(level, ({ kind }) => kind)) {
      const model = write.registry.model(kind)
      // Several sources may have observed it: what one of them says about an object itself counts most.
      const objects = ofKind
        .toSorted((one, other) => Number(other.entity) - Number(one.entity))
        .map((observation) => ({ observation, body: bodyOf(write, observation, resolve) }))
      const distinct = Map.groupBy(objects, ({ observation: { key }, body }) => identityText(model, body) ?? key)
      const firsts = [...distinct.values()].flatMap(([first]) => first ?? [])
      const promised = [...distinct.values()].map((same) => same.flatMap(({ observation }) => observation.promised)[0])
      const ids = await write.create(
        kind,
        firsts.map(({ body }) => body),
        { ids: await freeIds(write, kind, promised) },
      )
      for (const [index, same] of [...distinct.values()].entries()) {
        for (const { observation } of same) created.set(keyOf(observation), ids[index] ?? 0)
      }
      for (const { observation } of firsts) {
        const unresolved = Object.entries(observation.values).filter(([, value]) =>
          referencesIn({ value }).some((reference) => resolve(observation, reference) === undefined),
        )
        late.push(...unresolved.map(([field]) => ({ observation: observation.id, field })))
      }
    }
  }
  return { created, late }
}

/** Ids for new objects: those that programs were told, unless there are such objects meanwhile. */
async function freeIds(
  { database, stored }: EndpointWriter,
  kind: string,
  promised: readonly (number | undefined)[],
): Promise<readonly number[] | undefined> {
  const ids = promised.filter((id) => id !== undefined)
  if (ids.length === 0) return undefined
  const taken = new Set((await stored.rows(kind, ids)).map(({ id }) => id))
  const reserved = [...(await reserveIds(database, kind, promised.length - ids.length + taken.size))]
  return promised.map((id) => (id === undefined || taken.has(id) ? (reserved.pop() ?? 0) : id))
}

const keyOf = ({ source, key }: Pick<Observation, 'source' | 'key'>): string => `${source} ${key}`

/** The objects in the order of their creation: each after those to which it refers, except in a circle. */
const inOrder = (objects: ReadonlyMap<string, Observation>): readonly (readonly Observation[])[] =>
  levels(objects.values(), ({ source, values }) =>
    // Of a circle, these are set last.
    referencesIn(Object.fromEntries(Object.entries(values).filter(([name]) => !LATE.has(name)))).flatMap(
      ({ ref }) => objects.get(keyOf({ source, key: ref })) ?? [],
    ),
  )

/** Relations to objects that refer back by a required relation. */
const LATE: ReadonlySet<string> = new Set(['primary_ip4', 'primary_ip6', 'oob_ip', 'primary_mac_address', 'master'])

type Resolve = (observation: Pick<Observation, 'source'>, reference: Reference) => number | undefined

/** Finds the objects to which these observations refer. */
async function resolverOf(
  database: Queryable,
  observations: readonly Observation[],
  created: Created,
): Promise<Resolve> {
  const keys = [...new Set(observations.flatMap(({ values }) => referencesIn(values).map(({ ref }) => ref)))]
  const sources = [...new Set(observations.map(({ source }) => source))]
  const referred = await observationsWhere(
    database,
    sql`o.object_id is not null and o.key = any(${keys}::text[]) and o.source_id = any(${sources}::bigint[])`,
  )
  const ids = new Map(referred.map((observation) => [keyOf(observation), observation.object ?? undefined]))
  return ({ source }, { ref }) => created.get(`${source} ${ref}`) ?? ids.get(`${source} ${ref}`)
}

/** The body that creates the object. */
function bodyOf({ registry }: EndpointWriter, observation: Observation, resolve: Resolve): Record<string, unknown> {
  const model = registry.model(observation.kind)
  const body: Record<string, unknown> = { ...slugFor(model, observation.values) }
  for (const [name, value] of Object.entries(observation.values))
    addTo(body, model, observation, { name, value, resolve })
  return body
}

interface Added {
  readonly name: string
  readonly value: unknown
  readonly resolve: Resolve
}

/** Adds a value to a body; a reference to an object that does not exist is left out. */
function addTo(
  body: Record<string, unknown>,
  model: Parameters<typeof relationValues>[0],
  observation: Observation,
  { name, value, resolve }: Added,
): void {
  if (value instanceof Reference) {
    const id = resolve(observation, value)
    if (id !== undefined) Object.assign(body, relationValues(model, name, { type: value.kind, id }))
  } else if (value instanceof References) {
    const ids = value.refs.flatMap((reference) => resolve(observation, reference) ?? [])
    Object.assign(body, name === 'tags' ? withTags(body, ids) : { [name]: ids })
  } else if (name.startsWith('custom_fields.')) {
    body.custom_fields = { ...(body.custom_fields as object | undefined), [name.slice('custom_fields.'.length)]: value }
  } else if (value === null) Object.assign(body, relationValues(model, name, undefined))
  else body[name] = value
}

/** A body with further tags. */
const withTags = (body: Readonly<Record<string, unknown>>, ids: readonly unknown[]): Record<string, unknown> => ({
  ...body,
  tags: [...new Set([...(Array.isArray(body.tags) ? body.tags : []), ...ids])],
})

/** Sets the observed values of existing objects. Tags are added, not replaced. */
async function updateObjects(write: EndpointWriter, items: readonly Change[], created: Created): Promise<void> {
  if (items.length === 0) return
  const { database, registry } = write
  const stored = await observationsWhere(
    database,
    sql`o.id = any(${[...new Set(items.map(({ observation }) => observation))]}::bigint[])`,
  )
  const observations = stored.flatMap((observation) => {
    const object = created.get(keyOf(observation)) ?? observation.object
    return object === null ? [] : [{ ...observation, object }]
  })
  const resolve = await resolverOf(database, observations, created)
  const fields = Map.groupBy(items, ({ observation }) => observation)
  for (const [kind, ofKind] of Map.groupBy(observations, ({ kind }) => kind)) {
    const model = registry.model(kind)
    const rows = new Map(
      (
        await write.stored.rows(
          kind,
          ofKind.map(({ object }) => object),
        )
      ).map((row) => [row.id, row]),
    )
    // Several sources may differ about one object.
    const bodies = new Map<number, Record<string, unknown>>()
    for (const observation of ofKind) {
      const body = bodies.get(observation.object) ?? {}
      for (const { field } of fields.get(observation.id) ?? []) {
        addTo(body, model, observation, { name: field, value: observation.values[field], resolve })
      }
      if (Object.keys(body).length > 0) bodies.set(observation.object, body)
    }
    const targets = [...bodies].map(([id, body]) => {
      const tags = rows.get(id)?.tags
      return { id, body: Array.isArray(body.tags) && Array.isArray(tags) ? withTags(body, tags) : body }
    })
    await write.update(kind, targets, ALL)
  }
}

/** Accepts the differences of a source that rules accept, with the rights of the person who made the rule. */
export async function acceptByRules(service: Service, source: number): Promise<void> {
  const rows = await service.database.query<Record<string, unknown> & { id: number; user: number | null }>(sql`
    select d.id, r.user_id as user from ${table(DRIFT)} d join ${table(RULE)} r on r.id = d.rule_id
    where d.source_id = ${source}::bigint and d.status = 'accepting'
      and (d.problem = '' or starts_with(d.problem, ${FAILED})) order by d.id`)
  for (const [user, ofUser] of Map.groupBy(rows, ({ user }) => user)) {
    const ids = ofUser.map(({ id }) => id)
    const actor = user === null ? undefined : await loadUserById(service, service.database, user)
    if (actor) await acceptAs(service, actor, ids)
    else await noteProblem(service, ids, 'The person who made the rule is no longer active.')
  }
}

type User = NonNullable<Awaited<ReturnType<typeof loadUserById>>>

/** Accepts all that can be accepted: a refused half is divided until the refused difference is alone. */
async function acceptAs(service: Service, actor: User, ids: readonly number[]): Promise<void> {
  try {
    await writeAs(service, { actor, requestId: randomUUID() }, async (write) => {
      await acceptItems(write, ids)
    })
  } catch (error) {
    if (error instanceof ApiError && error.reason.kind === 'unavailable') throw error
    if (ids.length === 1) return await noteProblem(service, ids, problemOf(error))
    const middle = Math.ceil(ids.length / 2)
    await acceptAs(service, actor, ids.slice(0, middle))
    await acceptAs(service, actor, ids.slice(middle))
  }
}

const noteProblem = async (service: Service, ids: readonly number[], problem: string): Promise<void> => {
  await service.database.execute(sql`
    ${updateTable(DRIFT)} set problem = ${problem} where id = any(${ids}::bigint[])`)
}

/** With this begins what is tried again: a failure, unlike a refusal, may have passed at the next request. */
const FAILED = 'The write failed: '

/** The reason of a refusal, or of a failure, in one line. */
function problemOf(error: unknown): string {
  if (!(error instanceof ApiError)) return `${FAILED}${String(error)}`.slice(0, 1_000)
  const { reason, message } = error
  return ('messages' in reason ? JSON.stringify(reason.messages) : message).slice(0, 1_000)
}

/** Ids in the body of a request. Throws `invalid`. */
export function idsIn(body: unknown): readonly number[] {
  const ids = typeof body === 'object' && body !== null && 'ids' in body ? body.ids : undefined
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every((id) => Number.isSafeInteger(id))) {
    throw invalid({ ids: ['Enter a list of ids of differences.'] })
  }
  return ids
}
