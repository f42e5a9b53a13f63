import { randomUUID } from 'node:crypto'
import { enqueueOnce, unschedule } from '../../../automation/jobs/enqueue.ts'
import { currentTimestamp } from '../../../base/clock.ts'
import { ApiError, invalid } from '../../../base/errors.ts'
import { branchChanges } from '../../../changes/branches/branch-changes.ts'
import { conflictKey, type Decision } from '../../../changes/branches/branch-conflicts.ts'
import { branchFindings } from '../../../changes/branches/branch-findings.ts'
import { conflictDocuments, findingDocuments } from '../../../changes/branches/branch-responses.ts'
import {
  type BranchRequest,
  branchConflicts,
  decide,
  isOpen,
  mergeBranch,
  openConflicts,
  reopenBranch,
  setBranch,
  UnresolvedConflicts,
} from '../../../changes/branches/merge.ts'
import { synchronizeBranch } from '../../../changes/branches/sync.ts'
import { changeSummary } from '../../../changes/records/change-text.ts'
import { visiblePartsOf } from '../../../changes/records/visible-changes.ts'
import { undoTarget } from '../../../changes/undo/request-undo.ts'
import { OPEN, requireOpen } from '../../../db/branches/branch-database.ts'
import type { User } from '../../../identity/actor.ts'
import { requireUser } from '../../../identity/require-user.ts'
import { type Branch, branchService } from '../../../read/branches/branch-service.ts'
import { committedData } from '../../../read/serialise/read-source.ts'
import { isJsonObject, type JsonObject } from '../../../schema/json.ts'
import { isRefused } from '../../../schema/outcome.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import type { Service } from '../../../service.ts'
import { sql } from '../../../sql/fragment.ts'
import { insertInto, ONLY_INSERTS } from '../../../sql/table.ts'
import type { DryRun } from '../../../write/dry-run/dry-run.ts'
import { runWrite } from '../../../write/run.ts'
import { writeRequestOf } from '../../../write/write-request.ts'
import type { ApiRequest } from '../../api-request.ts'
import { dryRunReport } from '../../dry-run.ts'
import { type HttpResponse, jsonResponse } from '../../response.ts'
import { REQUEST_JOB } from '../../verbs/in-background.ts'
import { type Action, type ActionOperation, listOf, schema } from '../action.ts'
import { futureTime } from '../extras/script-input.ts'
import { objectResponse } from '../object-response.ts'
import { findTarget } from '../target.ts'

/**
 * The branch in the path, if the sender has the permission. Throws `malformed` for a request within a branch, whose
 * sender may have more permissions there than on main.
 */
async function branchOf(request: ApiRequest, permission: string) {
  const { service } = request
  if (service.branch)
    throw new ApiError({ kind: 'malformed', detail: 'Send requests about branches without a branch.' })
  const branch = await findTarget<
    Omit<Branch, 'id' | 'lastSync' | 'schemaId'> & { schema: string; last_sync: string | null; merge_request: string }
  >(request, SYSTEM.branch, {
    permission,
    columns: sql`, t.name, coalesce(t.schema_id, '') as schema, t.status, t.last_sync, t.merge_request`,
  })
  return { ...branch, schemaId: branch.schema, lastSync: branch.last_sync, service }
}

interface Options {
  /** False: nothing is stored. */
  readonly commit: boolean
  readonly isConfirmed: boolean
  readonly override: string
  /** When to do it, ISO 8601; undefined: now. */
  readonly scheduledAt: string | undefined
}

/** The options in the body. Throws `invalid`. */
async function optionsOf({ body, service }: ApiRequest): Promise<Options> {
  const document = (await body.read()) ?? {}
  if (!isJsonObject(document)) throw invalid({ non_field_errors: ['Expected an object with named fields.'] })
  const flag = (name: string, otherwise: boolean): boolean => {
    const value = document[name] ?? otherwise
    if (typeof value !== 'boolean') throw invalid({ [name]: ['Must be a valid boolean.'] })
    return value
  }
  const override = document.override ?? ''
  if (typeof override !== 'string' || override.length > LONGEST_OVERRIDE) {
    throw invalid({ override: [`Give the reason in at most ${LONGEST_OVERRIDE} characters.`] })
  }
  const scheduled = futureTime(service.registry, document.schedule_at ?? null, service.clock.now())
  if (isRefused(scheduled)) throw invalid({ schedule_at: scheduled.refused })
  return {
    ...{ commit: flag('commit', true), isConfirmed: flag('acknowledge_conflicts', false), override },
    scheduledAt: typeof scheduled.value === 'string' ? scheduled.value : undefined,
  }
}

