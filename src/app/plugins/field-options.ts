import { type Field, type FieldKind, SCALAR_KINDS, type ScalarField } from '../../schema/field.ts'
import type { Stored } from '../../schema/fields/kind.ts'

type OptionsOf<Kind extends FieldKind> = Readonly<Record<keyof Extract<Field, { readonly kind: Kind }>, true>>

/** Options of all fields with a column. */
const STORED: Readonly<Record<keyof Stored<string, unknown>, true>> = {
  ...{ kind: true, valueType: true, example: true, nullable: true, default: true, unique: true },
  ...{ hidden: true, accepted: true, readOnly: true, writeOnly: true, isSecret: true },
  ...{ required: true, lateRequired: true, defaultFrom: true, resetOnPut: true, compute: true },
  ...{ filter: true, label: true, help: true, unit: true, column: true, unlogged: true },
  ...{ shownAs: true, maintained: true },
}

/** Names of the options of fields with more than one value; the compiler reports missing ones. */
const OPTIONS: { readonly [K in Exclude<FieldKind, ScalarField['kind']>]: OptionsOf<K> } = {
  foreignKey: {
    ...STORED,
    ...{ to: true, onDelete: true, related: true, write: true, bare: true, projection: true },
    ...{ repeats: true, filters: true, offered: true },
  },
  manyToMany: {
    ...{ kind: true, valueType: true, example: true, to: true, related: true, table: true },
    ...{ inverse: true, write: true, hidden: true, readOnly: true, required: true, bare: true },
    ...{ projection: true, order: true, filter: true, label: true, help: true, offered: true },
  },
  genericForeignKey: {
    ...{ kind: true, example: true, targets: true, lateTargets: true, nullable: true },
    ...{ takesObject: true },
    ...{ typeField: true, idField: true, shown: true, readOnly: true, hidden: true },
    ...{ typeRequired: true, listsTypes: true, idLabel: true, resetOnPut: true, onDelete: true },
    ...{ related: true, filter: true, projections: true },
  },
  tags: { kind: true, hidden: true },
  customFields: { kind: true, hidden: true },
  counter: { kind: true, of: true, via: true, hidden: true, filter: true },
  relatedCount: { kind: true, of: true, via: true, cumulative: true, belongsToObject: true },
  derived: {
    ...{ kind: true, type: true, sql: true, choices: true, nullable: true, isTyped: true },
    ...{ digits: true, places: true, ofEndpoint: true, input: true, unit: true },
    ...{ expression: true, inLists: true, reads: true, label: true, help: true },
  },
  derivedKey: { kind: true, to: true, sql: true, projection: true },
  reverse: { kind: true, of: true, via: true, single: true, projection: true, order: true },
  computed: {
    ...{ kind: true, example: true, load: true, schema: true, columns: true, queries: true },
    ...{
      excludable: true,
      input: true,
      writeOnly: true,
      linksTo: true,
      recorded: true,
      objects: true,
      joins: true,
      label: true,
      help: true,
    },
  },
}

const optionsOf = (kind: FieldKind): readonly string[] =>
  Object.keys(isScalarKind(kind) ? { ...STORED, ...SCALAR_KINDS[kind].options } : OPTIONS[kind])

/**
 * The first option of a field that its kind does not have, and that would have no effect. Plugins are loaded without
 * type checking.
 */
export const unknownOption = (field: Field): string | undefined =>
  Object.keys(field).find((name) => !optionsOf(field.kind).includes(name))

/** Names of the options of a kind of field. */
export const knownOptions = (kind: FieldKind): readonly string[] =>
  optionsOf(kind).filter((name) => name !== 'kind' && name !== 'valueType')

const isScalarKind = (kind: FieldKind): kind is ScalarField['kind'] => kind in SCALAR_KINDS
