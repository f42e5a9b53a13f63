import { dateTime, foreignKey, genericForeignKey, integer, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/**
 * An object whose date a rule has reached. The row is inserted in the transaction that stores the event, so that the rule
 * acts once for each object and date, however many processes find it.
 */
export const dateAction = model({
  name: 'extras.dateaction',
  labels: ['date action', 'date actions'],
  page: false,

  fields: {
    event_rule: foreignKey('extras.eventrule', { onDelete: 'cascade', related: '+' }),
    object: genericForeignKey(['feature:eventRules'], { nullable: true, onDelete: 'keep' }),
    /** The settings of the rule and the value of the field at that time: a change of any of them counts anew. */
    field: text({ max: 100 }),
    date: text({ max: 50 }),
    offset: integer({}),
    unit: text({ max: 10 }),
    acted: dateTime({}),
  },

  graphql: false,
  brief: ['id', 'display'],
  order: ['id'],
  unique: [{ fields: ['event_rule', 'object_type', 'object_id', 'field', 'date', 'offset', 'unit'] }],
  private: true,
  internal: true,
})