const LONGEST_OVERRIDE = 200

/**
 * Carries out a merge or a synchronization and responds with a job, or with 409 and the conflicts. Without `commit` the
 * data of the job says what would happen; with `schedule_at` the job does the work at that time.
 */
async function carryOut(
  request: ApiRequest,
  permission: 'sync' | 'merge',
  work: (service: Service, branch: Branch, options: BranchRequest) => Promise<number>,
): Promise<HttpResponse> {
  const actor = requireUser(request)
  const { service, ...branch } = await branchOf(request, permission)
  const options = await optionsOf(request)
  if (!options.commit || options.scheduledAt !== undefined) requireStatusOpen(branch)
  if (options.scheduledAt !== undefined) return await schedule(request, branch, permission, options)
  const perform = async (dryRun = request.dryRun): Promise<HttpResponse> => {
    const { isConfirmed, override } = options
    const count = await work(service, branch, {
      ...{ ...writeRequestOf({ ...request, dryRun }, actor), actor, isConfirmed, override },
    }).catch(async (error: unknown) => {
      throw await refusalOf(service, branch, request, error)
    })
    return dryRun
      ? jsonResponse(200, { count })
      : await doneResponse(request, { actor, id: branch.id, done: permission })
  }
  if (options.commit || request.dryRun) return await perform()
  const open = await openConflicts(service, branch.id)
  const { visible: conflicts } = await conflictDocuments(servicesOf(service, branch), actor, open)
  return await triedResponse(request, { actor, id: branch.id, done: permission, conflicts, perform })
}

/** Throws `malformed` before a job is made for a closed branch; only `requireOpen` is reliable for a write. */
function requireStatusOpen({ status }: Branch): void {
  if (status !== OPEN) throw new ApiError({ kind: 'malformed', detail: `The branch is ${status}.` })
}

/**
 * Adds a job that sends the request again at the given time, as the same user; permissions and policies are checked at
 * that time. It replaces a waiting job of the same branch.
 */
async function schedule(
  request: ApiRequest,
  { id, name }: Branch,
  permission: 'sync' | 'merge',
  { commit, isConfirmed, override, scheduledAt }: Options,
): Promise<HttpResponse> {
  const { service, base } = request
  if (permission !== 'merge') throw invalid({ schedule_at: ['Only a merge can be scheduled.'] })
  if (!commit || request.dryRun) throw invalid({ schedule_at: ['A dry run cannot be scheduled.'] })
  const job = await service.database.transaction((transaction) =>
    enqueueOnce(transaction, service, {
      ...{ kind: REQUEST_JOB, name: `Merge of branch ${name}`, object: { type: SYSTEM.branch, id }, scheduledAt },
      user: requireUser(request).id,
      parameters: {
        ...{ method: 'POST', path: `/api/core/branches/${id}/merge/`, base },
        body: { acknowledge_conflicts: isConfirmed, override },
      },
    }),
  )
  if (!job) throw new ApiError({ kind: 'exhausted', detail: 'The branch is already being merged.' })
  return await objectResponse(committedData(service), { model: SYSTEM.job, id: job.id, base })
}

/** DELETE: removes the job of a scheduled merge. */
async function cancelMerge(request: ApiRequest): Promise<HttpResponse> {
  const { service, id } = await branchOf(request, 'merge')
  await service.database.transaction((transaction) =>
    unschedule(transaction, { kind: REQUEST_JOB, object: { type: SYSTEM.branch, id } }),
  )
  return { status: 204 }
}

interface DoneJob {
  readonly actor: User
  /** Id of the branch. */
  readonly id: number
  readonly done: string
  /** What a dry run found out: only for its user, whose permissions decide what the report contains. */
  readonly report?: { readonly status: number; readonly text: string }
}

