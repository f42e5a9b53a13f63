import type { BooleanField, Field, FieldKind } from '../schema/field.ts'

type OptionsOf<Kind extends FieldKind> = Readonly<
  Record<keyof Extract<Field, { readonly kind: Kind }>, true>
>

/** Options of all fields with a column. */
const STORED: Readonly<Record<keyof BooleanField, true>> = {
  ...{ kind: true, valueType: true, example: true, nullable: true, default: true, unique: true },
  ...{ hidden: true, accepted: true, readOnly: true, writeOnly: true, isSecret: true },
  ...{ required: true, lateRequired: true, defaultFrom: true, resetOnPut: true, compute: true },
  ...{ filter: true, label: true, help: true, unit: true, column: true, unlogged: true },
}

/** Names of the options of each kind of field; the compiler knows which are missing. */
const OPTIONS: { readonly [Kind in FieldKind]: OptionsOf<Kind> } = {
  text: { ...STORED, max: true, blank: true, format: true, collation: true, pattern: true },
  integer: { ...STORED, size: true, range: true },
  decimal: { ...STORED, digits: true, places: true, range: true },
  boolean: STORED,
  date: STORED,
  dateTime: { ...STORED, auto: true },
  json: { ...STORED, objectOnly: true, verbatim: true },
  uuid: STORED,
  choice: { ...STORED, choices: true, max: true, blank: true, bare: true },
  address: { ...STORED, isHost: true },
  network: STORED,
  hardwareAddress: { ...STORED, bytes: true },
  file: { ...STORED, image: true, directory: true, blank: true },
  list: {
    ...STORED,
    ...{ of: true, choices: true, range: true, blank: true, max: true, isSearched: true },
  },
  objectTypes: { ...STORED, feature: true },
  objectType: { ...STORED, feature: true },
  foreignKey: {
    ...STORED,
    ...{ to: true, onDelete: true, related: true, write: true, bare: true, projection: true },
    ...{ repeats: true, filters: true },
  },
  manyToMany: {
    ...{ kind: true, valueType: true, example: true, to: true, related: true, table: true },
    ...{ inverse: true, write: true, hidden: true, readOnly: true, required: true, bare: true },
    ...{ projection: true, order: true, filter: true, label: true, help: true },
  },
  genericForeignKey: {
    ...{ kind: true, example: true, targets: true, lateTargets: true, nullable: true },
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
    ...{ digits: true, places: true, ofEndpoint: true, unit: true },
  },
  derivedKey: { kind: true, to: true, sql: true, projection: true },
  reverse: { kind: true, of: true, via: true, single: true, projection: true, order: true },
  computed: {
    ...{ kind: true, example: true, load: true, schema: true, columns: true, queries: true },
    ...{ excludable: true, input: true, writeOnly: true, recorded: true, objects: true },
  },
}

/** The first option of a field that its kind does not have, which would have no effect. Plugins are loaded without a check of their types. */
export const unknownOption = (field: Field): string | undefined =>
  Object.keys(field).find((name) => !Object.hasOwn(OPTIONS[field.kind], name))

/** Names of the options of a kind of field. */
export const knownOptions = (kind: FieldKind): readonly string[] =>
  Object.keys(OPTIONS[kind]).filter((name) => name !== 'kind' && name !== 'valueType')
