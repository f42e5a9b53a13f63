import { boolean, dateTime, json, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/** A version of the configuration in the database; one of them is active. */
export const configRevision = model({
  name: 'core.configrevision',
  labels: ['config revision', 'config revisions'],
  page: false,

  fields: {
    active: boolean({ default: false }),
    created: dateTime({ readOnly: true, auto: 'insert' }),
    comment: text({ max: 200, default: '' }),
    data: json({ nullable: true }),
  },

  display: 'Config revision #{id}',
  graphql: false,
  brief: ['id', 'display'],
  order: ['-created'],
  private: true,
})
