import { randomUUID } from 'node:crypto'
import { mergeProblem } from '../../changes/branches/merge.ts'
import { branchedModels } from '../../db/branches/branch-tables.ts'
import { SERVICE_ACTOR, type User } from '../../identity/actor.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../schema/json.ts'
import { pagePathOf } from '../../schema/page-path.ts'
import { firstCharacters } from '../../schema/shortened.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { updateTable } from '../../sql/table.ts'
import { operationOf } from '../endpoint.ts'
import { type Call, documentOf, read, ToolError } from './call.ts'
import { type Arguments, type Tool, tool } from './tool.ts'

/** Most requests of a plan. A request may write a list of objects. */
const MOST_WRITES = 1_000

/** How many recent change requests are searched for the user's plans. */
const MOST_RECENT = 200

interface Write {
  readonly method: string
  /** Below `/api/`, such as `dcim/sites/5/`. */
  readonly path: string
  readonly match?: string
  readonly body?: Json
}

/** The caller, as the writer of a branch: the token of an agent writes nowhere else. */
const writerOf = ({ actor }: Call): User => (actor.plansOnly ? { ...actor, writeEnabled: true } : actor)

/**
 * Throws `ToolError` unless the request only creates, changes or deletes objects that branches keep apart. Everything
 * else, such as merging a branch or running a script, would have effects outside the branch of the plan.
 */
function checkWrite({ routes, registry }: Call, { method, path }: Write, index: number): void {
  const endpoint = routes.find(`/api/${path}`)?.endpoint
  const model = endpoint?.model
  const isPlain = /^[a-z0-9/_-]+$/.test(path)
  const operation = endpoint && operationOf(endpoint, method)
  const isKeptApart =
    operation?.isPlannable || (operation?.hasDryRun && model && branchedModels(registry).has(model.name))
  if (isPlain && isKeptApart) return
  throw new ToolError(`A plan cannot contain ${method} ${JSON.stringify(path)}.`, {
    write: index,
    hint:
      'Paths are those of collections and objects, such as dcim/sites/ and dcim/sites/5/; "describe" lists them. ' +
      `Users, tokens, branches and ${registry.model(SYSTEM.changeRequest).definition.labels[1]} are not changed by plans.`,
  })
}

/** The path as `dcim/sites/5/`, whatever slashes and prefix it came with. */
const pathIn = (path: unknown): string => `${String(path).replace(/^\/?(api\/)?|\/$/g, '')}/`

const writesOf = ({ writes, document }: Arguments): readonly Write[] =>
  document === undefined
    ? objectsIn(writes).map(({ method, path, match, body }) => ({
        ...{ method: String(method), path: pathIn(path) },
        ...(match !== undefined && { match: String(match) }),
        ...(body !== undefined && { body }),
      }))
    : [{ method: 'POST', path: 'apply/', body: document }]

interface PlanBranch {
  readonly id: number
  readonly schemaId: string
}

/** Creates a branch for the plan, which belongs to the token. */
async function newBranch(call: Call, { title, description = '' }: Arguments): Promise<PlanBranch> {
  const name = `${firstCharacters(String(title), 80)} (plan ${randomUUID().slice(0, 8)})`
  const made = documentOf(
    await call.send({
      ...{ method: 'POST', path: 'core/branches/', actor: writerOf(call) },
      body: { name, description: firstCharacters(String(description), 200) },
    }),
  )
  const { id, schema_id: schemaId } = isJsonObject(made) ? made : {}
  await call.service.database.query(sql`
    ${updateTable(SYSTEM.branch)} set agent_token_id = ${call.actor.tokenId ?? null}::bigint where id = ${Number(id)}::bigint`)
  return { id: Number(id), schemaId: String(schemaId) }
}

/** Deletes a branch that nobody has seen. Its user need not be allowed to delete branches. */
const discard = async (call: Call, { id }: PlanBranch): Promise<void> => {
  await call.send({ method: 'DELETE', path: `core/branches/${id}/`, actor: SERVICE_ACTOR })
}

/** Merges the branch if policies let agents do so, whatever the token may do elsewhere; returns the refusal otherwise. */
async function mergeRefusal(call: Call, { id }: PlanBranch): Promise<Json | undefined> {
  const path = `core/branches/${id}/merge/`
  const { status, body } = await call.send({
    method: 'POST',
    path,
    body: {},
    actor: { ...writerOf(call), plansOnly: true },
  })
  return status < 400 ? undefined : (JSON.parse(body ?? 'null') as Json) // the service's own JSON
}

