import { accept, refuse } from '../outcome.ts'
import { builder, type OptionsOf, PLAIN_TEXT, type ScalarKind, type Stored, type ValueOf } from './kind.ts'

export interface UuidField<Value = string> extends Stored<'uuid', Value> {}

export const uuid = <const O extends OptionsOf<UuidField>>(options: O): UuidField<ValueOf<string, O>> =>
  builder<UuidField>('uuid')(options)

const UUID = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i

const hyphenate = (digits: string): string =>
  digits
    .toLowerCase()
    .replaceAll('-', '')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export const uuidKind: ScalarKind<UuidField<unknown>> = {
  ...PLAIN_TEXT,
  options: {},
  columnType: () => 'uuid',
  parse: (_field, input) =>
    typeof input === 'string' && UUID.test(input.trim())
      ? accept(hyphenate(input.trim()))
      : refuse('Must be a valid UUID.'),
  filter: (path) => ({ kind: 'uuid', path }),
  metadata: () => ({}),
  schema: () => ({ type: 'string', format: 'uuid' }),
  graphql: { type: () => 'UUID', lookup: () => ['StrFilterLookup', 'text'] },
}