/** The job that clients wait for (pynetbox.extensions.BranchingExtension); it has already finished. */
async function doneResponse(request: ApiRequest, { actor, id, done, report }: DoneJob): Promise<HttpResponse> {
  const { service, base } = request
  const now = currentTimestamp(service.clock)
  const refusal = report && report.status >= 400 ? `The request would be refused with ${report.status}.` : ''
  const name = report ? `Branch: ${done} (dry run)` : `Branch: ${done}`
  const [job] = await service.database.query<{ id: number }>(sql`
    ${insertInto(SYSTEM.job, ONLY_INSERTS)} (object_type, object_id, name, status, created, started, completed, user_id, data, error,
      job_id, queue_name, notifications, log_entries, is_private)
    values (${SYSTEM.branch}::text, ${id}::bigint, ${name}::text, ${refusal ? 'failed' : 'completed'}::text, ${now}::timestamptz,
      ${now}::timestamptz, ${now}::timestamptz, ${actor.id}::bigint, ${report?.text ?? null}::json, ${refusal}::text,
      ${randomUUID()}::uuid, 'default', 'never', '{}', ${report !== undefined}::boolean)
    returning id`)
  return await objectResponse(committedData(service), { model: SYSTEM.job, id: job?.id ?? 0, base })
}

/** The job of a dry run, with its report as data. */
async function triedResponse(
  request: ApiRequest,
  {
    conflicts,
    perform,
    ...job
  }: DoneJob & {
    readonly conflicts: readonly object[]
    readonly perform: (dryRun: DryRun) => Promise<HttpResponse>
  },
): Promise<HttpResponse> {
  const report = await dryRunReport({ commit: false, conflicts }, request, perform)
  return await doneResponse(request, { ...job, report })
}

const branchResponse = ({ service, base }: ApiRequest, id: number): Promise<HttpResponse> =>
  objectResponse(committedData(service), { model: SYSTEM.branch, id, base })

const servicesOf = (service: Service, branch: Branch) => ({ main: service, branch: branchService(service, branch) })

/** Turns a conflict into an error that asks for a decision; returns other errors unchanged. */
async function refusalOf(service: Service, branch: Branch, request: ApiRequest, error: unknown): Promise<unknown> {
  const { actor } = request
  if (error instanceof UnresolvedConflicts) {
    const { visible, hidden } = await conflictDocuments(servicesOf(service, branch), actor, error.conflicts)
    const hiddenNote = hidden > 0 ? ` ${hidden} more concern objects that you may not view.` : ''
    const detail = visible.every(({ reason }) => reason === 'changed')
      ? `Main and the branch have changed the same fields in different ways. Decide which values to keep.${hiddenNote}`
      : `Main and the branch are in conflict. Decide what to keep. ${visible.map((conflict) => conflict.detail).join(' ')}${hiddenNote}`
    return new ApiError({ kind: 'conflict', detail, conflicts: visible })
  }
  return error
}

/** POST: reverts the merge. The branch is then open again and can be corrected. */
async function revert(request: ApiRequest): Promise<HttpResponse> {
  const actor = requireUser(request)
  const { service, id, name, merge_request: merge } = await branchOf(request, 'merge')
  const { commit } = await optionsOf(request)
  if (merge === '') throw new ApiError({ kind: 'malformed', detail: 'The branch has not been merged.' })
  const perform = async (dryRun = request.dryRun): Promise<HttpResponse> => {
    const written = { ...writeRequestOf({ ...request, dryRun }, actor), actor }
    const undo = { ...written, message: `Revert of branch ${name}`, base: request.base }
    const { changes } = await undoTarget(service, { request: merge }, undo)
    if (dryRun) return jsonResponse(200, { count: changes.length })
    await reopenBranch(service, id, written)
    return await doneResponse(request, { actor, id, done: 'revert' })
  }
  return commit || request.dryRun
    ? await perform()
    : await triedResponse(request, { actor, id, done: 'revert', conflicts: [], perform })
}

/** POST: closes the branch without merging it. Its changes can still be read. */
async function archive(request: ApiRequest): Promise<HttpResponse> {
  const actor = requireUser(request)
  const { service, id } = await branchOf(request, 'archive')
  await runWrite(service, writeRequestOf(request, actor), async (context) => {
    await requireOpen(context.transaction, id)
    await setBranch(context, id, { status: 'archived' })
  })
  return await branchResponse({ ...request, service }, id)
}

