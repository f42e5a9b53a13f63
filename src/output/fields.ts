import { columnOf } from '../query/column.ts'
import { displayOf } from '../query/display.ts'
import type { Field, FieldKind, NestedProjection, ScalarField } from '../schema/field.ts'
import { genericPart } from '../schema/generic-keys.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import { BASE } from './base.ts'
import { writeComputed } from './computed.ts'
import { writeCustomFields } from './custom-fields.ts'
import { writeGeneric } from './generic.ts'
import { writeManyToMany, writeReverse, writeTags } from './many.ts'
import type { FieldWriter, MemberWriter } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { writeCount } from './related-count.ts'
import {
  AS_IS,
  DERIVED,
  labelledChoice,
  orNull,
  QUOTED,
  selectOf,
  type ValueForm,
  valueForm,
} from './value-text.ts'

/** One entry of a projection, taken apart. */
export interface ProjectionEntry {
  readonly name: string
  /** How the field is shown where it is not in its usual projection. */
  readonly as: NestedProjection | 'bare' | undefined
}

export const entriesOf = (projection: NestedProjection): readonly ProjectionEntry[] =>
  projection.map((entry) =>
    typeof entry === 'string' ? { name: entry, as: undefined } : { name: entry[0], as: entry[1] },
  )

/** Adds what the entry shows to the plan. Throws naming model and field when there is no such field. */
export function addEntry(builder: PlanBuilder, entry: ProjectionEntry): void {
  builder.part(entry.name, writerOf(builder, entry))
}

function writerOf(builder: PlanBuilder, entry: ProjectionEntry): FieldWriter {
  const { model } = builder
  const own = OWN[entry.name]
  const field = model.fields.get(entry.name)
  // A field of the same name is meant: some models store what is usually derived.
  if (own && !field) return own(builder)
  if (
    field &&
    !(field.kind === 'genericForeignKey' && (field.shown ?? entry.name) !== entry.name)
  ) {
    return writeField(builder, field, entry)
  }
  const generic = writeGenericPart(builder, entry)
  if (!generic) throw new Error(`${model.name}: no field ${entry.name} to show`)
  return generic
}

function writeDisplay(builder: PlanBuilder): FieldWriter {
  const { displayOfPage } = builder.model.definition
  if (displayOfPage) return writeComputed(builder, displayOfPage)
  return showColumn(builder, displayOf(builder.model, sql`t`), QUOTED)
}

/** Fields that every object has without declaring them. */
const OWN: Readonly<Record<string, (builder: PlanBuilder) => FieldWriter>> = {
  id: () => ({ write: (out, row) => out.integer(Number(row[0])) }),
  url: ({ model }) => (model.path === '' ? () => 'null' : writeUrl(`/api/${model.path}/`)),
  display_url: ({ model }) => writeUrl(`/${model.definition.page || model.path}/`),
  display: writeDisplay,
  display_name: writeDisplay,
  _depth: (builder) => showStored(builder, '_level', AS_IS),
}

/** The URL of what has the row's id below the path. */
function writeUrl(path: string): MemberWriter {
  const [begin, middle, end] = [Buffer.from('"'), Buffer.from(path), Buffer.from('/"')]
  return {
    write: (out, row, _, base) => {
      out.piece(begin)
      out.text(base)
      out.piece(middle)
      out.integer(Number(row[0]))
      out.piece(end)
    },
  }
}

/** Shows an expression over the row, and nothing else. */
function showColumn(builder: PlanBuilder, expression: Sql, form: ValueForm): FieldWriter {
  // Without a way to write its bytes, the value is decoded.
  const index = form.bytes ? builder.shownColumn(expression) : builder.column(expression)
  return { index, form }
}

const showStored = (builder: PlanBuilder, key: string, form: ValueForm): FieldWriter =>
  showColumn(builder, builder.storedColumn(key), form)

