/**
 * Requests of tokens that observe. Their writes become observations; the response is that of the write, which is only
 * tried. A new object has an id at once, by which the program can name it from then on.
 */
import {
  ApiError,
  type ApiRequest,
  bulkDeleteTargets,
  bulkUpdateTargets,
  DryRun,
  type Field,
  forbidden,
  genericKeys,
  type HttpResponse,
  invalid,
  isJsonObject,
  isScalar,
  isWritable,
  type JsonObject,
  type Model,
  objectId,
  preconditionOf,
  type Registry,
  requirePermission,
  requireUser,
  reserveIds,
  type Service,
  sql,
  storedObjects,
  table,
  writeObjects,
} from 'cadastre'
import { accept, type Item } from './accept.ts'
import { type Observation, observationsWhere, promiseText } from './drift.ts'
import { type KnownObject, observedObjects, slugFor } from './entities.ts'
import { findSource, recognise, takeIn } from './intake.ts'
import { hasValue, identityOf, labelOf } from './keys.ts'
import { Entries, Member, Message, type Value } from './protobuf.ts'

type Handler = (request: ApiRequest) => Promise<HttpResponse>

/** The response to a request. `handle`: that to any other token. Throws ApiError as the write would. */
export async function observe(request: ApiRequest, form: Model, handle: Handler): Promise<HttpResponse> {
  const service = request.service.latest ?? request.service
  const model = service.registry.model(form.name)
  const sender = { user: requireUser(request).id, name: await sourceName(request) }
  if (request.method === 'GET' || request.method === 'HEAD') return await read(request, form, sender, handle)
  if (service.branch || request.search.has('match')) {
    throw forbidden('This token only observes, and its requests here cannot be observations.')
  }
  if (CONFIGURATION.test(model.name)) {
    const [, plural] = model.definition.labels
    throw forbidden(`A token that observes cannot write ${plural}, because they are not part of the network.`)
  }
  const sent = await writesOf(request, form)
  for (const { body } of sent.writes) requireObservable(model, body)
  const isCreation = request.method === 'POST'
  if (isCreation) requirePermission(request.actor, 'add', model, service.settings)
  try {
    return await observeWrites(request, form, sender, sent)
  } catch (error) {
    if (!(isCreation && error instanceof ApiError && error.reason.kind === 'invalid')) throw error
    // Somebody else may have created the object since it was looked for.
    return await observeWrites(request, form, sender, sent)
  }
}

/** Who has sent a request: the owner and the name of a source. */
interface Sender {
  readonly user: number
  readonly name: string
}

/** Tries the writes and stores what they observe; returns the response to them. Throws ApiError. */
async function observeWrites(
  request: ApiRequest,
  form: Model,
  { user, name }: Sender,
  { writes: sent, isList }: Writes,
): Promise<HttpResponse> {
  const service = request.service.latest ?? request.service
  const { registry, database } = service
  const model = registry.model(form.name)
  const isCreation = request.method === 'POST'
  const owner = { user }
  const source = await findSource(database, owner, name)
  // Observations that are the named objects, or will become them; the ids that the program knows may be earlier ones.
  const named = new Named()
  renumbered(registry, model, sent, named.note)
  const own = source ? await ownObservations(service, source.id, named) : []
  const ids = new Map(
    own.flatMap((observation) =>
      observation.promised.map((id) => [`${observation.kind} ${id}`, idOf(observation)] as const),
    ),
  )
  const rename: Rename = (type, id) => named.note(type, ids.get(`${type} ${id}`) ?? id)
  const writes = renumbered(registry, model, sent, rename)
  const messages = writes.map(({ body }) => messageOf(registry, model, isJsonObject(body) ? body : {}))
  // What nothing else identifies is known by its id.
  const nameless = messages.filter(
    ({ fields }) => isCreation && identityOf(model, { ...slugFor(model, fields), ...fields }) === undefined,
  )
  const reserved = await reserveIds(database, model.name, nameless.length)
  const entities = messages.map((message, index) => {
    const id = writes[index]?.id ?? reserved[nameless.indexOf(message)]
    return new Message('Entity', { entity: new Member(model.name, withId(message, id)) })
  })
  const objects = observedObjects(registry, entities, await knownObjects(service, named, own))
  const keys = entities.map((entity) => objects.find((object) => object.entities.includes(entity))?.key ?? '')
  const { known, earlier } = await recognise(
    storedObjects(service, database),
    database,
    source ?? { ...owner, defaults: [] },
    objects,
  )

  const promised = new Map([...earlier.values()].flatMap(({ key, promised: [id] }) => (id ? [[key, id]] : [])))
  messages.forEach((message, index) => {
    const id = reserved[nameless.indexOf(message)]
    if (id !== undefined) promised.set(keys[index] ?? '', id)
  })
  const created = new Set(keys.filter((key) => isCreation && !known.has(key)))
  const unpromised = [...created].filter((key) => !promised.has(key))
  for (const [index, id] of (await reserveIds(database, model.name, unpromised.length)).entries()) {
    promised.set(unpromised[index] ?? '', id)
  }
  const targets = writes.map(({ id, body }, index) => {
    const key = keys[index] ?? ''
    return { key, body, id: known.get(key) ?? id ?? promised.get(key) ?? 0 }
  })
  const pending = own.filter(({ object, key, missing }) => object === null && !missing && !created.has(key))
  const isDeletion = request.method === 'DELETE'
  const precondition = isCreation ? undefined : preconditionOf(model, request)
  const response = await writeObjects(
    { ...request, dryRun: new DryRun() },
    form.name,
    async (write) => {
      await accept(write, pending.map(newItem))
      const ids = targets.map(({ id }) => id)
      const options = { precondition, refusesUnknown: isList }
      if (isDeletion) await write.remove(form.name, ids, options)
      else {
        const isNew = ({ key }: (typeof targets)[number]) => created.has(key)
        const news = [...Map.groupBy(targets.filter(isNew), ({ key }) => key).values()].flatMap(
          ([first]) => first ?? [],
        )
        await write.create(
          form.name,
          news.map(({ body }) => body),
          { bulk: isList, ids: news.map(({ id }) => id) },
        )
        await write.update(
          form.name,
          targets.filter((target) => !isNew(target)),
          { ...options, partial: request.method !== 'PUT' },
        )
      }
      return isList ? ids : (ids[0] ?? 0)
    },
    isCreation ? 201 : 200,
  )
  await takeIn(service, {
    ...{ owner, name, entities: entities.length, objects },
    metadata: { user_agent: request.headers['user-agent'] ?? '' },
    // The writes of an hour are one run.
    runId: new Date(service.clock.now()).toISOString().slice(0, 13),
    writes: {
      promised: new Map([...created].map((key) => [key, promised.get(key) ?? 0])),
      gone: isDeletion ? keys : [],
    },
  })
  return isDeletion ? { status: 204 } : response
}

