import { mayAct } from '../../identity/permitted-rows.ts'
import { customFieldParameters } from '../../read/query/custom-field-parameters.ts'
import { LOOKUPS } from '../../read/query/lookups.ts'
import { isOrderable } from '../../read/query/order.ts'
import { parametersOf } from '../../read/query/parameters.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn, stringsIn } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { fieldsMetadata } from '../options/field-metadata.ts'
import { type Call, modelOf, type Query, RIGHTS, read, ToolError } from './call.ts'
import { type Arguments, type Tool, TYPE, tool } from './tool.ts'

const BRANCH = { type: 'string', description: 'Name or schema_id of a branch; the inventory itself by default' }
const AS_OF = { type: 'string', description: 'A past time, such as 2026-11-01T12:00:00Z; now by default' }
const ID = { type: 'integer', minimum: 1, description: 'Id of the object' }
const LIMIT = { type: 'integer', minimum: 1, maximum: 1000, description: 'Most objects to return; 20 by default' }
const OFFSET = { type: 'integer', minimum: 0, description: 'Objects to skip: next_offset of the response before' }

const DEFAULT_LIMIT = 20

/** Parameters of a list that is read in slices. */
const slice = ({ limit = DEFAULT_LIMIT, offset = 0 }: Arguments): Query => ({ limit, offset })

/** The part of a list of the API that tools return; `shortened` lists may have fewer entries. */
const listed = (document: Json, { offset = 0 }: Arguments): JsonObject => {
  const { count = null, results = [], ...envelope } = isJsonObject(document) ? document : {}
  const { next: _, previous: __, ...more } = envelope
  return { count, offset, ...more, results }
}

const search = tool({
  name: 'search',
  title: 'Search',
  description:
    'Finds objects of every type by a text, an address, a prefix or a hardware address. Use it first when you have a name.',
  properties: {
    text: { type: 'string', minLength: 1, maxLength: 200 },
    types: { type: 'array', items: TYPE, description: 'Only objects of these types' },
    limit: LIMIT,
    offset: OFFSET,
  },
  required: ['text'],
  run: async (call, { text, types, ...window }) =>
    listed(await read(call, 'search/', { q: text, obj_types: types, ...slice(window) }), window),
})

/** The actions that the caller may perform on some objects of the model. */
const rightsOn = ({ actor, service }: Call, model: Model): readonly string[] =>
  RIGHTS.filter((right) => (right !== 'propose' || !actor.isSuperuser) && mayAct(actor, right, model, service.settings))

/** Longer lists of choices are listedChoices only for the one field that the call names. */
const MOST_CHOICES = 12

/** A field in few words: its type, what it refers to, its choices. */
function fieldSummary(metadata: Readonly<Record<string, unknown>>, to: string | undefined, isWhole: boolean): Json {
  const { type, required, read_only: isReadOnly, choices, help_text: help, max_length: length } = metadata
  const values = Array.isArray(choices) ? choices.map((choice: { value: Json }) => choice.value) : undefined
  const listedChoices = isWhole ? values : values?.slice(0, MOST_CHOICES)
  return {
    type: to === undefined ? String(type) : `reference to ${to}: its id, or an object with unique values`,
    ...(required === true && { required }),
    ...(isReadOnly === true && { read_only: true }),
    ...(typeof length === 'number' && { max_length: length }),
    ...(listedChoices && { choices: listedChoices }),
    ...(listedChoices &&
      values &&
      values.length > listedChoices.length && { more_choices: values.length - listedChoices.length }),
    ...(typeof help === 'string' && { help }),
  }
}

/** Filters with their lookups, as `{status: 'n ic isw'}`. */
function filtersOf({ registry }: Call, model: Model): Record<string, string> {
  const lookups: Record<string, string[]> = {}
  for (const { base, lookup } of parametersOf(registry, model).values()) {
    lookups[base] ??= []
    if (lookup !== 'exact') lookups[base].push(lookup)
  }
  return Object.fromEntries(Object.entries(lookups).map(([base, names]) => [base, names.join(' ')]))
}

/** The object types that the caller may view. */
export const viewableModels = ({ actor, registry, service }: Call): readonly Model[] =>
  [...registry.models.values()].filter(
    (model) => model.path !== '' && model.definition.private !== true && mayAct(actor, 'view', model, service.settings),
  )

