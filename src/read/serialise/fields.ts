import type { PageQuery } from '../../schema/computed.ts'
import {
  type Field,
  type FieldKind,
  isScalar,
  type NestedProjection,
  type RelatedCountField,
  type ScalarField,
} from '../../schema/field.ts'
import { labelledChoice } from '../../schema/fields/choice.ts'
import { BASE } from '../../schema/fields/file.ts'
import { quote, type ToText } from '../../schema/fields/kind.ts'
import { genericPart } from '../../schema/generic-keys.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { identifier, raw, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { columnOf } from '../query/column.ts'
import { writeComputed } from './computed.ts'
import { writeCustomFields } from './custom-fields.ts'
import { writeDisplay } from './display.ts'
import { writeGeneric } from './generic.ts'
import { writeManyToMany, writeReverse, writeTags } from './many.ts'
import type { WriteValue } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { reverseJoin } from './reverse-join.ts'
import { DERIVED, orNull, selectOf, valueText } from './value-text.ts'

/** One entry of a projection in its parts. */
export interface ProjectionEntry {
  readonly name: string
  /** How the field is shown, if not in its usual projection. */
  readonly as: NestedProjection | 'bare' | undefined
  /** Name in the object, if it is not that of the field. */
  readonly key?: string
}

export const entriesOf = (projection: NestedProjection): readonly ProjectionEntry[] =>
  projection.map((entry) =>
    typeof entry === 'string' ? { name: entry, as: undefined } : { name: entry[0], as: entry[1] },
  )

/** Adds everything that the entry shows to the plan. Throws naming model and field when there is no such field. */
export function addEntry(builder: PlanBuilder, entry: ProjectionEntry): void {
  builder.part(entry.key ?? entry.name, writerOf(builder, entry))
}

function writerOf(builder: PlanBuilder, entry: ProjectionEntry): WriteValue {
  const { model } = builder
  const own = OWN[entry.name]
  const field = model.fields.get(entry.name)
  // A field of the same name takes precedence: some models store what is usually derived.
  if (own && !field) return own(builder)
  if (field && !(field.kind === 'genericForeignKey' && (field.shown ?? entry.name) !== entry.name)) {
    return writeField(builder, field, entry)
  }
  const generic = writeGenericPart(builder, entry)
  if (!generic) throw new Error(`${model.name}: no field ${entry.name} to show`)
  return generic
}

/** Fields that every object has without declaring them. */
const OWN: Readonly<Record<string, (builder: PlanBuilder) => WriteValue>> = {
  id: () => (row) => String(row[0]),
  url: ({ model }) => {
    const path = model.path
    return path === '' ? () => 'null' : (row, _, base) => `"${base}/api/${path}/${row[0]}/"`
  },
  display_url: ({ model }) => {
    const page = model.definition.page || model.path
    return (row, _, base) => `"${base}/${page}/${row[0]}/"`
  },
  display: writeDisplay,
  display_name: writeDisplay,
  _depth: (builder) => writeColumn(builder.stored('_level'), String),
}

const writeColumn = (index: number, toText: ToText): WriteValue => {
  const text = orNull(toText)
  return (row) => text(row[index])
}

type FieldWriter<K extends FieldKind> = (
  builder: PlanBuilder,
  field: Extract<Field, { kind: K }>,
  entry: ProjectionEntry,
) => WriteValue

const scalar = (builder: PlanBuilder, field: ScalarField, { name, as }: ProjectionEntry): WriteValue => {
  const column =
    field.shownAs?.(columnOf(builder.model, sql`t`)) ?? sql`t.${identifier(columnName(builder.model, name))}`
  const text = valueText(field, as === 'bare')
  const index = builder.column(selectOf(field, column))
  if (field.kind === 'file') {
    return (row, _, base) => text(row[index]).replaceAll(BASE, () => base)
  }
  return (row) => text(row[index])
}