/** GET: the changes of the branch that the sender may view, the oldest first. */
async function listChanges(request: ApiRequest): Promise<HttpResponse> {
  const { actor, base } = request
  const { service, ...branch } = await branchOf(request, 'view')
  const inBranch = branchService(service, branch)
  const changes = await branchChanges(inBranch.database, inBranch.registry, branch.id)
  const partsOf = await visiblePartsOf(inBranch, actor, changes)
  const results = changes.flatMap((change) => {
    const parts = partsOf(change)
    return parts.before || parts.after ? [changeSummary(change, base, parts)] : []
  })
  return jsonResponse(200, { count: results.length, results })
}

/** GET: the undecided conflicts. */
async function listConflicts(request: ApiRequest): Promise<HttpResponse> {
  const { service, ...branch } = await branchOf(request, 'view')
  const conflicts = await openConflicts(service, branch.id)
  const { visible, hidden } = await conflictDocuments(servicesOf(service, branch), request.actor, conflicts)
  return jsonResponse(200, { count: conflicts.length, hidden, results: visible })
}

/** GET: the findings that the branch causes, resolves, or leaves as they are. */
async function listFindings(request: ApiRequest): Promise<HttpResponse> {
  const { service, ...branch } = await branchOf(request, 'view')
  const services = servicesOf(service, branch)
  const places = { registry: service.registry, main: service.database, branch: services.branch.database }
  const findings = await branchFindings(places, branch.id)
  const results = await findingDocuments(services, request.actor, findings)
  return jsonResponse(200, { count: results.length, results })
}

/**
 * POST: decides conflicts: a list of objects with a field and the side to keep. Throws `invalid` for what is not in
 * conflict, concerns an object that the sender may not view, or is decided for both sides.
 */
async function resolve(request: ApiRequest): Promise<HttpResponse> {
  const actor = requireUser(request)
  const { service, ...branch } = await branchOf(request, 'change')
  const document = await request.body.read()
  const choices = (Array.isArray(document) ? document : [document]).map((choice) => choiceOf(service, choice))
  for (const [key, decisions] of Map.groupBy(choices, ({ key }) => key)) {
    if (new Set(decisions.map(({ keep }) => keep)).size > 1)
      throw invalid({ keep: [`Both "mine" and "theirs" are chosen for ${key.trim()}.`] })
  }
  const listed = await branchConflicts(service, branch.id)
  const { visible } = await conflictDocuments(servicesOf(service, branch), actor, listed)
  await decide(service, branch.id, writeRequestOf(request, actor), (conflicts) => {
    const visibleKeys = new Set(
      visible.map(({ object_type: type, object_id: id, field }) =>
        conflictKey({ type, id, field: field ?? undefined }),
      ),
    )
    const refused = listed.filter(({ reason }) => reason === 'refused')
    const byKey = new Map([...conflicts, ...refused].map((conflict) => [conflictKey(conflict), conflict]))
    return Object.fromEntries(
      choices.map(({ key, keep }): [string, Decision] => {
        const conflict = visibleKeys.has(key) ? byKey.get(key) : undefined
        if (conflict === undefined) throw invalid({ non_field_errors: [`There is no such conflict: ${key.trim()}`] })
        // `mine` takes back a decision for main.
        if (conflict.reason === 'refused' && isOpen(conflict) && keep === 'mine')
          throw invalid({
            keep: [`A rule refuses the branch's version of ${key.trim()}. Change it, or choose "theirs".`],
          })
        return [key, { keep, state: conflict.state }]
      }),
    )
  })
  return await listConflicts(request)
}

function choiceOf({ registry }: Service, choice: unknown): { readonly key: string; readonly keep: Decision['keep'] } {
  if (!isJsonObject(choice)) throw invalid({ non_field_errors: ['Expected an object with named fields.'] })
  const { object_type: type, object_id: id, field = null, keep } = choice
  if (typeof type !== 'string' || !registry.models.has(type))
    throw invalid({ object_type: ['There is no such object type.'] })
  if (typeof id !== 'number' || !Number.isSafeInteger(id))
    throw invalid({ object_id: ['A valid integer is required.'] })
  if (field !== null && typeof field !== 'string') throw invalid({ field: ['Not a valid string.'] })
  if (keep !== 'mine' && keep !== 'theirs')
    throw invalid({ keep: ['Choose "mine" for the value of the branch, or "theirs" for that of main.'] })
  return { key: conflictKey({ type, id, field: field ?? undefined }), keep }
}