/** Carries out the requests in the branch, in their order. Throws `ToolError` for the first one that is refused. */
async function carryOut(call: Call, writes: readonly Write[], branch: PlanBranch): Promise<readonly Json[]> {
  const results: Json[] = []
  for (const [index, { method, path, match, body }] of writes.entries()) {
    call.signal.throwIfAborted()
    const response = await call.send({
      ...{ method, path, body, actor: writerOf(call) },
      query: { match, branch: branch.schemaId },
    })
    try {
      results.push(summaryOf(documentOf(response)))
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      throw new ToolError(`The write at index ${index} was refused, so nothing of the plan remains.`, {
        ...{ write: index, method, path },
        ...error.document,
        error: `The write at index ${index} was refused, so nothing of the plan remains. Correct it and send the whole plan again.`,
      })
    }
  }
  return results
}

/** The objects of a response by id and name. */
function summaryOf(document: Json): Json {
  if (Array.isArray(document)) return document.map((item: Json) => summaryOf(item))
  if (!isJsonObject(document)) return null
  if (isJsonObject(document.object)) return { outcome: document.outcome ?? null, object: summaryOf(document.object) }
  const { id, display, created, updated, unchanged, deleted } = document
  return id === undefined
    ? { created: created ?? 0, updated: updated ?? 0, unchanged: unchanged ?? 0, deleted: deleted ?? 0 }
    : { id, display: display ?? null }
}

/** The changes of an object in a branch as one: from its first state to its last. */
function netChange(changes: readonly JsonObject[]): JsonObject {
  const [first = {}] = changes
  const last = changes.at(-1) ?? {}
  const fields: Record<string, { before: Json; after: Json }> = {}
  for (const { changes: differences } of changes) {
    for (const [name, difference] of Object.entries(isJsonObject(differences) ? differences : {})) {
      const { before = null, after = null } = isJsonObject(difference) ? difference : {}
      fields[name] = { before: fields[name]?.before ?? before, after }
    }
  }
  const { object_type = null, object_id = null, object_repr: object = null } = last
  const action = last.action === 'delete' ? 'delete' : (first.action ?? null)
  return { action, object_type, object_id, object, changes: fields }
}

/** What the branch changes, the conflicts of its merge with main, and what rules refuse. */
async function effectsOf(call: Call, branch: number): Promise<JsonObject> {
  const listOf = async (name: string): Promise<readonly JsonObject[]> => {
    const list = await read(call, `core/branches/${branch}/${name}/`)
    return objectsIn(isJsonObject(list) ? list.results : [])
  }
  const conflicts = await listOf('conflicts')
  const byObject = Map.groupBy(await listOf('changes'), (change) => `${change.object_type}:${change.object_id}`)
  const changes = [...byObject.values()].map(netChange)
  const caused = (await listOf('findings')).filter(({ state }) => state === 'caused')
  const number = (action: string) => changes.filter((change) => change.action === action).length
  return {
    counts: { created: number('create'), changed: number('update'), deleted: number('delete') },
    conflicts: conflicts.filter(({ reason }) => reason !== 'refused'),
    refused_by_rules: conflicts.filter(({ reason }) => reason === 'refused'),
    ...(caused.length > 0 && { findings: caused.map(({ state: _, ...finding }) => finding) }),
    changes,
  }
}

/** The plan with its state, effects and address. Throws `ToolError` if the caller may not view it. */
async function statusOf(call: Call, id: number): Promise<JsonObject> {
  const { service, base } = call
  // What prevents a person from merging.
  const { plansOnly: _, ...actor } = call.actor
  const request = await read(call, `core/change-requests/${id}/`)
  const { title, status, branch, override, author } = isJsonObject(request) ? request : {}
  const branchId = isJsonObject(branch) ? Number(branch.id) : undefined
  const page = pagePathOf(service.registry.model(SYSTEM.changeRequest))
  const reviews = await read(call, 'core/change-reviews/', {
    change_request_id: id,
    fields: 'verdict,text,user',
  }).catch(() => null)
  const isOpen = isJsonObject(status) && status.value === 'open'
  return {
    plan: id,
    title: title ?? null,
    status: isJsonObject(status) ? (status.value ?? null) : null,
    url: `${base}${page}${id}/`,
    author: isJsonObject(author) ? (author.username ?? null) : null,
    branch: branch ?? null,
    reviews: isJsonObject(reviews) ? (reviews.results ?? []) : [],
    ...(override !== '' && { override: override ?? null }),
    ...(isOpen &&
      branchId !== undefined && { merge_blocked_by: (await mergeProblem(service, branchId, actor)) ?? null }),
    ...(branchId !== undefined && (await effectsOf(call, branchId))),
  }
}

