import { accept, refuse } from '../outcome.ts'
import { isDate, parseTimestamp, toUtc } from '../timestamp.ts'
import {
  builder,
  type OptionsOf,
  PLAIN_TEXT,
  quotePlain,
  type ScalarKind,
  type Stored,
  type ToText,
  type ValueOf,
} from './kind.ts'

export interface DateField<Value = string> extends Stored<'date', Value> {}

/** Calendar date, YYYY-MM-DD. */
export const date = <const O extends OptionsOf<DateField>>(options: O): DateField<ValueOf<string, O>> =>
  builder<DateField>('date')(options)

export const dateKind: ScalarKind<DateField<unknown>> = {
  ...PLAIN_TEXT,
  options: {},
  columnType: () => 'date',
  parse: (_field, input) =>
    typeof input === 'string' && isDate(input.trim()) ? accept(input.trim()) : refuse('Enter a date as YYYY-MM-DD.'),
  filter: (path) => ({ kind: 'date', path }),
  metadata: () => ({ type: 'date' }),
  schema: () => ({ type: 'string', format: 'date' }),
  graphql: { type: () => 'Date', lookup: () => ['DateFilterLookup', 'date'] },
  control: () => 'date',
}

export interface DateTimeField<Value = string> extends Stored<'dateTime', Value> {
  /** Set by the write pipeline: at insert, or at every save. */
  readonly auto?: 'insert' | 'save'
}

/** Timestamp, ISO 8601 UTC with microseconds. */
export const dateTime = <const O extends OptionsOf<DateTimeField>>(options: O): DateTimeField<ValueOf<string, O>> =>
  builder<DateTimeField>('dateTime')(options)

/** Timestamps have milliseconds in Django's JSON. */
const inMilliseconds: ToText = (timestamp) => quotePlain(String(timestamp).replace(/(\.\d{3})\d{3}Z$/, '$1Z'))

/** A timestamp in the form of NetBox's GraphQL: with a numeric offset. */
export const withOffset: ToText = (timestamp) => quotePlain(String(timestamp).replace(/Z$/, '+00:00'))

export const dateTimeKind: ScalarKind<DateTimeField<unknown>> = {
  ...PLAIN_TEXT,
  options: { auto: true },
  columnType: () => 'timestamptz',
  parse: (_field, input) => {
    const timestamp = typeof input === 'string' ? parseTimestamp(input) : undefined
    const utc = timestamp && toUtc(timestamp)
    return utc === undefined ? refuse('Enter date and time as YYYY-MM-DDThh:mm:ss, with Z or an offset.') : accept(utc)
  },
  recorded: () => inMilliseconds,
  filter: (path) => ({ kind: 'dateTime', path }),
  metadata: () => ({ type: 'datetime' }),
  schema: () => ({ type: 'string', format: 'date-time' }),
  graphql: {
    type: () => 'DateTime',
    text: () => withOffset,
    lookup: () => ['DatetimeFilterLookup', 'dateTime'],
  },
}
