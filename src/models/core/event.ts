import { choices } from '../../schema/choices.ts'
import { choice, dateTime, integer, json } from '../../schema/field.ts'
import { model } from '../../schema/model.ts'

const eventKind = choices([
  ['change', 'Change record'],
  ['object', 'Object'],
  ['job', 'Job'],
])

/**
 * Events: a row that a transaction inserts together with its changes, so that it exists if and only if they are
 * committed. For change records, a row represents one event per record and covers as many positions. Rows get their
 * positions after the commit; see src/changes/stream/.
 */
export const event = model({
  name: 'core.event',
  labels: ['event', 'events'],
  page: false,

  fields: {
    /** Place of the row's last event in the stream: 1, 2, 3, … without gaps. Null until the sequencer has numbered the row. */
    position: integer({ size: 'big', nullable: true }),
    kind: choice(eventKind, {}),
    /**
     * Id of the first change record; the ids of the others are consecutive. Not a foreign key: checking one would slow
     * down every write.
     */
    change: integer({ size: 'big', nullable: true }),
    /** Number of events: that of the change records; 1 for other kinds. */
    count: integer({ default: 1 }),
    /** The event itself; null for change records, which contain everything. */
    payload: json({ nullable: true, verbatim: true }),
    created: dateTime({ auto: 'insert' }),
    /**
     * Number of the transaction that inserted a change record (src/db/versions/number.ts): `as_of` with a position uses
     * it to find the commit.
     */
    transaction: integer({ size: 'big', nullable: true }),
  },

  display: 'Event {id}',
  graphql: false,
  brief: ['id', 'display'],
  order: ['id'],
  unique: [
    { fields: ['position'], whereNotNull: ['position'] },
    // An index of the few rows that have no position yet.
    { fields: ['id'], whereNull: ['position'] },
  ],
  private: true,
  internal: true,
})
