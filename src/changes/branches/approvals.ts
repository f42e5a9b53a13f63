import { forbidden } from '../../base/errors.ts'
import { BRANCH } from '../../db/branches/branch-tables.ts'
import { severitiesOf } from '../../read/rules/compile-rule.ts'
import type { Fields } from '../../schema/field.ts'
import type { Definition } from '../../schema/model.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable, table } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import { coversAll, governing, type Policy, policiesOf, type Subjects } from '../../write/validate/policies.ts'
import { makeWriter } from '../../write/writer.ts'
import { overlayOfChanges } from './branch-changes.ts'
import { type BranchFinding, branchFindings } from './branch-findings.ts'
import { type Check, checksOf } from './checks.ts'

/** A person's latest verdict on a change request. */
interface Review extends Record<string, unknown> {
  readonly user_id: number
  readonly verdict: 'approve' | 'request_changes'
  readonly created: string
  /** Ids of the groups of the user. */
  readonly groups: readonly number[]
}

/** The open request to merge a branch, with its reviews and checks. */
interface OpenRequest {
  readonly id: number
  readonly author: number | null
  readonly reviews: readonly Review[]
  /** When its checks, or what their scripts do, were last exchanged; empty if never. */
  readonly checked: string
  readonly checks: readonly Check[]
}

/**
 * The inputs of the decision about a merge: the person, the changes, and the services in which their objects are read,
 * on main and in the branch.
 */
interface Merge extends Pick<WriteContext, 'actor' | 'service' | 'transaction' | 'now'> {
  readonly branch: number
  /** Ids of the objects that the merge changes, by the name of their model. */
  readonly objects: ReadonlyMap<string, ReadonlySet<number>>
  readonly places: readonly Queryable[]
  /** Whether the request to merge also decides conflicts: no approval covers these decisions. */
  readonly decidesNow?: boolean
}

/** Why the policies for the changes do not allow the merge now, as a sentence; undefined if they do. */
export async function policyProblem(merge: Merge): Promise<string | undefined> {
  const { actor, service, transaction, objects, places, now } = merge
  const policies = await policiesOf(merge)
  if (policies.length === 0 && !actor.plansOnly) return undefined
  const changed = [...objects].map(([type, set]) => {
    const model = service.registry.model(type)
    const ids = [...set]
    const rows = sql`(select * from ${table(model)} o where o.id = any(${ids}::bigint[])) t`
    return { model, states: places.map((queryable) => ({ queryable, rows })) }
  })
  if (actor.plansOnly) {
    const agentPolicies = policies.filter(({ mayAgentsMerge }) => mayAgentsMerge)
    for (const subjects of changed) {
      if (!(await isCovered(agentPolicies, subjects, actor.id))) {
        return `No policy lets agents merge these changes of ${subjects.model.definition.labels[1]}.`
      }
    }
  }
  const request = await openRequestOf(transaction, merge.branch)
  const written = { ...(await writtenIn(merge)), ...(merge.decidesNow && { last: now }) }
  for (const policy of await governing(policies, changed, actor.id)) {
    const minimum = actor.plansOnly && policy.mayAgentsMerge ? 0 : policy.minimum
    const problem = problemOf({ ...policy, minimum }, request, written, now)
    if (problem !== undefined) return `The policy "${policy.name}" does not allow the merge: ${problem}`
    const finding = await newFinding(merge, policy.noNewFindings)
    if (finding) {
      return `The policy "${policy.name}" does not allow the merge: the branch causes a finding: ${finding.rule.message}`
    }
  }
  return undefined
}

/** A finding of the severity, or of a higher one, that the branch causes. */
async function newFinding(
  { service, transaction, places, branch }: Merge,
  severity: string | null,
): Promise<BranchFinding | undefined> {
  const inBranch = places[1]
  if (!severity || !inBranch) return undefined
  const { registry } = service
  const findings = await branchFindings({ registry, main: transaction, branch: inBranch }, branch)
  const all = severitiesOf(registry)
  const severities = all.slice(0, all.indexOf(severity) + 1)
  return findings.find(({ state, rule }) => state === 'caused' && severities.includes(rule.severity))
}

/** Whether one of the policies applies to all of the objects. */
async function isCovered(policies: readonly Policy[], subjects: Subjects, user: number): Promise<boolean> {
  for (const policy of policies) if (await coversAll(policy, subjects, user)) return true
  return false
}

/**
 * Throws `forbidden` with the reason unless the policies for the changes allow the merge now. A superuser may merge
 * without approvals, but must give a reason, which the change request stores. Marks the open change request as merged.
 */
export async function requireApprovals(
  context: WriteContext,
  merge: Pick<Merge, 'branch' | 'objects' | 'places' | 'decidesNow'>,
  override: string,
): Promise<void> {
  const isOverridden = context.actor.isSuperuser && override !== ''
  const problem = isOverridden ? undefined : await policyProblem({ ...context, ...merge })
  if (problem !== undefined) throw forbidden(problem)
  const request = await openRequestOf(context.transaction, merge.branch)
  if (request) {
    const { definition } = context.service.registry.model(SYSTEM.changeRequest)
    const values = { id: request.id, status: 'merged', ...(isOverridden && { override }) }
    await makeWriter(context).update(definition as Definition<Fields>, [values])
  }
}