type WriterOf<K extends FieldKind> = (
  builder: PlanBuilder,
  field: Extract<Field, { kind: K }>,
  entry: ProjectionEntry,
) => FieldWriter

const scalar = (
  builder: PlanBuilder,
  field: ScalarField,
  { name, as }: ProjectionEntry,
): FieldWriter => {
  const expression = selectOf(field, builder.storedColumn(name))
  const form = valueForm(field, as === 'bare')
  if (field.kind !== 'file') return showColumn(builder, expression, form)
  const index = builder.column(expression)
  const text = orNull(form.text)
  return (row, _, base) => text(row[index]).replaceAll(BASE, () => base)
}

/** Every kind of field, and how it comes to be shown. */
const WRITERS: { readonly [K in FieldKind]: WriterOf<K> } = {
  text: scalar,
  integer: scalar,
  decimal: scalar,
  boolean: scalar,
  date: scalar,
  dateTime: scalar,
  json: scalar,
  uuid: scalar,
  choice: scalar,
  address: scalar,
  network: scalar,
  hardwareAddress: scalar,
  file: scalar,
  list: scalar,
  objectTypes: scalar,
  objectType: scalar,
  foreignKey: (builder, field, { name, as }) => {
    const projection = as ?? (field.bare ? 'bare' : field.projection)
    if (projection === 'bare') return showStored(builder, name, AS_IS)
    const target = builder.service.registry.model(field.to)
    return builder.nested(target, projection ?? target.nested, builder.stored(name))
  },
  manyToMany: (builder, field, { name, as }) => {
    const { nested } = builder.service.registry.model(field.to)
    return writeManyToMany(
      builder,
      name,
      field,
      as ?? (field.bare ? 'bare' : field.projection) ?? nested,
    )
  },
  genericForeignKey: (builder, field, { name, as }) =>
    writeGeneric(builder, name, field, as === 'bare' ? undefined : as),
  tags: (builder) => writeTags(builder),
  customFields: (builder) => writeCustomFields(builder),
  counter: (builder, _field, { name }) => showStored(builder, name, AS_IS),
  relatedCount: (builder, field) => writeCount(builder, field),
  derived: (builder, field, { as }) => {
    const choices = as === 'bare' ? undefined : field.choices
    const form = choices ? labelledChoice(choices) : DERIVED[field.type]
    return showColumn(builder, derivedSql(builder, field), form)
  },
  derivedKey: (builder, field, { as }) => {
    const expression = derivedSql(builder, field)
    if (as === 'bare') return showColumn(builder, expression, AS_IS)
    const target = builder.service.registry.model(field.to)
    const index = builder.column(expression)
    return builder.nested(target, as ?? field.projection ?? target.nested, index)
  },
  reverse: (builder, field, { as }) => {
    const { nested } = builder.service.registry.model(field.of)
    return writeReverse(
      builder,
      field,
      (as === 'bare' ? undefined : as) ?? field.projection ?? nested,
    )
  },
  computed: writeComputed,
}

const derivedSql = (
  { model }: PlanBuilder,
  field: Extract<Field, { kind: 'derived' | 'derivedKey' }>,
): Sql => sql`(${field.sql(columnOf(model, sql`t`))})`

const writeField = (builder: PlanBuilder, field: Field, entry: ProjectionEntry): FieldWriter =>
  // The row of the table is the one for this field's kind, which the compiler cannot follow.
  (WRITERS[field.kind] as WriterOf<FieldKind>)(builder, field, entry)

/** Type, id and object of a generic relation stand under names of their own. */
function writeGenericPart(
  builder: PlanBuilder,
  { name, as }: ProjectionEntry,
): FieldWriter | undefined {
  const { relation, field, part } = genericPart(builder.model, name) ?? {}
  if (part === 'type') return showStored(builder, name, QUOTED)
  if (part === 'id') return showStored(builder, name, AS_IS)
  return field && writeGeneric(builder, relation ?? name, field, as === 'bare' ? undefined : as)
}
