import { LOGGED } from '../../schema/common.ts'
import { dateTime, foreignKey, genericForeignKey, json, objectTypes, text } from '../../schema/field.ts'
import { choiceFilter, numberFilter, objectTypeFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type Normalizer, type Rule } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { severity } from './rule.ts'

/**
 * An object that breaks a rule, for as long as it does. The service adds and removes findings as objects change; users
 * can only accept them for a time.
 */
export const finding = model({
  name: 'extras.finding',
  path: 'extras/findings',
  labels: ['finding', 'findings'],
  about: 'An object that breaks a rule. Findings come and go by themselves as objects change.',

  fields: {
    rule: foreignKey('extras.rule', { onDelete: 'cascade', related: 'findings', readOnly: true }),
    object: genericForeignKey(['independent'], {
      nullable: false,
      onDelete: 'keep',
      listsTypes: true,
      readOnly: true,
    }),
    since: dateTime({ readOnly: true }),
    causes: json({ readOnly: true, default: [], help: 'Related objects that break the rule, by type and id' }),
    accepted_until: dateTime({ nullable: true, help: 'Until when the finding is accepted' }),
    reason: text({ max: 500, default: '', help: 'Why it is accepted' }),
    accepted_by: text({ max: 150, default: '', readOnly: true, help: 'Name of the user who has accepted it' }),
    /** Types of objects on which the finding depends: who may not view all of them does not see it. */
    reads: objectTypes({ default: [], hidden: true }),
  },

  display: '{rule.name}',
  brief: ['id', 'url', 'display', 'rule', 'object_type', 'object_id', 'since'],
  graphql: {},
  order: ['-since', 'id'],
  endpointOrder: [{ field: 'rule.severity', byChoice: true }, 'since', 'id'],
  unique: [{ fields: ['rule', 'object_type', 'object_id'] }],

  filters: {
    object_type_id: objectTypeFilter('object_type', { byId: true }),
    object_type: objectTypeFilter('object_type', { textLookups: true }),
    severity: choiceFilter('rule.severity', severity),
    since: numberFilter('since', 'dateTime'),
  },
  features: LOGGED,
  methods: ['GET', 'PUT', 'PATCH'],
  visibleWith: { relation: 'object', types: 'reads' },
  isShared: true,
})

const statesReason: Rule<typeof finding.fields> = ({ next }) =>
  next.accepted_until !== null && next.reason === '' ? { reason: 'Say why the finding is accepted.' } : undefined

const notesOwner: Normalizer<typeof finding.fields> = ({ next, previous, user }) => {
  if (next.accepted_until === null) return { accepted_by: '' }
  const isSame = next.accepted_until === previous?.accepted_until && next.reason === previous.reason
  return isSame ? undefined : { accepted_by: user }
}

export const findingModel = registered(finding, {
  behaviour: behaviour(finding, { modelRules: [statesReason], beforeSave: [notesOwner] }),
  columns: words('object rule rule.severity since accepted_until reason accepted_by'),
  panels: { Finding: words('rule object since causes accepted_until reason accepted_by') },
  form: { Acceptance: words('accepted_until reason') },
  filters: { Attributes: words('severity rule_id object_type accepted_by since') },
  bulkEdit: words('accepted_until reason'),
})
