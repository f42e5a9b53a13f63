import { forbidden } from '../../base/errors.ts'
import type { Constraint } from '../../config/default-permissions.ts'
import { complaintOf, isUnconditional, satisfiesConstraint } from '../../identity/constraint.ts'
import { groupResolver } from '../../read/groups/constraints.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { cachedDefinitions } from '../cached.ts'
import type { WriteContext } from '../context.ts'
import type { StoredRow } from '../rows.ts'

/** Policies for changes of main that need approvals. */
export interface Policy {
  readonly id: number
  readonly name: string
  readonly types: readonly string[]
  /** An object must satisfy one of them; an empty list applies to all objects. */
  readonly constraints: readonly Constraint[]
  /** Ids of the groups whose members approve; empty if anybody may. */
  readonly groups: readonly number[]
  readonly minimum: number
  readonly mayAuthorApprove: boolean
  readonly isVoidedByWrites: boolean
  /** The checks of the change request must have succeeded. */
  readonly requiresChecks: boolean
  /** The token of an agent may merge changes that the policy covers, without approvals. */
  readonly mayAgentsMerge: boolean
  /** The branch must not cause findings of this severity, or of a higher one; null or empty allows them. */
  readonly noNewFindings: string | null
  readonly weekdays: readonly number[]
  readonly notBefore: string
  readonly notAfter: string
}

/** The enabled policies. */
export const policiesOf = async (
  context: Pick<WriteContext, 'service' | 'transaction'>,
): Promise<readonly Policy[]> => {
  if (!context.service.registry.models.has(SYSTEM.changePolicy)) return []
  const { service, transaction } = context
  return await cachedDefinitions(context, 'change policies', async () => {
    const policies = await loadPolicies(transaction)
    const constraints = policies.flatMap((policy) => policy.constraints)
    const resolve = await groupResolver(transaction, service.registry, constraints, 0)
    return policies.map((policy) => ({ ...policy, constraints: policy.constraints.map(resolve) }))
  })
}

async function loadPolicies(queryable: Queryable): Promise<readonly Policy[]> {
  const rows = await queryable.query<
    Omit<Policy, 'constraints'> & { readonly constraints: string | null } & Record<string, unknown>
  >(sql`
    select t.id, t.name, t.object_types as types, t.constraints::text as constraints, t.minimum_approvals as minimum,
      t.author_may_approve as "mayAuthorApprove", t.voided_by_writes as "isVoidedByWrites",
      t.requires_checks as "requiresChecks", t.no_new_findings as "noNewFindings", t.agents_may_merge as "mayAgentsMerge", t.weekdays,
      t.not_before as "notBefore", t.not_after as "notAfter",
      array(select j.group_id from ${table(`${SYSTEM.changePolicy}.approver_groups`)} j where j.changepolicy_id = t.id) as groups
    from ${table(SYSTEM.changePolicy)} t where t.enabled order by t.name`)
  return rows.map((row) => ({ ...row, constraints: constraintsIn(row.constraints) }))
}

/** One object of constraints, or a list of alternatives, as in permissions. */
function constraintsIn(text: string | null): readonly Constraint[] {
  const value = text === null ? null : (JSON.parse(text) as Json) // a JSON column
  const list = Array.isArray(value) ? value : [value]
  const constraints = list.filter((constraint: Json) => isJsonObject(constraint)) as readonly Constraint[] // checked when a lookup uses them
  return constraints.some(isUnconditional) ? [] : constraints
}

/** The changed objects of a model in the relevant states: on main and in a branch, or before and after. */
export interface Subjects {
  readonly model: Model
  /** Each state has a source of rows `t`. */
  readonly states: readonly { readonly queryable: Queryable; readonly rows: Sql }[]
}

/** The policies that apply to one of the objects in one of its states. */
export async function governing(
  policies: readonly Policy[],
  changed: readonly Subjects[],
  user: number,
): Promise<readonly Policy[]> {
  const matching: Policy[] = []
  for (const policy of policies) {
    for (const subjects of changed) {
      if (!policy.types.includes(subjects.model.name) || !(await isAnySubject(policy, subjects, user))) continue
      matching.push(policy)
      break
    }
  }
  return matching
}

async function isAnySubject({ constraints }: Policy, { model, states }: Subjects, user: number): Promise<boolean> {
  // A constraint that does not fit its type must not let changes through.
  if (constraints.length === 0 || constraints.some((constraint) => complaintOf(model, constraint) !== undefined))
    return true
  return await isAnyRow(states, sql`(${satisfied(model, constraints, user)})`)
}

const satisfied = (model: Model, constraints: readonly Constraint[], user: number): Sql =>
  join(
    constraints.map((constraint) => satisfiesConstraint(model, constraint, user)),
    ' or ',
  )

async function isAnyRow(states: Subjects['states'], condition: Sql): Promise<boolean> {
  for (const { queryable, rows } of states) {
    const matches = await queryable.queryArrays(sql`select from ${rows} where ${condition} limit 1`)
    if (matches.length > 0) return true
  }
  return false
}

/** Whether the policy applies to every one of the objects in each of its states. */
export async function coversAll(policy: Policy, { model, states }: Subjects, user: number): Promise<boolean> {
  const { constraints } = policy
  if (!policy.types.includes(model.name)) return false
  if (constraints.length === 0) return true
  // A constraint that does not fit its type must not let changes through.
  if (constraints.some((constraint) => complaintOf(model, constraint) !== undefined)) return false
  return !(await isAnyRow(states, sql`(${satisfied(model, constraints, user)}) is not true`))
}

/** An object before and after a change. */
interface ChangedObject {
  readonly model: Model
  readonly previous: StoredRow | undefined
  readonly next: StoredRow | undefined
}

/**
 * Throws `forbidden` if a policy requires approvals for these changes of main. Superusers and the service itself are
 * exempt, and so is the merge of a branch, whose approvals have been checked.
 */
export async function requireNoPolicy(context: WriteContext, changes: readonly ChangedObject[]): Promise<void> {
  const { actor, service, transaction, isApproved } = context
  if (isApproved || actor.isSuperuser || service.branch) return
  const policies = await policiesOf(context)
  if (policies.length === 0) return
  const changed = [...Map.groupBy(changes, ({ model }) => model)].map(([model, list]) => ({
    model,
    states: [
      {
        queryable: transaction,
        rows: rowsIn(
          model,
          list.flatMap(({ previous, next }) => [previous ?? [], next ?? []].flat()),
        ),
      },
    ],
  }))
  const [policy] = await governing(policies, changed, actor.id)
  if (!policy) return
  const detail = `The policy "${policy.name}" requires approval of this change: make it in a branch, and open a change request for the branch.`
  throw forbidden(detail)
}

/** The rows as a source `t`, whether or not they are stored. */
const rowsIn = (model: Model, rows: readonly StoredRow[]): Sql => {
  const rowsByColumn = rows.map((row) =>
    Object.fromEntries([...model.columns.values()].map(({ name, key }) => [name, row[key] ?? null])),
  )
  return sql`json_populate_recordset(null::${table(model)}, ${JSON.stringify(rowsByColumn)}::json) t`
}
