import { integer, text } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

/**
 * Position that a consumer of the event stream has reached. Locked while the consumer works, so that only one process
 * does at a time.
 */
export const eventCursor = model({
  name: 'extras.eventcursor',
  labels: ['event cursor', 'event cursors'],
  page: false,

  fields: {
    name: text({ max: 50, unique: true }),
    /** Position of the last event that was consumed. */
    position: integer({ size: 'big', default: 0 }),
  },

  brief: ['id', 'display'],
  order: ['id'],
  private: true,
  internal: true,
})