const OPTIONS_BODY: JsonObject = {
  type: 'object',
  properties: {
    commit: { type: 'boolean', default: true },
    acknowledge_conflicts: { type: 'boolean', default: false },
    schedule_at: { type: 'string', format: 'date-time', nullable: true, description: 'When to merge; now by default' },
    override: {
      type: 'string',
      maxLength: LONGEST_OVERRIDE,
      description: 'Why a superuser merges without the approvals that policies require',
    },
  },
}

/** The path that clients of the branching plug-in use (pynetbox.extensions.BranchingExtension). */
const PLUGIN = 'plugins/branching/branches'

const onBranch = (name: string, description: string, methods: Action['methods']): readonly Action[] =>
  ['core/branches', PLUGIN].map((path) => ({
    path: `${path}/:id/${name}`,
    title: 'Branch',
    description,
    hasNoHistory: true,
    methods,
  }))

const writing = (
  permission: string,
  summary: string,
  handle: ActionOperation['handle'],
  answered = 'Job',
  hasDryRun?: true,
): Action['methods'] => ({
  POST: {
    ...{ permission: { [permission]: SYSTEM.branch }, summary, body: OPTIONS_BODY, answer: schema(answered), handle },
    ...(hasDryRun && { hasDryRun }),
  },
})

const RESOLUTION: JsonObject = {
  type: 'object',
  required: ['object_type', 'object_id', 'keep'],
  properties: {
    object_type: { type: 'string' },
    object_id: { type: 'integer', format: 'int64' },
    field: { type: 'string', nullable: true },
    keep: { type: 'string', enum: ['mine', 'theirs'] },
  },
}

const LIST: JsonObject = {
  type: 'object',
  required: ['count', 'results'],
  properties: { count: { type: 'integer' }, results: listOf({ type: 'object', additionalProperties: {} }) },
}

/** The actions on a branch. */
export const branchActions: readonly Action[] = [
  ...onBranch(
    'sync',
    "Applies what has changed on main since the branch was created: fields that the branch has not changed get main's values.",
    writing(
      'sync',
      'Synchronize a branch with main',
      (request) => carryOut(request, 'sync', synchronizeBranch),
      'Job',
      true,
    ),
  ),
  ...onBranch('merge', "Applies the branch's changes to main, all or none, or returns 409 with the conflicts.", {
    ...writing('merge', 'Merge a branch into main', (request) => carryOut(request, 'merge', mergeBranch), 'Job', true),
    DELETE: {
      permission: { merge: SYSTEM.branch },
      summary: 'Cancel the scheduled merge of a branch',
      status: 204,
      handle: cancelMerge,
    },
  }),
  ...onBranch(
    'revert',
    'Reverts the merge of the branch.',
    writing('merge', 'Revert the merge of a branch', revert, 'Job', true),
  ),
  ...onBranch(
    'archive',
    'Closes the branch without merging it.',
    writing('archive', 'Archive a branch', archive, 'Branch'),
  ),
  ...onBranch('changes', 'Lists what the branch has changed.', {
    GET: {
      permission: { view: SYSTEM.branch },
      summary: 'List the changes of a branch',
      answer: LIST,
      handle: listChanges,
    },
  }),
  ...onBranch('findings', 'Lists the findings that the branch causes, resolves, or leaves as they are.', {
    GET: {
      permission: { view: SYSTEM.branch },
      summary: 'List the findings of a branch',
      answer: LIST,
      handle: listFindings,
    },
  }),
  ...onBranch(
    'conflicts',
    'Lists fields that main and the branch have changed in different ways, and accepts decisions about them.',
    {
      GET: {
        permission: { view: SYSTEM.branch },
        summary: 'List the conflicts of a branch',
        answer: LIST,
        handle: listConflicts,
      },
      POST: {
        permission: { change: SYSTEM.branch },
        summary: 'Resolve conflicts of a branch',
        body: { oneOf: [RESOLUTION, listOf(RESOLUTION)] },
        answer: LIST,
        handle: resolve,
      },
    },
  ),
]
