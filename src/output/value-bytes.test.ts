import { describe, expect, it } from 'vitest'
import { choices } from '../schema/choices.ts'
import { decoderOf } from '../storage/decode.ts'
import { RowBytes } from '../storage/row-bytes.ts'
import { JsonBytes } from './json-bytes.ts'
import {
  AS_IS,
  DERIVED,
  labelledChoice,
  QUOTED,
  QUOTED_PLAIN,
  type ValueForm,
} from './value-text.ts'

const [TEXT, BOOLEAN, BIGINT, NUMERIC, TIMESTAMP, DATE, INET] = [25, 16, 20, 1700, 1184, 1082, 869]

const status = labelledChoice(
  choices([
    ['active', 'Active'],
    ['atcive', 'A value with the same ends and length'],
    ['offline', '“Offline”'],
  ]),
)

/** Each form, the number of the column's type, and values as PostgreSQL writes them. */
const CASES: readonly (readonly [string, ValueForm, number, readonly string[]])[] = [
  ['text', QUOTED, TEXT, ['', 'rtr-01', 'é "→"\n', 'x'.repeat(300), '\\'.repeat(300)]],
  ['boolean', DERIVED.boolean, BOOLEAN, ['t', 'f']],
  ['integer', AS_IS, BIGINT, ['0', '-1', '9007199254740991']],
  ['decimal', AS_IS, NUMERIC, ['0.00', '-12.500', '123456789012345678901234567890.5']],
  ['JSON', AS_IS, TEXT, ['{}', '{"a": [1, "é"]}', `["${'x'.repeat(300)}"]`]],
  ['date', QUOTED_PLAIN, DATE, ['2026-11-24']],
  ['address', QUOTED_PLAIN, INET, ['192.0.2.1/24', '2001:db8::1/128']],
  [
    'timestamp',
    DERIVED.dateTime,
    TIMESTAMP,
    [
      '2026-11-21 05:28:30.75411+00',
      '2026-11-21 05:28:30.123456+00',
      '2026-11-21 05:28:30+00',
      '12026-11-21 05:28:30.5+00',
      '0044-03-15 12:00:00+00 BC',
      'infinity',
      '-infinity',
    ],
  ],
  ['choice', status, TEXT, ['active', 'atcive', 'offline', '', 'gone', 'a', 'act"ve']],
]

describe('a value is written from its bytes as from the decoded value', () => {
  it.each(CASES)('%s', (_, { text, bytes: write }, type, values) => {
    for (const value of values) {
      const bytes = Buffer.from(`before${value}after`)
      const [start, end] = ['before'.length, bytes.length - 'after'.length]
      const out = new JsonBytes(0)
      write?.(out, bytes, start, end)
      const decoded = decoderOf(type)(new RowBytes(bytes, false), start, end)
      expect(out.toString()).toBe(text(decoded))
    }
  })
})
