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

const emailsGoToGroups: EventRuleRule = ({ next }) => {
  const { action_type: action, action_object_type: type } = next
  if (action !== 'email' || !type || type === 'extras.notificationgroup') return undefined
  return { action_object_type: 'E-mails are sent to a notification group.' }
}

export const eventRuleBehaviour = rulesFor(eventRule, conditionsCanBeAsked, emailsGoToGroups)