const WRITE: JsonObject = {
  type: 'object',
  properties: {
    method: { type: 'string', enum: ['POST', 'PATCH', 'PUT', 'DELETE'] },
    path: { type: 'string', description: 'Such as dcim/sites/ (to create) or dcim/sites/5/ (to change or delete)' },
    match: {
      type: 'string',
      description: 'With PUT on a collection: fields that identify an object, such as site,name',
    },
    body: {
      anyOf: [{ type: 'object' }, { type: 'array', items: { type: 'object' } }],
      description: 'As for the REST API; refer to objects by id or by unique values: {"slug": "ams"}',
    },
  },
  required: ['method', 'path'],
  additionalProperties: false,
}

const plan = tool({
  name: 'plan',
  title: 'Plan a change',
  description:
    'The only way to change something. Carries out writes in a new branch, all or none, and opens a change request that a person reviews ' +
    'and merges; the inventory itself does not change. Give either writes (requests of the REST API, in their order) or a document ' +
    '(the desired state of objects by type, in any order: {"objects": {"dcim.site": [{"name": "Ams 1", "slug": "ams1"}]}}). ' +
    'The result has the effects, conflicts, what rules refuse, and the address of the change request for your user.',
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 150 },
    description: { type: 'string', maxLength: 200, description: 'Why' },
    writes: { type: 'array', minItems: 1, maxItems: MOST_WRITES, items: WRITE },
    document: {
      type: 'object',
      properties: { objects: { type: 'object' }, prune: { type: 'object' } },
      required: ['objects'],
      additionalProperties: false,
    },
    reviewers: { type: 'array', items: { type: 'integer' }, description: 'Ids of users who are asked to review it' },
    merge: {
      type: 'boolean',
      description: 'Merge at once if a policy lets agents merge all of these changes; otherwise it waits for a person',
    },
    try: { type: 'boolean', description: 'Only return the effects: the branch is discarded and nothing is proposed' },
  },
  required: ['title'],
  isWriting: true,
  run: async (call, args) => {
    if ((args.writes === undefined) === (args.document === undefined)) {
      throw new ToolError('Give either writes or a document.')
    }
    const writes = writesOf(args)
    if (args.document === undefined) for (const [index, write] of writes.entries()) checkWrite(call, write, index)
    const branch = await newBranch(call, args)
    let isKept = false
    try {
      const results = await carryOut(call, writes, branch)
      if (args.try === true) return { tried: true, ...(await effectsOf(call, branch.id)), results }
      const request = documentOf(
        await call.send({
          ...{ method: 'POST', path: 'core/change-requests/', actor: writerOf(call) },
          body: {
            ...{ title: args.title, description: args.description ?? '', branch: branch.id },
            reviewers: args.reviewers ?? [],
          },
        }),
      )
      isKept = true
      const refusal = args.merge === true ? await mergeRefusal(call, branch) : undefined
      const status = await statusOf(call, Number(isJsonObject(request) ? request.id : 0))
      return { ...status, ...(refusal !== undefined && { merge_refused: refusal }), results }
    } finally {
      if (!isKept) await discard(call, branch)
    }
  },
})

const planStatus = tool({
  name: 'plan_status',
  title: 'Look at a plan',
  description:
    'State of a plan (open, merged, closed), its reviews, effects, conflicts and what prevents the merge. Without a number: your latest plans.',
  properties: { plan: { type: 'integer', minimum: 1, description: 'Number of the plan, as "plan" returned it' } },
  run: async (call, { plan: id }) => {
    if (id !== undefined) return await statusOf(call, Number(id))
    // Not filtered by the author, since the caller need not be allowed to view users.
    const recent = await read(call, 'core/change-requests/', {
      ...{ limit: MOST_RECENT, fields: 'id,title,status,created,author' },
    })
    const plans = objectsIn(isJsonObject(recent) ? recent.results : []).filter(
      ({ author }) => isJsonObject(author) && author.id === call.actor.id,
    )
    return { plans: plans.map(({ author: _, ...plan }) => plan) }
  },
})

export const PLAN_TOOLS: readonly Tool[] = [plan, planStatus]
