import { choices } from '../../schema/choices.ts'
import { comments, description, housekeeping, owner, PRIMARY } from '../../schema/common.ts'
import { boolean, choice, foreignKey, objectType, text } from '../../schema/field.ts'
import { objectTypeFilter } from '../../schema/filter.ts'
import { model } from '../../schema/model.ts'
import { behaviour, type Normalizer } from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import { LONGEST_EXPRESSION } from './computed-field.ts'

/** What becomes of an object that breaks a rule: its write is refused, or it has a finding. */
export const severity = choices([
  ['refuse', 'Refuse', 'red'],
  ['high', 'High', 'orange'],
  ['medium', 'Medium', 'yellow'],
  ['low', 'Low', 'cyan'],
  ['info', 'Info', 'gray'],
])

/**
 * An expression that is true for every object of a type that is as it should be. Whether it can be compiled is checked
 * by write/validate/rule-expressions.ts.
 */
export const rule = model({
  name: 'extras.rule',
  path: 'extras/rules',
  labels: ['rule', 'rules'],
  about: 'What must be true of the objects of a type: refused when it is written, or shown as a finding.',

  fields: {
    name: text({ max: 100, unique: true }),
    object_type: objectType({ filter: false, example: 'dcim.site' }),
    group: foreignKey('extras.dynamicgroup', {
      ...{ nullable: true, onDelete: 'protect', related: 'rules' },
      help: 'Only for the objects of this dynamic group',
    }),
    expression: text({
      max: LONGEST_EXPRESSION,
      example: "name != ''",
      help: 'True if the object is as it should be, false if not, null if the rule does not apply to it',
    }),
    message: text({ max: 500, help: 'What is wrong with an object that breaks the rule' }),
    severity: choice(severity, { default: 'medium' }),
    enabled: boolean({ default: true }),
    description,
    guide: text({ default: '', filter: false, help: 'Why the rule exists, and how to correct an object. Markdown' }),
    problem: text({
      ...{ default: '', readOnly: true, filter: false },
      help: 'Why the rule cannot be evaluated, although it could when it was written',
    }),
    /** What was evaluated last; another text means that all objects have to be judged again. */
    signature: text({ default: '', hidden: true, filter: false, unlogged: true }),
    comments,
    owner,
    ...housekeeping,
  },

  brief: ['id', 'url', 'display', 'name', 'severity', 'description'],
  graphql: {},
  order: ['name'],
  search: ['name', 'message', 'description', 'expression', 'comments'],

  filters: {
    object_type: objectTypeFilter('object_type', { textLookups: true }),
  },
  features: PRIMARY,
  isShared: true,
})

/** All objects are judged by what has been saved. */
const judgeAgain: Normalizer<typeof rule.fields> = () => ({ signature: '', problem: '' })

export const ruleModel = registered(rule, {
  behaviour: behaviour(rule, { beforeSave: [judgeAgain] }),
  columns: words('name object_type severity enabled problem message description'),
  moreColumns: { without: ['owner.group'] },
  panels: {
    Rule: words('name object_type group severity enabled description problem'),
    Condition: words('expression message'),
    Guide: ['guide'],
  },
  cloned: words('object_type group severity enabled'),
  form: {
    Rule: words('name object_type group severity enabled description tags'),
    Condition: words('expression message guide'),
  },
  filters: { '': ['tag_id'], Attributes: words('object_type severity enabled group_id') },
  bulkEdit: words('severity enabled owner description comments'),
})
