import { isJsonObject, type Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { cachedDefinitions } from '../cached.ts'
import type { WriteContext } from '../context.ts'

/** An enabled event rule. */
export interface EnabledRule {
  readonly id: number
  /** Names of the models. */
  readonly types: readonly string[]
  /** Types of events. */
  readonly events: readonly string[]
  /** Null: the rule applies to every event of these types. */
  readonly conditions: Json
  /** Ids of dynamic groups: an object must be a member of one of them, if there are any. */
  readonly groups: readonly number[]
  /** Id of the group that is notified within the write; undefined for actions after the commit. */
  readonly group: number | undefined
}

/** Enabled rules for objects of the model, by name. Nearly always cached. */
export async function eventRulesOf(
  context: Pick<WriteContext, 'service' | 'transaction'>,
  model: Model,
): Promise<readonly EnabledRule[]> {
  if (!model.has('eventRules') || !context.service.registry.models.has(SYSTEM.eventRule)) return []
  const rules = await cachedDefinitions(context, 'event rules', () => enabledRules(context))
  return rules.filter(({ types }) => types.includes(model.name))
}

/** Ids of the dynamic groups to which a rule is limited. */
export const RULE_GROUPS: Sql = sql`array(
  select j.dynamicgroup_id from ${table(`${SYSTEM.eventRule}.dynamic_groups`)} j where j.eventrule_id = r.id)`

/** Condition for rules whose object has the type that their action needs: imported rules may name anything. */
export const NAMES_ITS_TARGET: Sql = sql`action_object_type = case action_type
  when 'webhook' then ${SYSTEM.webhook}::text when 'script' then ${SYSTEM.script}::text
  else ${SYSTEM.notificationGroup}::text end`

async function enabledRules({ transaction }: Pick<WriteContext, 'transaction'>): Promise<readonly EnabledRule[]> {
  const rows = await transaction.query<{
    id: number
    types: string[]
    events: string[]
    conditions: string | null
    groups: number[]
    action: string
    target: number | null
  }>(sql`
    select id, object_types as types, event_types as events, conditions, ${RULE_GROUPS} as groups,
      action_type as action, action_object_id as target
    from ${table(SYSTEM.eventRule)} r
    where enabled and action_object_id is not null and ${NAMES_ITS_TARGET}
    order by name`)
  return rows.map(({ id, types, events, groups, conditions, action, target }) => ({
    ...{ id, types, events, groups },
    conditions: parseConditions(conditions),
    group: action === 'notification' && target !== null ? target : undefined,
  }))
}

/** Conditions from the text of their column; null if there are none. */
export function parseConditions(text: string | null): Json {
  if (text === null) return null
  const conditions = JSON.parse(text) as Json // a JSON column
  const isObject = isJsonObject(conditions) || Array.isArray(conditions)
  return isObject && Object.keys(conditions).length === 0 ? null : conditions
}
