/**
 * Writes of tokens that observe. They become observations; the response is that of the write, which is only tried. A new
 * object has the id with which it will be created, so the program can go on and refer to it.
 */
import {
  type ApiRequest,
  bulkDeleteTargets,
  bulkUpdateTargets,
  DryRun,
  forbidden,
  genericKeys,
  type HttpResponse,
  isJsonObject,
  type Model,
  objectId,
  type Registry,
  requireUser,
  reserveIds,
  type Service,
  sql,
  storedObjects,
  table,
  writeObjects,
} from 'cadastre'
import { accept, itemsWhere } from './accept.ts'
import { type Observation, observationsWhere } from './drift.ts'
import { type KnownObject, observedObjects } from './entities.ts'
import { findSource, recognise, takeIn } from './intake.ts'
import { labelOf } from './keys.ts'
import { isMember, isMessage, type Message, type Value } from './protobuf.ts'

/** Apps whose objects are no part of the network. */
const REFUSED: ReadonlySet<string> = new Set(['core', 'users', 'observed'])

const STATUS: Readonly<Record<string, number>> = { POST: 201 }

/** The response to a write that is an observation. Throws ApiError as the write would. */
export async function observe(request: ApiRequest, form: Model): Promise<HttpResponse> {
  const service = request.service.latest ?? request.service
  const { registry, database } = service
  const model = registry.model(form.name)
  if (service.branch || request.search.has('match') || REFUSED.has(model.name.split('.')[0] ?? '')) {
    throw forbidden('This token only observes, and its requests here cannot be observations.')
  }
  const { writes, isList } = await writesOf(request, form)
  const owner = { user: requireUser(request).id }
  const name = await sourceName(request)
  const source = await findSource(database, owner, name)
  const entities = writes.map((write) => entityOf(registry, model, write))
  const named = namedObjects(entities)
  // Observations that are the named objects, or will become them.
  const own = source ? await ownObservations(service, source.id, named) : []
  const objects = observedObjects(registry, entities, await knownObjects(service, named, own))
  const { known, earlier } = await recognise(storedObjects(service, database), database, source, objects)
  const keys = entities.map((entity) => objects.find((object) => object.entities.includes(entity))?.key ?? '')
  const promised = new Map(
    [...own, ...earlier.values()].flatMap(({ key, promised }) => (promised ? [[key, promised]] : [])),
  )
  const created = new Set(keys.filter((key, index) => writes[index]?.id === undefined && !known.has(key)))
  const unpromised = [...created].filter((key) => !promised.has(key))
  const reserved = await reserveIds(database, model.name, unpromised.length)
  for (const [index, key] of unpromised.entries()) promised.set(key, reserved[index] ?? 0)

  const targets = writes.map(({ id, body }, index) => {
    const key = keys[index] ?? ''
    return { key, body, id: known.get(key) ?? id ?? promised.get(key) ?? 0 }
  })
  const pending = own.filter(({ object, key }) => object === null && !created.has(key)).map(({ id }) => id)
  const isDeletion = request.method === 'DELETE'
  const response = await writeObjects(
    { ...request, dryRun: new DryRun() },
    form.name,
    async (write) => {
      await accept(
        write,
        await itemsWhere(write.database, sql`d.change = 'new' and d.observation_id = any(${pending}::bigint[])`),
      )
      const ids = targets.map(({ id }) => id)
      if (isDeletion) await write.remove(form.name, ids)
      else {
        const first = new Map(targets.toReversed().map((target) => [target.key, target]))
        const isNew = ({ key }: (typeof targets)[number]) => created.has(key)
        const news = [...first.values()].filter(isNew).reverse()
        await write.create(
          form.name,
          news.map(({ body }) => body),
          { bulk: isList, ids: news.map(({ id }) => id) },
        )
        await write.update(
          form.name,
          targets.filter((target) => !isNew(target)),
        )
      }
      return isList ? ids : (ids[0] ?? 0)
    },
    STATUS[request.method] ?? 200,
  )
  await takeIn(service, {
    ...{
      owner,
      name,
      entities: entities.length,
      objects,
      metadata: { user_agent: request.headers['user-agent'] ?? '' },
    },
    // The writes of an hour are one run.
    runId: new Date(service.clock.now()).toISOString().slice(0, 13),
    writes: { promised, gone: isDeletion ? keys : [] },
  })
  return isDeletion ? { status: 204 } : response
}

/** The write of one object; a new one has no id. */
interface Write {
  readonly id: number | undefined
  readonly body: unknown
}