/** Models whose objects describe this service, and not the network. */
const CONFIGURATION =
  /^(core|users|observed)\.|^extras\.(?!(tag|journalentry)$)|^custom_objects\.customobjecttype(field)?$/

/** The object that an observation is, or will be. */
const idOf = ({ object, promised }: Observation): number => object ?? promised[0] ?? 0

/** What has to be accepted so that the object exists. */
const newItem = ({ id, kind }: Observation): Item => ({
  ...{ id: 0, observation: id, kind, object: null, change: 'new', field: '' },
})

/** An object under the id that the program was told, even before it is accepted. */
async function read(request: ApiRequest, model: Model, { user, name }: Sender, handle: Handler): Promise<HttpResponse> {
  const { service } = request
  const source = service.branch || service.isPast ? undefined : await findSource(service.database, { user }, name)
  const named = new Named()
  named.note(model.name, objectId(request, model))
  const [own] = source ? await ownObservations(service, source.id, named) : []
  if (!own || own.missing) return await handle(request)
  const id = idOf(own)
  if (own.object !== null) return await handle({ ...request, parameters: [String(id)] })
  return await writeObjects(
    { ...request, dryRun: new DryRun() },
    model.name,
    async (write) => {
      await accept(write, [newItem(own)])
      return id
    },
    200,
  )
}

/** Throws `invalid` if the body sets a field whose value cannot be kept and compared, such as a file. */
function requireObservable({ fields }: Model, body: unknown): void {
  const refused = [...fields].flatMap(([name, field]) => {
    const isObservable = (isScalar(field) && field.kind !== 'file') || 'to' in field || OBSERVABLE.has(field.kind)
    const isSent = isJsonObject(body) && Object.hasOwn(body, name) && hasValue(body[name])
    return isSent && isWritable(field) && !isObservable ? [name] : []
  })
  if (refused.length === 0) return
  const messages = ['This field cannot be observed. Set it with a token that does not observe.']
  throw invalid(Object.fromEntries(refused.map((name) => [name, messages])))
}

const OBSERVABLE: ReadonlySet<string> = new Set(['genericForeignKey', 'tags', 'customFields'])

/** The write of one object; a new one has no id. */
interface Write {
  readonly id: number | undefined
  readonly body: unknown
}

interface Writes {
  readonly writes: readonly Write[]
  /** The request contains a list. */
  readonly isList: boolean
}

