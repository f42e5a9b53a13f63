import { randomUUID } from 'node:crypto'
import { conflictAnswers } from '../../../changes/branches/branch-answers.ts'
import { branchChanges } from '../../../changes/branches/branch-changes.ts'
import {
  type BranchConflict,
  behindRows,
  conflictsOf,
  type Resolution,
  type Resolutions,
  WHOLE,
} from '../../../changes/branches/branch-conflicts.ts'
import {
  type BranchRequest,
  mergeBranch,
  resolutionsOf,
  setBranch,
  UnresolvedConflicts,
} from '../../../changes/branches/merge.ts'
import { synchronizeBranch } from '../../../changes/branches/sync.ts'
import { changeSummary } from '../../../changes/change-text.ts'
import { UndoConflicts } from '../../../changes/conflict.ts'
import { conflictAnswers as undoConflictAnswers } from '../../../changes/conflict-answer.ts'
import { undoTarget } from '../../../changes/request-undo.ts'
import { visiblePartsOf } from '../../../changes/visible-changes.ts'
import { currentTimestamp } from '../../../clock.ts'
import { OPEN } from '../../../db/branches/branch-database.ts'
import { ApiError, invalid } from '../../../errors.ts'
import type { User } from '../../../identity/actor.ts'
import { requireUser } from '../../../identity/require-user.ts'
import { type Branch, branchService } from '../../../read/branches/branch-service.ts'
import { committedData } from '../../../read/serialise/read-source.ts'
import { isJsonObject, type JsonObject } from '../../../schema/json.ts'
import { SYSTEM } from '../../../schema/system-models.ts'
import type { Service } from '../../../service.ts'
import { sql } from '../../../sql/fragment.ts'
import { insertInto, ONLY_INSERTS } from '../../../sql/table.ts'
import { runWrite } from '../../../write/run.ts'
import { writeRequestOf } from '../../../write/write-request.ts'
import {
  type Action,
  type ActionRequest,
  type ActionResponse,
  answerJson,
  listOf,
  type Operation,
  schema,
} from '../action.ts'
import { answerObject } from '../answer-object.ts'
import { findTarget } from '../target.ts'

/**
 * The branch in the path, if the sender has the permission. Throws `malformed` for a request within a branch, whose
 * sender may have more permissions there than on main.
 */
async function branchOf(request: ActionRequest, permission: string) {
  const { service } = request
  if (service.branch)
    throw new ApiError({ kind: 'malformed', detail: 'Send requests about branches without a branch.' })
  const branch = await findTarget<{ name: string; status: string; last_sync: string | null; merge_request: string }>(
    request,
    SYSTEM.branch,
    { permission, columns: sql`, t.name, t.status, t.last_sync, t.merge_request` },
  )
  return { ...branch, lastSync: branch.last_sync, service }
}

/** `commit` and `acknowledge_conflicts` of the body. Throws `invalid`. */
async function optionsOf({
  body,
}: ActionRequest): Promise<{ readonly commit: boolean; readonly isConfirmed: boolean; readonly override: string }> {
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
  return { commit: flag('commit', true), isConfirmed: flag('acknowledge_conflicts', false), override }
}

const LONGEST_OVERRIDE = 200

/** Carries out a merge or a synchronization and responds with a job, or with 409 and the conflicts. */
async function carryOut(
  request: ActionRequest,
  permission: string,
  work: (service: Service, branch: Branch, options: BranchRequest) => Promise<number>,
): Promise<ActionResponse> {
  const actor = requireUser(request)
  const { service, ...branch } = await branchOf(request, permission)
  const { commit, ...asked } = await optionsOf(request)
  const options = { ...writeRequestOf(request, actor), actor, ...asked }
  if (!commit) {
    const conflicts = await openConflicts(service, branch.id)
    return answerJson({
      commit: false,
      conflicts: (await conflictAnswers(servicesOf(service, branch), actor, conflicts)).visible,
    })
  }
  try {
    await work(service, branch, options)
  } catch (error) {
    throw await refusalOf(service, branch, request, error)
  }
  return await answerDone(request, actor, branch.id, permission)
}

