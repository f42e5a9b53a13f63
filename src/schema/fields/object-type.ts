import { accept, isRefused, type Outcome, refuse } from '../outcome.ts'
import {
  builder,
  type IsObjectType,
  type OptionsOf,
  PLAIN_TEXT,
  restoredList,
  restoredText,
  type ScalarKind,
  type Stored,
  TEXT_SCHEMA,
  type ValueOf,
} from './kind.ts'
import { cellItems } from './list.ts'

/** Name of one object type, `app.model`, stored as text. */
export interface ObjectTypeField<Value = string> extends Stored<'objectType', Value> {
  readonly feature?: string
}

export const objectType = <const O extends OptionsOf<ObjectTypeField>>(
  options: O,
): ObjectTypeField<ValueOf<string, O>> => builder<ObjectTypeField>('objectType')(options)

export const objectTypeKind: ScalarKind<ObjectTypeField<unknown>> = {
  ...PLAIN_TEXT,
  options: { feature: true },
  columnType: () => 'text',
  parse: ({ feature }, input, isObjectType) => parseObjectType(isObjectType, feature, input),
  filter: (path) => ({ kind: 'objectType', path }),
  metadata: () => ({}),
  graphql: { type: () => 'String' },
  control: () => 'objectType',
}

/** Names of object types, `app.model`, stored as text[]. */
export interface ObjectTypesField<Value = readonly string[]> extends Stored<'objectTypes', Value> {
  /** Feature that the model must have; absent: any public model. */
  readonly feature?: string
}

export const objectTypes = <const O extends OptionsOf<ObjectTypesField>>(
  options: O,
): ObjectTypesField<ValueOf<readonly string[], O>> => builder<ObjectTypesField>('objectTypes')(options)

export const objectTypesKind: ScalarKind<ObjectTypesField<unknown>> = {
  options: { feature: true },
  columnType: () => 'text[]',
  parse: ({ feature, required }, input, isObjectType) => {
    if (!Array.isArray(input)) return refuse('Expected a list of items.')
    if (input.length === 0 && required) return refuse('This list may not be empty.')
    const names = new Set<string>()
    for (const item of input) {
      const outcome = parseObjectType(isObjectType, feature, item)
      if (isRefused(outcome)) return outcome
      names.add(String(outcome.value))
    }
    return accept([...names].sort())
  },
  restore: (value) => restoredList(value).map((item) => restoredText(item ?? '')),
  empty: [],
  cell: (input) => ({ value: cellItems(input) }),
  cleared: ({ nullable }) => (nullable ? null : []),
  text: () => JSON.stringify,
  filter: (path) => ({ kind: 'objectType', path }),
  metadata: () => ({}),
  schema: () => ({ type: 'array', items: TEXT_SCHEMA }),
  graphql: { type: () => '[String!]' },
  control: () => 'objectTypes',
}

function parseObjectType(isObjectType: IsObjectType, feature: string | undefined, input: unknown): Outcome {
  if (typeof input !== 'string' || !/^[a-z_]+\.[a-z_0-9]+$/.test(input)) {
    return refuse('Specify an object type as "app.model".')
  }
  return isObjectType(input, feature) ? accept(input) : refuse(`The object type ${input} cannot be chosen here.`)
}
