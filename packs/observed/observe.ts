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
  type Json,
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
import { type KnownObject, type ObservedObject, observedObjects, References, slugFor } from './entities.ts'
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
    throw forbidden('This token can only observe, and this request cannot be observed.')
  }
  if (CONFIGURATION.test(model.name)) {
    const [, plural] = model.definition.labels
    throw forbidden(`A token that observes cannot write ${plural}, because they are not part of the network.`)
  }
  const sent = await writesOf(request, form)
  for (const { body } of sent.writes) requireObservable(model, body)
  const isCreation = request.method === 'POST'
  if (isCreation) requirePermission(request.actor, 'add', model, service.settings)
  const attempt = async () => {
    const subjects = await identify(service, model, sender, { ...sent, isCreation })
    const response = await tryWrites(request, form, sent.isList, subjects)
    await store(request, service, sender, subjects)
    return response
  }
  try {
    return await attempt()
  } catch (error) {
    if (!(isCreation && error instanceof ApiError && error.reason.kind === 'invalid')) throw error
    // Somebody else may have created the object since it was looked for.
    return await attempt()
  }
}

/** Who has sent a request: the owner and the name of a source. */
interface Sender {
  readonly user: number
  readonly name: string
}

/** The objects that a request writes. */
interface Subjects {
  readonly objects: readonly ObservedObject[]
  /** In the order of the request: the key of the observation, and the object that there is or will be. */
  readonly targets: readonly { readonly key: string; readonly id: number; readonly body: unknown }[]
  /** Ids of those to be created, by the keys of their observations. */
  readonly created: ReadonlyMap<string, number>
  /** What the request names, and what the source has observed but nobody has accepted. */
  readonly pending: readonly Observation[]
}

async function identify(
  service: Service,
  model: Model,
  { user, name }: Sender,
  { writes: sent, isCreation }: Pick<Writes, 'writes'> & { readonly isCreation: boolean },
): Promise<Subjects> {
  const { registry, database } = service
  const source = await findSource(database, { user }, name)
  // Observations that are the namedIds objects, or will become them; the ids that the program knows may be earlier ones.
  const namedIds = new NamedIds()
  renumbered(registry, model, sent, namedIds.note)
  const observations = source ? await ownObservations(service, source.id, namedIds) : []
  const current = new Map(
    observations.flatMap((observation) =>
      observation.promised.map((id) => [`${observation.kind} ${id}`, idOf(observation)] as const),
    ),
  )
  const writes = renumbered(registry, model, sent, (type, id) =>
    namedIds.note(type, current.get(`${type} ${id}`) ?? id),
  )
  const messages = writes.map(({ body }) => messageOf(registry, model, isJsonObject(body) ? body : {}))
  // What nothing else identifies is known by its id.
  const nameless = messages.filter(
    ({ fields }) => isCreation && identityOf(model, { ...slugFor(model, fields), ...fields }) === undefined,
  )
  const reserved = await reserveIds(database, model.name, nameless.length)
  const ids = messages.map((message, index) => writes[index]?.id ?? reserved[nameless.indexOf(message)])
  const entities = messages.map(
    (message, index) => new Message('Entity', { entity: new Member(model.name, withId(message, ids[index])) }),
  )
  const objects = observedObjects(registry, entities, await knownObjects(service, namedIds, observations))
  const keys = entities.map((entity) => objects.find((object) => object.entities.includes(entity))?.key ?? '')
  for (const [index, { body }] of writes.entries()) {
    if (!isJsonObject(body) || listIn(body, ADDED_TAGS).length === 0) continue
    addEarlierTags(
      objects.find(({ key }) => key === keys[index]),
      observations.find(({ key }) => key === keys[index]),
    )
  }
  const stored = storedObjects(service, database)
  const { known, earlier } = await recognise(stored, database, source ?? { user, defaults: [] }, objects)

  const created = new Map<string, number>()
  const unpromised = new Set<string>()
  for (const [index, key] of keys.entries()) {
    const id = earlier.get(key)?.promised[0] ?? ids[index]
    if (!isCreation || known.has(key)) continue
    if (id === undefined) unpromised.add(key)
    else created.set(key, id)
  }
  const promises = await reserveIds(database, model.name, unpromised.size)
  for (const [index, key] of [...unpromised].entries()) created.set(key, promises[index] ?? 0)
  return {
    objects,
    created,
    pending: observations.filter(({ object, key, missing }) => object === null && !missing && !created.has(key)),
    targets: writes.map(({ body }, index) => {
      const key = keys[index] ?? ''
      return { key, body, id: known.get(key) ?? created.get(key) ?? ids[index] ?? 0 }
    }),
  }
}

/** Further tags come to those that the program has sent before. */
function addEarlierTags(object: ObservedObject | undefined, earlier: Observation | undefined): void {
  const [tags, earlierTags] = [object?.values.tags, earlier?.values.tags]
  if (!object || !(tags instanceof References && earlierTags instanceof References)) return
  const refs = new Map([...earlierTags.refs, ...tags.refs].map((reference) => [reference.ref, reference]))
  object.values.tags = new References([...refs.values()])
}