async function writesOf(request: ApiRequest, model: Model): Promise<Writes> {
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

/** Types and ids of the objects that a request names by ids. */
class Named {
  readonly #named = new Map<string, readonly [type: string, id: number]>()

  readonly note = (type: string, id: number): number => {
    this.#named.set(`${type} ${id}`, [type, id])
    return id
  };

  /** The ids by type. */
  *[Symbol.iterator](): Iterator<readonly [type: string, ids: readonly number[]]> {
    for (const [type, named] of Map.groupBy(this.#named.values(), ([type]) => type)) {
      yield [type, named.map(([, id]) => id)]
    }
  }
}

/** Gives an object another id. */
type Rename = (type: string, id: number) => number

/** The writes with other ids of objects. */
const renumbered = (registry: Registry, model: Model, writes: readonly Write[], rename: Rename): readonly Write[] =>
  writes.map(({ id, body }) => ({
    id: id === undefined ? undefined : rename(model.name, id),
    body: isJsonObject(body) ? renumberedBody(registry, model, body, rename) : body,
  }))

function renumberedBody(registry: Registry, model: Model, body: JsonObject, rename: Rename): JsonObject {
  const related = (type: Model, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown) => related(type, item))
    if (isJsonObject(value)) return { ...renumberedBody(registry, type, value, rename), ...idPart(type, value.id) }
    return idIn(value) === undefined ? value : rename(type.name, idIn(value) ?? 0)
  }
  const idPart = (type: Model, id: unknown) => (id === undefined ? {} : { id: related(type, id) })
  const changes: Record<string, unknown> = {}
  for (const [name, field] of model.fields) {
    const key = field.kind === 'genericForeignKey' ? genericKeys(name, field).id : name
    const type = relatedModel(registry, name, field, body)
    if (type && Object.hasOwn(body, key)) changes[key] = related(type, body[key])
  }
  return { ...body, ...changes } as JsonObject // values of JSON
}

/** The model to whose objects a field refers; of a generic relation, the one that the body names. */
function relatedModel(registry: Registry, name: string, field: Field, body: JsonObject): Model | undefined {
  if (field.kind === 'genericForeignKey') return registry.models.get(textOf(body[genericKeys(name, field).type]))
  return registry.models.get('to' in field ? field.to : field.kind === 'tags' ? 'extras.tag' : '')
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** The id that a value is. */
const idIn = (value: unknown): number | undefined =>
  /^\d{1,15}$/.test(textOf(value)) ? Number(textOf(value)) : undefined

/** The body as a message, in which a related object may have only its id. */
function messageOf(registry: Registry, model: Model, body: JsonObject): Message {
  const fields: Record<string, Value> = {}
  for (const [name, field] of model.fields) {
    if (!isWritable(field)) continue
    const generic = field.kind === 'genericForeignKey' ? genericKeys(name, field) : undefined
    const key = generic?.id ?? name
    const value = Object.hasOwn(body, key) ? body[key] : undefined
    const type = relatedModel(registry, name, field, body)
    if (generic && body[generic.type] === null) fields[name] = null
    else if (value === undefined || (generic && !type)) continue
    else if (!type || value === null) fields[name] = field.kind === 'customFields' ? entriesOf(value) : value
    else {
      const related = Array.isArray(value)
        ? value.map((item: unknown) => referenceTo(registry, type, item))
        : referenceTo(registry, type, value)
      fields[name] = generic ? new Member(name, related) : related
    }
  }
  return new Message(model.name, fields)
}

/** An object that a body names by its id, by a slug, or by attributes. */
function referenceTo(registry: Registry, model: Model, value: unknown): Message {
  if (isJsonObject(value)) return withId(messageOf(registry, model, value), idIn(value.id))
  const id = idIn(value)
  return id === undefined ? new Message(model.name, { slug: textOf(value) }) : withId(new Message(model.name, {}), id)
}

const withId = (message: Message, id: number | undefined): Message =>
  id === undefined ? message : new Message(message.type, { ...message.fields, id })

/** Custom fields as the entries of a map. */
const entriesOf = (values: Value): Entries =>
  new Entries(
    Object.fromEntries(
      Object.entries(isJsonObject(values) ? values : {}).map(([name, value]) => [
        name,
        new Message('CustomFieldValue', { value: new Member('text', value ?? null) }),
      ]),
    ),
  )

/** Observations of the source that are the named objects, or for which the program was told these ids. */
async function ownObservations({ database }: Service, source: number, named: Named): Promise<readonly Observation[]> {
  const ids = [...named].flatMap(([type, ids]) => ids.map((id) => ({ type, id })))
  const own = await observationsWhere(
    database,
    sql`o.source_id = ${source}::bigint and (o.keys && ${ids.map(({ id }) => promiseText(id))}::text[]
      or (o.object_type, o.object_id) in (
        select * from unnest(${ids.map(({ type }) => type)}::text[], ${ids.map(({ id }) => id)}::bigint[])))`,
  )
  const types = new Map(ids.map(({ type, id }) => [`${type} ${id}`, true]))
  return own.filter(({ kind, object, promised }) => [object, ...promised].some((id) => types.has(`${kind} ${id}`)))
}

/** The named objects, as the source knows them. */
async function knownObjects(
  service: Service,
  named: Named,
  own: readonly Observation[],
): Promise<ReadonlyMap<string, KnownObject>> {
  const known = new Map<string, KnownObject>()
  const stored = storedObjects(service, service.database)
  for (const [type, ids] of named) {
    for (const row of await stored.rows(type, ids)) {
      known.set(`${type} ${row.id}`, { identity: `${type} #${row.id}`, label: labelOf(row) })
    }
  }
  for (const observation of own) {
    known.set(`${observation.kind} ${idOf(observation)}`, observation)
  }
  return known
}