/** Events of a branch since its creation. */
interface Written {
  /** Time of the last change, or of the last decision about a conflict. */
  readonly last: string
  /** Ids of the users who have changed it. */
  readonly writers: readonly number[]
}

async function writtenIn({
  service,
  transaction,
  branch,
}: Pick<Merge, 'service' | 'transaction' | 'branch'>): Promise<Written> {
  const changes = sql`${systemTable(overlayOfChanges(service.registry))} o where o.${identifier(BRANCH)} = ${branch}::bigint`
  const [row] = await transaction.query<{ last: string | null; writers: readonly number[] }>(sql`
    select greatest((select max(o.time) from ${changes}), t.decided) as last,
      array(select distinct o.user_id from ${changes} and o.user_id is not null) as writers
    from ${table(SYSTEM.branch)} t where t.id = ${branch}::bigint`)
  return { last: row?.last ?? '', writers: row?.writers ?? [] }
}

/** Why the policy does not allow the merge; undefined if it does. */
function problemOf(
  policy: Policy,
  request: OpenRequest | undefined,
  { last, writers }: Written,
  now: string,
): string | undefined {
  const window = outsideOf(policy, now)
  if (window !== undefined) return window
  if (!request) return 'there is no open change request for the branch.'
  const valid = request.reviews.filter(
    ({ user_id: user, groups, created }) =>
      (policy.groups.length === 0 || groups.some((group) => policy.groups.includes(group))) &&
      (policy.mayAuthorApprove || (user !== request.author && !writers.includes(user))) &&
      (!policy.isVoidedByWrites || (created > last && created > request.checked)),
  )
  if (valid.some(({ verdict }) => verdict === 'request_changes')) return 'a reviewer has requested changes.'
  const approvals = valid.filter(({ verdict }) => verdict === 'approve').length
  if (approvals < policy.minimum) return `it has ${approvals} of ${policy.minimum} approvals that count.`
  return policy.requiresChecks ? problemOfChecks(request, last) : undefined
}

function problemOfChecks({ checks }: OpenRequest, last: string): string | undefined {
  if (checks.length === 0) return 'the change request has no checks.'
  const missing = checks.find(
    ({ status, started, replaced }) =>
      status !== 'completed' || started === null || started <= last || started <= (replaced ?? ''),
  )
  return missing && `the check "${missing.name}" has not succeeded since the last change of the branch.`
}

/** Why branches may not be merged at this time, which is in UTC. A window may span midnight. */
function outsideOf({ weekdays, notBefore, notAfter }: Policy, now: string): string | undefined {
  const [time, day] = [now.slice(11, 16), new Date(now).getUTCDay() || 7]
  if (weekdays.length > 0 && !weekdays.includes(day)) return 'branches may not be merged today.'
  const isIn =
    notBefore !== '' && notAfter !== '' && notAfter < notBefore
      ? time >= notBefore || time <= notAfter
      : (notBefore === '' || time >= notBefore) && (notAfter === '' || time <= notAfter)
  return isIn
    ? undefined
    : `branches may be merged from ${notBefore || '00:00'} until ${notAfter || '24:00'} (UTC) only.`
}

async function openRequestOf(transaction: Queryable, branch: number): Promise<OpenRequest | undefined> {
  const [request] = await transaction.query<{ id: number; author: number | null; checked: string | null }>(sql`
    select t.id, t.author_id as author, (
      select max(c.time) from ${table(SYSTEM.objectChange)} c
      where c.changed_object_type = ${SYSTEM.changeRequest} and c.changed_object_id = t.id and c.action = 'update'
        and (c.prechange_data -> 'checks')::text is distinct from (c.postchange_data -> 'checks')::text) as checked
    from ${table(SYSTEM.changeRequest)} t
    where t.branch_id = ${branch}::bigint and t.status = 'open' order by t.id desc limit 1`)
  if (!request) return undefined
  const reviews = await transaction.query<Review>(sql`
    select distinct on (t.user_id) t.user_id, t.verdict, t.created,
      array(select g.group_id from ${table(`${SYSTEM.user}.groups`)} g where g.user_id = t.user_id) as groups
    from ${table(SYSTEM.changeReview)} t join ${table(SYSTEM.user)} u on u.id = t.user_id and u.is_active
    where t.change_request_id = ${request.id}::bigint and t.verdict <> 'comment'
      and not exists (
        select from ${table(SYSTEM.objectChange)} c
        where c.changed_object_type = ${SYSTEM.changeReview} and c.changed_object_id = t.id and c.action = 'create'
          and c.user_id is distinct from t.user_id)
    order by t.user_id, t.id desc`)
  const checks = await checksOf(transaction, request.id)
  const exchanges = [request.checked, ...checks.map(({ replaced }) => replaced)].filter((time) => time !== null)
  return { ...request, checked: exchanges.toSorted().at(-1) ?? '', reviews, checks }
}