async function writesOf(
  request: ApiRequest,
  model: Model,
): Promise<{ readonly writes: readonly Write[]; readonly isList: boolean }> {
  const { method, body, parameters } = request
  if (parameters.length > 0) {
    const id = objectId(request, model)
    return { writes: [{ id, body: method === 'DELETE' ? {} : ((await body.read(model)) ?? {}) }], isList: false }
  }
  const content = await body.read(model)
  if (method === 'DELETE')
    return { writes: bulkDeleteTargets(content).map(({ id }) => ({ id, body: {} })), isList: true }
  if (method !== 'POST') return { writes: bulkUpdateTargets(content), isList: true }
  const bodies: readonly unknown[] = Array.isArray(content) ? content : [content ?? {}]
  return { writes: bodies.map((body) => ({ id: undefined, body })), isList: Array.isArray(content) }
}

/** The name of the source: the description of the token, or the name of its user. */
async function sourceName(request: ApiRequest): Promise<string> {
  const { tokenId, username } = requireUser(request)
  const [description] = await request.service.database.queryColumn(sql`
    select description from ${table('users.token')} where id = ${tokenId ?? null}::bigint`)
  return String(description || username)
}

function entityOf(registry: Registry, model: Model, { id, body }: Write): Message {
  const value = messageOf(registry, model, isJsonObject(body) ? body : {})
  const fields = id === undefined ? value.fields : { ...value.fields, id }
  return { type: 'Entity', fields: { entity: { member: model.name, value: { ...value, fields } } } }
}

/** The body as a message, in which a related object may have only its id. */
function messageOf(registry: Registry, model: Model, body: Readonly<Record<string, unknown>>): Message {
  const fields: Record<string, Value> = {}
  const target = (name: unknown): Model | undefined => registry.models.get(String(name))
  for (const [name, field] of model.fields) {
    if (field.kind === 'genericForeignKey') {
      const keys = genericKeys(name, field)
      const type = target(body[keys.type])
      if (type) fields[name] = { member: name, value: referenceTo(registry, type, body[keys.id]) }
      else if (body[keys.type] === null) fields[name] = null
    } else if (Object.hasOwn(body, name)) {
      const value = body[name] as Value // any JSON value
      const type = 'to' in field ? target(field.to) : field.kind === 'tags' ? target('extras.tag') : undefined
      if (!type || value === null) fields[name] = field.kind === 'customFields' ? entriesOf(value) : value
      else if (Array.isArray(value)) fields[name] = value.map((item: unknown) => referenceTo(registry, type, item))
      else fields[name] = referenceTo(registry, type, value)
    }
  }
  return { type: model.name, fields }
}

/** An object that a body names by its id, by a slug, or by attributes. */
function referenceTo(registry: Registry, model: Model, value: unknown): Message {
  if (isJsonObject(value)) return messageOf(registry, model, value)
  const text = String(value)
  return { type: model.name, fields: /^\d+$/.test(text) ? { id: Number(text) } : { slug: text } }
}

/** Custom fields as the entries of a map. */
const entriesOf = (values: Value): Value => ({
  entries: Object.fromEntries(
    Object.entries(isJsonObject(values) ? values : {}).map(([name, value]) => [
      name,
      { type: 'CustomFieldValue', fields: { value: { member: 'text', value: value as Value } } }, // any JSON value
    ]),
  ),
})

/** Types and ids of the objects that messages name by their ids. */
function namedObjects(messages: readonly Message[]): readonly (readonly [type: string, id: number])[] {
  const named = new Map<string, readonly [string, number]>()
  const visit = (value: Value): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    else if (isMember(value)) visit(value.value)
    else if (isMessage(value)) {
      const { id } = value.fields
      if (typeof id === 'number') named.set(`${value.type} ${id}`, [value.type, id])
      for (const field of Object.values(value.fields)) visit(field)
    }
  }
  for (const message of messages) visit(message)
  return [...named.values()]
}

type Named = ReturnType<typeof namedObjects>

const ownObservations = ({ database }: Service, source: number, named: Named): Promise<readonly Observation[]> => {
  const objects = sql`select * from unnest(${named.map(([type]) => type)}::text[], ${named.map(([, id]) => id)}::bigint[])`
  return observationsWhere(
    database,
    sql`o.source_id = ${source}::bigint and ((o.object_type, o.object_id) in (${objects}) or (o.kind, o.promised) in (${objects}))`,
  )
}

/** The named objects, as the source knows them. */
async function knownObjects(
  service: Service,
  named: Named,
  own: readonly Observation[],
): Promise<ReadonlyMap<string, KnownObject>> {
  const known = new Map<string, KnownObject>()
  const stored = storedObjects(service, service.database)
  for (const [type, ofType] of Map.groupBy(named, ([type]) => type)) {
    const rows = await stored.rows(
      type,
      ofType.map(([, id]) => id),
    )
    for (const row of rows) {
      known.set(`${type} ${row.id}`, { identity: `${type} #${row.id}`, label: labelOf(row) })
    }
  }
  for (const observation of own) {
    for (const id of [observation.promised, observation.object]) {
      if (id !== null) known.set(`${observation.kind} ${id}`, observation)
    }
  }
  return known
}