/** The fields and filters of a model with the caller's rights, or one field with all its choices. */
export function describeModel(call: Call, model: Model, field?: Json): JsonObject {
  const metadata = fieldsMetadata(call.registry, model)
  const summaryOf = (key: string, isWhole: boolean): Json => {
    const declared = model.fields.get(key)
    return fieldSummary(metadata[key] ?? {}, declared?.kind === 'foreignKey' ? declared.to : undefined, isWhole)
  }
  if (field !== undefined) {
    if (!Object.hasOwn(metadata, String(field))) {
      throw new ToolError(`${model.name} has no field ${JSON.stringify(field)}.`, { fields: Object.keys(metadata) })
    }
    return { type: model.name, field: { [String(field)]: summaryOf(String(field), true) } }
  }
  return {
    type: model.name,
    path: `/api/${model.path}/`,
    about: model.definition.about ?? null,
    rights: rightsOn(call, model),
    fields: Object.fromEntries(Object.keys(metadata).map((key) => [key, summaryOf(key, false)])),
    filters: filtersOf(call, model),
  }
}

const describe = tool({
  name: 'describe',
  title: 'Describe object types',
  description:
    'Without arguments: all object types that you may view, with their paths and your rights. With a type: its fields, ' +
    'filters (with their lookups: {"name": "ic"} means that the filter name__ic exists) and your rights. With a type ' +
    'and a field: all choices of the field. Custom fields are objects of the type extras.customfield.',
  properties: { type: TYPE, field: { type: 'string', description: 'One field, with all its choices' } },
  run: async (call, { type, field }) => {
    if (type !== undefined) return describeModel(call, modelOf(call, type), field)
    const types = viewableModels(call).map((model) => ({
      ...{ type: model.name, path: `/api/${model.path}/`, rights: rightsOn(call, model).join(' ') },
    }))
    const lookups = Object.fromEntries(Object.entries(LOOKUPS).map(([name, { label }]) => [name, label]))
    return { user: call.actor.username, lookups, types }
  },
})

/** Names of saved filters, which lists of every model take. */
const SAVED_FILTERS: ReadonlySet<string> = new Set(['filter', 'filter_id'])

/** Throws `ToolError` for filters that the model does not have: the API would ignore them and return too much. */
async function checkFilters(call: Call, model: Model, filters: JsonObject): Promise<void> {
  const names = Object.keys(filters)
  const parameters = parametersOf(call.registry, model)
  const custom = await customFieldParameters(call.service, model, names)
  const unknown = names.filter((name) => !parameters.has(name) && !custom.has(name) && !SAVED_FILTERS.has(name))
  if (unknown.length === 0) return
  throw new ToolError(`${model.name} has no filter ${unknown.join(', ')}.`, {
    filters: filtersOf(call, model),
    hint: 'A list as the value means any of its entries; lookups follow two underscores: name__ic.',
  })
}

/** Throws `ToolError` for fields that the model does not have: the API would leave them out. */
function checkFields(model: Model, fields: readonly string[]): void {
  const existing = [...new Set(['id', ...model.answer])]
  const unknown = fields.filter((name) => !existing.includes(name))
  if (unknown.length > 0) throw new ToolError(`${model.name} has no field ${unknown.join(', ')}.`, { fields: existing })
}

/** Throws `ToolError` for an order that the model does not have: the API would use another one. */
function checkOrder({ registry }: Call, model: Model, order: string): void {
  const unknown = order
    .split(',')
    .map((term) => term.trim().replace(/^-/, ''))
    .filter((name) => !isOrderable(registry, model, name))
  if (unknown.length === 0) return
  const fields = [...new Set(['id', ...model.answer])].filter((name) => isOrderable(registry, model, name))
  throw new ToolError(`${model.name} cannot be sorted by ${unknown.map((name) => JSON.stringify(name)).join(', ')}.`, {
    fields,
  })
}

const VALUE = { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] }

const FILTERS = {
  type: 'object',
  description: 'Filters of the list, all of which must match: {"site": "ams", "status": ["active", "planned"]}',
  additionalProperties: {
    anyOf: [...VALUE.anyOf, { type: 'array', items: VALUE }],
  },
}

