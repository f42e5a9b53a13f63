import type { eventRule } from '../../models/extras/event-rule.ts'
import { type ConditionSubject, meetsConditions } from '../../schema/conditions.ts'
import type { Json } from '../../schema/json.ts'
import type { RowOf } from '../../schema/rule.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { NAMES_ITS_TARGET, parseConditions, RULE_GROUPS } from '../../write/record/event-rules.ts'

/** An event rule with its action. */
export interface ActionRule {
  readonly id: number
  readonly name: string
  readonly enabled: boolean
  readonly types: readonly string[]
  readonly events: readonly string[]
  readonly conditions: Json
  /** Ids of dynamic groups: an object must be a member of one of them, if there are any. */
  readonly groups: readonly number[]
  readonly action: RowOf<typeof eventRule.fields>['action_type']
  /** Id of the webhook, script or notification group. */
  readonly target: number
  /** JSON text of an object. */
  readonly data: string | null
}

/** All event rules with an action, by name. */
export async function actionRules(queryable: Queryable): Promise<readonly ActionRule[]> {
  const rows = await queryable.query<Omit<ActionRule, 'conditions'> & { readonly conditions: string | null }>(sql`
    select id, name, enabled, object_types as types, event_types as events, conditions,
      ${RULE_GROUPS} as groups,
      action_type as action, action_object_id as target,
      case when jsonb_typeof(action_data) = 'object' then action_data end as data
    from ${table(SYSTEM.eventRule)} r
    where action_object_id is not null and ${NAMES_ITS_TARGET}
    order by name`)
  return rows.map((row) => ({ ...row, conditions: parseConditions(row.conditions) }))
}

/** An event of the stream without its content. */
export interface EventHead {
  readonly id: number
  readonly kind: 'object' | 'job'
  readonly event: string
  readonly objectType: string
  readonly objectId: number
  /** Id of the request that caused it; null for a job. */
  readonly request: string | null
  /** Name of the user who made it; null for a job without a user. */
  readonly author: string | null
  /** Rules that were enabled for the event when it happened; null if the event does not name any. */
  readonly rules: readonly number[] | null
}

/** Whether the rule applies to such events; its conditions are not checked. */
export function isFor(rule: ActionRule, event: EventHead): boolean {
  if (event.rules !== null) return event.rules.includes(rule.id)
  return rule.enabled && rule.types.includes(event.objectType) && rule.events.includes(event.event)
}

/** Whether the conditions of the rule hold; false if the subject lacks a named value. */
export const applies = ({ conditions }: ActionRule, subject: ConditionSubject): boolean =>
  conditions === null || meetsConditions(conditions, subject) === true
