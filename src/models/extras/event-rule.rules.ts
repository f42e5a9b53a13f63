import { complainOfConditions } from '../../schema/conditions.ts'
import { isJsonObject } from '../../schema/json.ts'
import { type Rule, rulesFor } from '../../schema/rule.ts'
import { eventRule } from './event-rule.ts'

type EventRuleRule = Rule<typeof eventRule.fields>

const conditionsCanBeAsked: EventRuleRule = ({ next }) => {
  const { conditions } = next
  const isObject = isJsonObject(conditions) || Array.isArray(conditions)
  const isEmpty = !conditions || (isObject && Object.keys(conditions).length === 0)
  const complaint = isEmpty ? undefined : complainOfConditions(conditions)
  return complaint ? { conditions: complaint } : undefined
}

export const eventRuleRules = rulesFor(eventRule, conditionsCanBeAsked)