const readObjects = tool({
  name: 'read',
  title: 'Read objects',
  description:
    'Reads objects of one type: one by its id, with the findings of rules about it, or a list by filters. Lists have the brief form of objects unless you name fields.',
  properties: {
    type: TYPE,
    id: ID,
    filters: FILTERS,
    fields: {
      ...{ type: 'array', items: { type: 'string' }, minItems: 1 },
      description: 'Fields to return, at least one; "describe" lists them',
    },
    full: { type: 'boolean', description: 'Return all fields' },
    order: { type: 'string', description: 'Fields to sort by, - for descending: "site,-name"' },
    count: { type: 'boolean', description: 'Return only the number of objects' },
    limit: LIMIT,
    offset: OFFSET,
    as_of: AS_OF,
    branch: BRANCH,
  },
  required: ['type'],
  run: async (call, args) => {
    const { id, fields, full, order, count, as_of, branch } = args
    const model = modelOf(call, args.type)
    checkFields(model, stringsIn(fields))
    if (order !== undefined) checkOrder(call, model, String(order))
    const place = { as_of, branch }
    const shape = fields === undefined ? { brief: full === true || id !== undefined ? undefined : true } : {}
    const projection = { ...place, ...shape, fields: fields === undefined ? undefined : stringsIn(fields).join() }
    if (id !== undefined) {
      const object = await read(call, `${model.path}/${id}/`, projection)
      return { object, ...(await findingsAbout(call, model, Number(id), as_of)) }
    }
    const filters = isJsonObject(args.filters) ? args.filters : {}
    await checkFilters(call, model, filters)
    if (count === true) {
      const { count: number } = listed(await read(call, `${model.path}/`, { ...filters, ...place, limit: 1 }), {})
      return { count: number ?? null }
    }
    const query = { ...filters, ...projection, ordering: order, ...slice(args) }
    return listed(await read(call, `${model.path}/`, query), args)
  },
})

/** What rules say about the object, if they say anything that the caller may view. */
async function findingsAbout(call: Call, model: Model, id: number, asOf: Json | undefined): Promise<JsonObject> {
  const query = {
    object_type: model.name,
    object_id: id,
    as_of: asOf,
    fields: 'rule,since,causes,accepted_until,reason',
  }
  const list = await read(call, 'extras/findings/', query).catch(() => null)
  const findings = objectsIn(isJsonObject(list) ? list.results : [])
  return findings.length === 0 ? {} : { findings }
}

const history = tool({
  name: 'history',
  title: 'Read the history',
  description:
    'Who changed what, latest first. With type and id: the changes of one object with the fields that differ, even of a deleted one. ' +
    'Otherwise: changes of all objects, by user, type and time.',
  properties: {
    type: TYPE,
    id: ID,
    field: { type: 'string', description: 'With an id: only changes of this field' },
    user: { type: 'string', description: 'Name of the user who made the changes' },
    after: { type: 'string', description: 'Only changes since this time, such as 2026-11-01T00:00:00Z' },
    before: { type: 'string', description: 'Only changes until this time' },
    limit: LIMIT,
    offset: OFFSET,
  },
  run: async (call, args) => {
    const { type, id, field, user, after, before } = args
    const model = type === undefined ? undefined : modelOf(call, type)
    if (id !== undefined && !model) throw new ToolError('Name the type of the object as well.')
    if (model && id !== undefined && [user, after, before].every((value) => value === undefined)) {
      return listed(await read(call, `${model.path}/${id}/history/`, { field, ...slice(args) }), args)
    }
    const changes = await read(call, 'core/object-changes/', {
      ...{ user, time_after: after, time_before: before, ...slice(args) },
      changed_object_type: model?.name,
      changed_object_id: id,
      fields:
        'id,time,user_name,action,changed_object_type,changed_object_id,object_repr,message,request_id,prechange_data,postchange_data',
    })
    const { results = [], ...envelope } = listed(changes, args)
    return { ...envelope, results: objectsIn(results).map(withDifference) }
  },
})

/** A change with the values that differ instead of the whole data before and after it. */
function withDifference({ prechange_data: before, postchange_data: after, ...change }: JsonObject): JsonObject {
  if (!isJsonObject(before) || !isJsonObject(after)) return change
  const names = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
  const changes = names.map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }])
  return { ...change, changes: Object.fromEntries(changes) }
}

const trace = tool({
  name: 'trace',
  title: 'Trace a connection',
  description:
    'The path of cables from an interface, a console or power port, or a power feed to its far end; for front ports, rear ports ' +
    'and circuit terminations, all paths through them. Each segment is [near ends, cable, far ends].',
  properties: { type: TYPE, id: ID, branch: BRANCH, as_of: AS_OF },
  required: ['type', 'id'],
  run: async (call, { type, id, ...place }) => {
    const model = modelOf(call, type)
    for (const [action, name] of [
      ['trace', 'segments'],
      ['paths', 'paths'],
    ] as const) {
      if (call.routes.find(`/api/${model.path}/${id}/${action}/`)) {
        return { [name]: await read(call, `${model.path}/${id}/${action}/`, place) }
      }
    }
    throw new ToolError(
      `Objects of the type ${model.name} have no cables to trace. Read the interfaces of the device first.`,
    )
  },
})

