import { integer, json, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/**
 * Rows of one table that a transaction has changed and that rules read; written by triggers in that transaction, and
 * deleted once the rules have been evaluated for them.
 */
export const ruleTouch = model({
  name: 'extras.ruletouch',
  labels: ['rule touch', 'rule touches'],
  page: false,

  fields: {
    /** Name in the database. */
    changed_table: text({}),
    /** Number of the transaction. */
    number: integer({ size: 'big' }),
    /** Ids of the rows, or values of the first column of a table that joins two models. */
    ids: json({}),
    /** Values of the second column of such a table. */
    others: json({ default: [] }),
  },

  brief: ['id', 'display'],
  display: '{changed_table}',
  order: ['id'],
  private: true,
  internal: true,
  transient: true,
})