/** Projections of fields with more than one value. */
const WRITERS: { readonly [K in Exclude<FieldKind, ScalarField['kind']>]: FieldWriter<K> } = {
  foreignKey: (builder, field, { name, as }) => {
    const index = builder.stored(name)
    const projection = as ?? (field.bare ? 'bare' : field.projection)
    if (projection === 'bare') return writeColumn(index, String)
    const target = builder.service.registry.model(field.to)
    return builder.nested(target, projection ?? target.nested, index)
  },
  manyToMany: (builder, field, { name, as }) => {
    const { nested } = builder.service.registry.model(field.to)
    return writeManyToMany(builder, name, field, as ?? (field.bare ? 'bare' : field.projection) ?? nested)
  },
  genericForeignKey: (builder, field, { name, as }) =>
    writeGeneric(builder, name, field, as === 'bare' ? undefined : as),
  tags: (builder) => writeTags(builder),
  customFields: (builder) => writeCustomFields(builder),
  counter: (builder, _field, { name }) => writeColumn(builder.stored(name), String),
  relatedCount: (builder, field) => writeCount(builder, field),
  derived: (builder, field, { as }) => {
    const index = builder.column(sql`(${field.sql(columnOf(builder.model, sql`t`))})`)
    const choices = as === 'bare' ? undefined : field.choices
    return writeColumn(index, choices ? labelledChoice(choices) : DERIVED[field.type])
  },
  derivedKey: (builder, field, { as }) => {
    const index = builder.column(sql`(${field.sql(columnOf(builder.model, sql`t`))})`)
    if (as === 'bare') return writeColumn(index, String)
    const target = builder.service.registry.model(field.to)
    return builder.nested(target, as ?? field.projection ?? target.nested, index)
  },
  reverse: (builder, field, { as }) => {
    const { nested } = builder.service.registry.model(field.of)
    return writeReverse(builder, field, (as === 'bare' ? undefined : as) ?? field.projection ?? nested)
  },
  computed: writeComputed,
}

const writeField = (builder: PlanBuilder, field: Field, entry: ProjectionEntry): WriteValue =>
  isScalar(field)
    ? scalar(builder, field, entry)
    : // The row of the table is the one for this field's kind, which the compiler cannot follow.
      (WRITERS[field.kind] as FieldWriter<FieldKind>)(builder, field, entry)

/** Type, id and object of a generic relation have their own names. */
function writeGenericPart(builder: PlanBuilder, { name, as }: ProjectionEntry): WriteValue | undefined {
  const { relation, field, part } = genericPart(builder.model, name) ?? {}
  if (part === 'type') return writeColumn(builder.stored(name), quote)
  if (part === 'id') return writeColumn(builder.stored(name), String)
  return field && writeGeneric(builder, relation ?? name, field, as === 'bare' ? undefined : as)
}

function columnName(model: Model, key: string): string {
  const column = model.columns.get(key)
  if (!column) throw new Error(`${model.name}: no column ${key} to show`)
  return column.name
}

/** Counts the rows that refer to each row of the page. */
function writeCount(builder: PlanBuilder, field: RelatedCountField): WriteValue {
  if (field.cumulative && !builder.form.countsSubtrees) return () => '0'
  const { registry } = builder.service
  const statement = field.cumulative
    ? subtreeStatement(registry, builder.model, field)
    : countStatement(registry, builder.model, field)
  const load = builder.addCount(statement)
  const position = builder.loadByIds(async (page, reader) => {
    const counts = await load(page, reader)
    return { get: (id) => counts.get(id) ?? '0' }
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? '0'
}

function countStatement(registry: Registry, model: Model, { of, via }: RelatedCountField): PageQuery {
  const counted = registry.model(of)
  const { joins, key, where, isMany } = reverseJoin(counted, via, model)
  const count = raw(isMany ? 'count(distinct t.id)' : 'count(*)')
  return (ids) => sql`
    select ${key}, ${count} from ${table(counted)} t${joins}
    where ${where} and ${key} = any(${ids}::bigint[]) group by 1`
}

/** Statement of the counts in trees: an object that refers to a node counts for all its ancestors too. */
function subtreeStatement(registry: Registry, model: Model, { of, via }: RelatedCountField): PageQuery {
  const counted = registry.model(of)
  const { joins, key, where } = reverseJoin(counted, via, model)
  return (ids) => sql`
    select a.id, count(distinct t.id) from ${table(counted)} t${joins}
    join ${table(model)} n on n.id = ${key}
    cross join lateral unnest(n._ancestors) a(id)
    where ${where} and n._ancestors && ${ids}::bigint[] and a.id = any(${ids}::bigint[]) group by 1`
}