/** The job that clients wait for (pynetbox.extensions.BranchingExtension); it has already ended. */
async function answerDone(request: ActionRequest, actor: User, id: number, done: string): Promise<ActionResponse> {
  const { service, base } = request
  const now = currentTimestamp(service.clock)
  const [job] = await service.database.query<{ id: number }>(sql`
    ${insertInto(SYSTEM.job, ONLY_INSERTS)} (object_type, object_id, name, status, created, started, completed, user_id, error,
      job_id, queue_name, notifications, log_entries, is_private)
    values (${SYSTEM.branch}::text, ${id}::bigint, ${`Branch: ${done}`}::text, 'completed', ${now}::timestamptz, ${now}::timestamptz,
      ${now}::timestamptz, ${actor.id}::bigint, '', ${randomUUID()}::uuid, 'default', 'never', '{}', false)
    returning id`)
  return await answerObject(committedData(service), { model: SYSTEM.job, id: job?.id ?? 0, base })
}

const answerBranch = ({ service, base }: ActionRequest, id: number): Promise<ActionResponse> =>
  answerObject(committedData(service), { model: SYSTEM.branch, id, base })

const servicesOf = (service: Service, branch: Branch) => ({ main: service, branch: branchService(service, branch) })

/** A conflict as an error that says what to decide; other errors unchanged. */
async function refusalOf(service: Service, branch: Branch, request: ActionRequest, error: unknown): Promise<unknown> {
  const { actor, base } = request
  if (error instanceof UnresolvedConflicts) {
    const { visible, hidden } = await conflictAnswers(servicesOf(service, branch), actor, error.conflicts)
    const others = hidden > 0 ? ` ${hidden} more concern objects that you may not view.` : ''
    const detail = `Main and the branch have changed the same fields in different ways. Decide which values to keep.${others}`
    return new ApiError({ kind: 'conflict', detail, conflicts: visible })
  }
  if (error instanceof UndoConflicts) {
    const conflicts = await undoConflictAnswers(service, { actor, base }, error.conflicts)
    const detail = `The branch cannot be merged into main as it is now: ${conflicts.map((each) => each.detail).join(' ')}`
    return new ApiError({ kind: 'conflict', detail, conflicts })
  }
  return error
}

const openConflicts = ({ database, registry }: Service, id: number): Promise<readonly BranchConflict[]> =>
  database.transaction(async (transaction) =>
    conflictsOf(await behindRows(transaction, registry, id), await resolutionsOf({ transaction }, id)),
  )

/** POST: reverts the merge. The branch is open again, and can be corrected. */
async function revert(request: ActionRequest): Promise<ActionResponse> {
  const actor = requireUser(request)
  const { service, id, name, merge_request: merge } = await branchOf(request, 'merge')
  if (merge === '') throw new ApiError({ kind: 'exhausted', detail: 'The branch has not been merged.' })
  const written = writeRequestOf(request, actor)
  await undoTarget(
    service,
    { request: merge },
    { ...written, actor, message: `Revert of branch ${name}`, base: request.base },
  )
  await runWrite(service, written, (context) =>
    setBranch(context, id, { status: OPEN, merge_request: '', merged_time: null, merged_by: null }),
  )
  return await answerDone(request, actor, id, 'revert')
}

/** POST: closes the branch without merging it. Its changes can still be read. */
async function archive(request: ActionRequest): Promise<ActionResponse> {
  const actor = requireUser(request)
  const { service, id } = await branchOf(request, 'archive')
  await runWrite(service, writeRequestOf(request, actor), (context) => setBranch(context, id, { status: 'archived' }))
  return await answerBranch({ ...request, service }, id)
}

/** GET: the changes of the branch that the sender may view, the oldest first. */
async function listChanges(request: ActionRequest): Promise<ActionResponse> {
  const { actor, base } = request
  const { service, ...branch } = await branchOf(request, 'view')
  const own = branchService(service, branch)
  const changes = await branchChanges(own.database, own.registry, branch.id)
  const partsOf = await visiblePartsOf(own, actor, changes)
  const results = changes.flatMap((change) => {
    const parts = partsOf(change)
    return parts.before || parts.after ? [changeSummary(change, base, parts)] : []
  })
  return answerJson({ count: results.length, results })
}