/** The response to the writes, which change nothing. Throws ApiError. */
async function tryWrites(
  request: ApiRequest,
  form: Model,
  isList: boolean,
  { targets, created, pending }: Subjects,
): Promise<HttpResponse> {
  const ids = targets.map(({ id }) => id)
  const isNew = ({ key }: (typeof targets)[number]) => created.has(key)
  const news = [...Map.groupBy(targets.filter(isNew), ({ key }) => key).values()].flatMap(([first]) => first ?? [])
  const bodies = news.map(({ body }) => body)
  const options = {
    precondition: request.method === 'POST' ? undefined : preconditionOf(form, request),
    refusesUnknown: isList,
  }
  const response = await writeObjects(
    { ...request, dryRun: new DryRun() },
    form.name,
    async (write) => {
      await accept(write, pending.map(newItem))
      if (request.method === 'DELETE') await write.remove(form.name, ids, options)
      else {
        await write.create(form.name, bodies, { bulk: isList, ids: news.map(({ id }) => id) })
        const changed = targets.filter((target) => !isNew(target))
        await write.update(form.name, changed, { ...options, partial: request.method !== 'PUT' })
      }
      return isList ? ids : (ids[0] ?? 0)
    },
    request.method === 'POST' ? 201 : 200,
  )
  return request.method === 'DELETE' ? { status: 204 } : response
}

const store = (
  request: ApiRequest,
  service: Service,
  { user, name }: Sender,
  { objects, targets, created }: Subjects,
) =>
  takeIn(service, {
    ...{ owner: { user }, name, entities: targets.length, objects },
    metadata: { user_agent: request.headers['user-agent'] ?? '' },
    // The writes of an hour are one run.
    runId: new Date(service.clock.now()).toISOString().slice(0, 13),
    writes: { promised: created, gone: request.method === 'DELETE' ? targets.map(({ key }) => key) : [] },
  })

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
  const namedIds = new NamedIds()
  namedIds.note(model.name, objectId(request, model))
  const [observation] = source ? await ownObservations(service, source.id, namedIds) : []
  if (!observation || observation.missing) return await handle(request)
  const id = idOf(observation)
  if (observation.object !== null) return await handle({ ...request, parameters: [String(id)] })
  return await writeObjects(
    { ...request, dryRun: new DryRun() },
    model.name,
    async (write) => {
      await accept(write, [newItem(observation)])
      return id
    },
    200,
  )
}

/**
 * Throws `invalid` if the body sets a field whose value cannot be kept and compared, such as a file, or removes tags: a
 * source only adds some.
 */
function requireObservable({ fields }: Model, body: unknown): void {
  const refused = [...fields].flatMap(([name, field]) => {
    const isObservable = (isScalar(field) && field.kind !== 'file') || 'to' in field || OBSERVABLE.has(field.kind)
    const isSent = isJsonObject(body) && Object.hasOwn(body, name) && hasValue(body[name])
    if (field.kind === 'tags' && isJsonObject(body) && listIn(body, 'remove_tags').length > 0) return ['remove_tags']
    return isSent && isWritable(field) && !isObservable ? [name] : []
  })
  if (refused.length === 0) return
  const messages = ['This field cannot be observed. Set it with a token that does not observe.']
  throw invalid(Object.fromEntries(refused.map((name) => [name, messages])))
}

/** The list at a key of a body; empty if there is none. */
const listIn = (body: JsonObject, name: string): readonly Json[] => {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  return Array.isArray(value) ? value : []
}

const OBSERVABLE: ReadonlySet<Field['kind']> = new Set(['genericForeignKey', 'tags', 'customFields'])

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
class NamedIds {
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
    if (!type) continue
    for (const sent of field.kind === 'tags' ? [key, ADDED_TAGS] : [key]) {
      if (Object.hasOwn(body, sent)) changes[sent] = related(type, body[sent])
    }
  }
  return { ...body, ...changes } as JsonObject // values of JSON
}

/** The key of further tags of an object, which are observed like its `tags`. */
const ADDED_TAGS = 'add_tags'

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
    const sent = Object.hasOwn(body, key) ? body[key] : undefined
    const added = field.kind === 'tags' ? listIn(body, ADDED_TAGS) : []
    const value = added.length > 0 ? [...listIn(body, key), ...added] : sent
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
async function ownObservations(
  { database }: Service,
  source: number,
  named: NamedIds,
): Promise<readonly Observation[]> {
  const ids = [...named].flatMap(([type, ids]) => ids.map((id) => ({ type, id })))
  const observations = await observationsWhere(
    database,
    sql`o.source_id = ${source}::bigint and (o.keys && ${ids.map(({ id }) => promiseText(id))}::text[]
      or (o.object_type, o.object_id) in (
        select * from unnest(${ids.map(({ type }) => type)}::text[], ${ids.map(({ id }) => id)}::bigint[])))`,
  )
  const wanted = new Set(ids.map(({ type, id }) => `${type} ${id}`))
  return observations.filter(({ kind, object, promised }) =>
    [object, ...promised].some((id) => wanted.has(`${kind} ${id}`)),
  )
}

/** The named objects, as the source knows them. */
async function knownObjects(
  service: Service,
  named: NamedIds,
  observations: readonly Observation[],
): Promise<ReadonlyMap<string, KnownObject>> {
  const objects = new Map<string, KnownObject>()
  const stored = storedObjects(service, service.database)
  for (const [type, ids] of named) {
    for (const row of await stored.rows(type, ids)) {
      objects.set(`${type} ${row.id}`, { identity: `${type} #${row.id}`, label: labelOf(row) })
    }
  }
  for (const observation of observations) {
    objects.set(`${observation.kind} ${idOf(observation)}`, observation)
  }
  return objects
}