const neighbours = tool({
  name: 'neighbours',
  title: 'List what a device is connected to',
  description: 'All cabled ports of a device, with what is at the other end of the cable and of the whole path.',
  properties: {
    device: { ...ID, description: 'Id of the device' },
    limit: LIMIT,
    offset: OFFSET,
    branch: BRANCH,
    as_of: AS_OF,
  },
  required: ['device'],
  run: async (call, { device, branch, as_of, ...window }) => {
    await read(call, `dcim/devices/${device}/`, { fields: 'id', branch, as_of })
    const cabled = [...call.registry.models.values()].filter((model) => {
      const parameters = parametersOf(call.registry, model)
      return (
        model.path !== '' &&
        model.answer.includes('link_peers') &&
        parameters.has('device_id') &&
        parameters.has('cabled')
      )
    })
    const ports = await Promise.all(
      cabled.map(async (model): Promise<JsonObject> => {
        const rows = await read(call, `${model.path}/`, {
          ...{ device_id: device, cabled: true, branch, as_of, ...slice(window) },
          fields: ['id', 'name', 'cable', 'link_peers', 'connected_endpoints']
            .filter((name) => name === 'id' || model.answer.includes(name))
            .join(),
        }).catch((error: unknown) => {
          // Ports that the caller may not view do not exist.
          if (error instanceof ToolError && error.document.status === 403) return null
          throw error
        })
        return { type: model.name, ...listed(rows, window) }
      }),
    )
    return { ports: ports.filter(({ count }) => typeof count === 'number' && count > 0) }
  },
})

/** Where each kind of free space is listed. */
const SPACES: Readonly<Record<string, (id: Json) => string>> = {
  'prefixes in prefix': (id) => `ipam/prefixes/${id}/available-prefixes/`,
  'addresses in prefix': (id) => `ipam/prefixes/${id}/available-ips/`,
  'addresses in range': (id) => `ipam/ip-ranges/${id}/available-ips/`,
  'VIDs in VLAN group': (id) => `ipam/vlan-groups/${id}/available-vlans/`,
  'ASNs in ASN range': (id) => `ipam/asn-ranges/${id}/available-asns/`,
  'units in rack': (id) => `dcim/racks/${id}/elevation/`,
}

const freeSpace = tool({
  name: 'free_space',
  title: 'Find free space',
  description:
    'Free prefixes, addresses, VIDs, ASNs or rack units within an object, which are not reserved by this call.',
  properties: {
    what: { type: 'string', enum: Object.keys(SPACES) },
    id: { ...ID, description: 'Id of the prefix, range, VLAN group, ASN range or rack' },
    limit: { ...LIMIT, description: 'Most objects to return, 20 by default; of a rack for each face, all by default' },
    branch: BRANCH,
  },
  required: ['what', 'id'],
  run: async (call, { what, id = null, limit, branch }) => {
    const path = SPACES[String(what)]?.(id) ?? ''
    // A rack has few units.
    const most = Number(limit ?? (what === 'units in rack' ? 1000 : DEFAULT_LIMIT))
    if (what !== 'units in rack') {
      // One more, to find out whether there are more; prefixes are always listed completely.
      const list = await read(call, path, { limit: most + 1, branch })
      const free: readonly Json[] = Array.isArray(list) ? list : []
      return { free: free.slice(0, most), is_complete: free.length <= most }
    }
    const freeOn = async (face: string) => {
      const units = await read(call, path, { face, limit: 1000, branch })
      return objectsIn(isJsonObject(units) ? units.results : []).flatMap(({ occupied, id: unit = null }) =>
        occupied === false ? [unit] : [],
      )
    }
    const [front, rear] = [await freeOn('front'), await freeOn('rear')]
    return {
      free_units: { front: front.slice(0, most), rear: rear.slice(0, most) },
      is_complete: Math.max(front.length, rear.length) <= most,
    }
  },
})

export const READING_TOOLS: readonly Tool[] = [search, describe, readObjects, history, trace, neighbours, freeSpace]