/** GET: the undecided conflicts. */
async function listConflicts(request: ActionRequest): Promise<ActionResponse> {
  const { service, ...branch } = await branchOf(request, 'view')
  const conflicts = await openConflicts(service, branch.id)
  const { visible, hidden } = await conflictAnswers(servicesOf(service, branch), request.actor, conflicts)
  return answerJson({ count: conflicts.length, hidden, results: visible })
}

/** POST: decides conflicts: a list of objects with a field and the side to keep. */
async function resolve(request: ActionRequest): Promise<ActionResponse> {
  const actor = requireUser(request)
  const { service, id } = await branchOf(request, 'change')
  const document = await request.body.read()
  const decided = (Array.isArray(document) ? document : [document]).map((each) => decisionOf(service, each))
  await runWrite(service, writeRequestOf(request, actor), async (context) => {
    const resolutions: Record<string, Record<string, Resolution>> = { ...(await resolutionsOf(context, id)) }
    for (const { key, field, keep } of decided) resolutions[key] = { ...resolutions[key], [field]: keep }
    await setBranch(context, id, { resolutions: resolutions satisfies Resolutions })
  })
  return await listConflicts(request)
}

function decisionOf(
  { registry }: Service,
  given: unknown,
): { readonly key: string; readonly field: string; readonly keep: Resolution } {
  if (!isJsonObject(given)) throw invalid({ non_field_errors: ['Expected an object with named fields.'] })
  const { object_type: type, object_id: id, field = null, keep } = given
  if (typeof type !== 'string' || !registry.models.has(type))
    throw invalid({ object_type: ['There is no such object type.'] })
  if (typeof id !== 'number' || !Number.isSafeInteger(id))
    throw invalid({ object_id: ['A valid integer is required.'] })
  if (field !== null && typeof field !== 'string') throw invalid({ field: ['Not a valid string.'] })
  if (keep !== 'mine' && keep !== 'theirs')
    throw invalid({ keep: ['Choose "mine" for the value of the branch, or "theirs" for that of main.'] })
  return { key: `${type} ${id}`, field: field ?? WHOLE, keep }
}

const OPTIONS_BODY: JsonObject = {
  type: 'object',
  properties: {
    commit: { type: 'boolean', default: true },
    acknowledge_conflicts: { type: 'boolean', default: false },
    override: {
      type: 'string',
      maxLength: LONGEST_OVERRIDE,
      description: 'Why a superuser merges without the approvals that policies want',
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
  handle: Operation['handle'],
  answered = 'Job',
): Action['methods'] => ({
  POST: { permission: { [permission]: SYSTEM.branch }, summary, body: OPTIONS_BODY, answer: schema(answered), handle },
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
    "Takes over what has changed on main since the branch began: fields that the branch has not changed get main's values.",
    writing('sync', 'Synchronize a branch with main', (request) => carryOut(request, 'sync', synchronizeBranch)),
  ),
  ...onBranch(
    'merge',
    'Carries out the changes of the branch on main, all or none of them, or answers 409 with the conflicts.',
    writing('merge', 'Merge a branch into main', (request) => carryOut(request, 'merge', mergeBranch)),
  ),
  ...onBranch(
    'revert',
    'Takes the merge of the branch back.',
    writing('merge', 'Revert the merge of a branch', revert),
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
  ...onBranch(
    'conflicts',
    'Lists fields that main and the branch have changed in different ways, and takes decisions about them.',
    {
      GET: {
        permission: { view: SYSTEM.branch },
        summary: 'List the conflicts of a branch',
        answer: LIST,
        handle: listConflicts,
      },
      POST: {
        permission: { change: SYSTEM.branch },
        summary: 'Decide conflicts of a branch',
        body: { oneOf: [RESOLUTION, listOf(RESOLUTION)] },
        answer: LIST,
        handle: resolve,
      },
    },
  ),
]
