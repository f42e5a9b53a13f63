import { asJson, isJsonObject, type Json, parseJson } from '../json.ts'
import { accept, refuse } from '../outcome.ts'
import { asIs, builder, type CellValue, type OptionsOf, type ScalarKind, type Stored, type ValueOf } from './kind.ts'
import { complainOfDocument } from './text.ts'

export interface JsonField<Value = Json> extends Stored<'json', Value> {
  /** Only objects are accepted. */
  readonly objectOnly?: boolean
  /** Stored as written (json, not jsonb): for values that are often stored and seldom queried. */
  readonly verbatim?: boolean
  /** An object whose values are texts: people enter a name and a value on each line. */
  readonly entries?: boolean
  /** Names object types, as `app.model` or `{app_label, model}`: people choose them. */
  readonly objectTypes?: 'one' | 'several'
}

export const json = <const O extends OptionsOf<JsonField>>(options: O): JsonField<ValueOf<Json, O>> =>
  builder<JsonField>('json')(options)

/** A JSON document in a cell of an imported table. */
export function jsonCell(input: unknown): CellValue {
  if (typeof input !== 'string') return { value: asJson(input) }
  try {
    return { value: parseJson(input) }
  } catch {
    return { message: 'This is not valid JSON.' }
  }
}

export const jsonKind: ScalarKind<JsonField<unknown>> = {
  options: { objectOnly: true, verbatim: true, entries: true, objectTypes: true },
  columnType: ({ verbatim }) => (verbatim ? 'json' : 'jsonb'),
  parse: ({ objectOnly }, input) => {
    if (objectOnly && !isJsonObject(input)) return refuse('Must be a JSON object.')
    const complaint = complainOfDocument(input)
    return complaint === undefined ? accept(input) : refuse(complaint)
  },
  restore: (value) => value,
  cell: (input, { objectTypes }) => {
    const document = jsonCell(input)
    if (objectTypes === undefined || !('message' in document)) return document
    const names = String(input).split(/[\s,]+/)
    return { value: objectTypes === 'one' ? asJson(input) : names }
  },
  text: () => asIs,
  metadata: () => ({}),
  schema: ({ objectOnly }) => (objectOnly ? { type: 'object' } : {}),
  graphql: { type: () => 'JSON' },
  control: ({ entries, objectTypes }) => {
    if (objectTypes) return objectTypes === 'one' ? 'objectType' : 'objectTypes'
    return entries ? 'entries' : 'json'
  },
}
