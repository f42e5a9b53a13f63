import { choices } from '../../schema/choices.ts'
import { description, LOGGED, owner, timestamps } from '../../schema/common.ts'
import { complainOfConditions } from '../../schema/conditions.ts'
import {
  boolean,
  choice,
  customFields,
  dateTime,
  genericForeignKey,
  integer,
  json,
  list,
  manyToMany,
  objectTypes,
  tags,
  text,
} from '../../schema/field.ts'
import { custom, objectTypeFilter, related } from '../../schema/filter.ts'
import { isJsonObject } from '../../schema/json.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type Normalizer, type RowOf, type Rule } from '../../schema/rule.ts'
import { registered, titled, words } from '../../schema/view.ts'
import { sql } from '../../sql/fragment.ts'

/** Types of events. */
export const eventType = choices([
  ['object_created', 'Object created'],
  ['object_updated', 'Object updated'],
  ['object_deleted', 'Object deleted'],
  ['job_started', 'Job started'],
  ['job_completed', 'Job completed'],
  ['job_failed', 'Job failed'],
  ['job_errored', 'Job errored'],
  ['date_reached', 'Date reached'],
])

/** Units of the time between a date and the action of a rule. */
const dateUnit = choices([
  ['days', 'Days'],
  ['hours', 'Hours'],
])

const eventRuleAction = choices([
  ['webhook', 'Webhook'],
  ['script', 'Script'],
  ['notification', 'Notification'],
  ['email', 'E-mail'],
])

/** An action to run when objects of some types change. */
export const eventRule = model({
  name: 'extras.eventrule',
  path: 'extras/event-rules',
  labels: ['event rule', 'event rules'],
  about: 'What happens when objects change: a webhook, a notification or a script.',
  earlier: { without: ['action_is_available'] },

  fields: {
    object_types: objectTypes({ filter: false, feature: 'eventRules' }),
    name: text({ max: 150, unique: true }),
    enabled: boolean({ default: true }),
    event_types: list('text', { max: 50, choices: eventType }),
    conditions: json({ nullable: true, example: null }),
    dynamic_groups: manyToMany('extras.dynamicgroup', { related: '+' }),
    /** For `date_reached`: name of a date or timestamp, `cf_<name>` for a custom field. */
    date_field: text({
      max: 100,
      default: '',
      example: '',
      help: 'Date or timestamp field of the objects; cf_<name> for custom fields',
    }),
    date_offset: integer({ range: [-36500, 36500], default: 0, help: 'Time after the date; negative: before it' }),
    date_unit: choice(dateUnit, { default: 'days', max: 10, bare: true }),
    /** Dates that had been reached before are not acted upon: since the rule has these settings and is enabled. */
    dates_since: dateTime({ nullable: true, readOnly: true, hidden: true }),
    action_type: choice(eventRuleAction, {
      default: 'webhook',
      required: true,
      max: 30,
      example: 'webhook',
    }),
    action_object: genericForeignKey(['extras.webhook', 'extras.script', 'extras.notificationgroup'], {
      example: 'extras.webhook',
      nullable: true,
      typeRequired: true,
      related: 'event_rules',
      listsTypes: true,
    }),
    action_is_available: boolean({ default: true, readOnly: true }),
    description,
    custom_fields: customFields(),
    owner,
    tags: tags(),
    ...timestamps,
    action_data: json({ nullable: true, hidden: true }),
    comments: text({ default: '', hidden: true }),
  },

  graphql: { enums: { action_type: ['EventRuleActionEnum', ''] } },
  brief: ['id', 'url', 'display', 'name', 'description'],
  order: ['name'],
  search: ['comments', 'name', 'description'],

  filters: {
    object_type_id: objectTypeFilter('object_types', { byId: true }),
    object_type: objectTypeFilter('object_types', { textLookups: true }),
    assigned_dynamic_group_id: related('dynamic_groups', 'extras.dynamicgroup'),
    event_type: custom({
      value: 'text',
      multiple: true,
      where: ({ column }, values) => sql`${column('event_types')} && ${values}::text[]`,
    }),
  },
  features: [...LOGGED, 'exportTemplates'],
})

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
  return { action_object_type: 'The action of an e-mail rule must be a notification group.' }
}

/** The field itself is checked by write/validate/date-rules.ts, which has the models. */
const datesAreComplete: EventRuleRule = ({ next }) => {
  const isAboutDates = next.event_types.includes('date_reached')
  if (isAboutDates && next.date_field === '') return { date_field: 'Name the date whose arrival starts the rule.' }
  return !isAboutDates && next.date_field !== ''
    ? { event_types: 'A rule with a date field needs the event type date_reached.' }
    : undefined
}

const DATE_SETTINGS = ['enabled', 'object_types', 'event_types', 'date_field', 'date_offset', 'date_unit'] as const

/** Dates in the past must not start actions when a rule is made, changed or enabled. */
const countDatesAnew: Normalizer<typeof eventRule.fields> = ({ next, previous, now }) => {
  const isSame =
    previous && DATE_SETTINGS.every((name) => JSON.stringify(previous[name]) === JSON.stringify(next[name]))
  if (next.date_field === '') return { dates_since: null }
  return isSame ? undefined : { dates_since: now }
}

/** The types of the objects that the actions use. */
const TARGETS: Readonly<Record<RowOf<typeof eventRule.fields>['action_type'], string>> = {
  webhook: 'extras.webhook',
  script: 'extras.script',
  notification: 'extras.notificationgroup',
  email: 'extras.notificationgroup',
}

export const eventRuleModel = registered(eventRule, {
  behaviour: behaviour(eventRule, {
    normalize: [countDatesAnew],
    modelRules: [conditionsCanBeAsked, emailsGoToGroups, datesAreComplete],
  }),
  columns: words('name enabled action_type action_object object_types event_types'),
  moreColumns: { without: ['owner.group'] },
  labels: {
    ...titled('object_types event_types'),
    date_field: 'Date',
    date_offset: 'Offset',
    date_unit: 'Unit',
    action_type: 'Type',
    action_object: 'Object',
  },
  panels: [{ 'Event Rule': words('name enabled description') }, { Action: words('action_type action_object') }],
  tables: [{ model: 'extras.webhookdelivery', by: { event_rule_id: 'id' }, isShownEmpty: true }],
  formLabels: { action_type: 'Notify by', date_offset: 'Time', date_unit: 'Unit', date_field: 'Date' },
  shownWith: {
    date_offset: { field: 'event_types', values: ['date_reached'] },
    date_unit: { field: 'event_types', values: ['date_reached'] },
    date_field: { field: 'event_types', values: ['date_reached'] },
  },
  decidedBy: {
    action_type: {
      relation: 'action_object',
      values: {
        'extras.webhook': ['webhook'],
        'extras.script': ['script'],
        'extras.notificationgroup': ['notification', 'email'],
      },
    },
  },
  form: {
    'Event Rule': words('name description object_types enabled tags'),
    Triggers: words('event_types date_offset date_unit date_field conditions dynamic_groups'),
    Action: words('action_object action_type action_data'),
  },
  filters: { Attributes: words('object_type_id event_type action_type enabled') },
  bulkEdit: words('owner enabled event_types description'),
  importColumns: {
    action_object: {
      to: {
        typeIn: 'action_type',
        types: TARGETS,
      },
      assigns: 'action_object',
    },
  },
})
