import type { BatchQuery } from '../../schema/computed.ts'
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
import { computedRenderer } from './computed.ts'
import { customFieldsRenderer } from './custom-fields.ts'
import { displayRenderer } from './display.ts'
import { genericRenderer } from './generic.ts'
import { manyToManyRenderer, reverseRenderer, tagsRenderer } from './many.ts'
import type { ValueRenderer } from './plan.ts'
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
  builder.part(entry.key ?? entry.name, rendererOf(builder, entry))
}

function rendererOf(builder: PlanBuilder, entry: ProjectionEntry): ValueRenderer {
  const { model } = builder
  const builtIn = BUILT_IN[entry.name]
  const field = model.fields.get(entry.name)
  // A field of the same name takes precedence: some models store what is usually derived.
  if (builtIn && !field) return builtIn(builder)
  if (field && !(field.kind === 'genericForeignKey' && (field.shown ?? entry.name) !== entry.name)) {
    return fieldRenderer(builder, field, entry)
  }
  const generic = genericPartRenderer(builder, entry)
  if (!generic) throw new Error(`${model.name}: no field ${entry.name} to show`)
  return generic
}

/** Fields that every object has without declaring them. */
const BUILT_IN: Readonly<Record<string, (builder: PlanBuilder) => ValueRenderer>> = {
  id: () => (row) => String(row[0]),
  url: ({ model }) => {
    const path = model.path
    return path === '' ? () => 'null' : (row, _, base) => `"${base}/api/${path}/${row[0]}/"`
  },
  display_url: ({ model }) => {
    const page = model.definition.page || model.path
    return (row, _, base) => `"${base}/${page}/${row[0]}/"`
  },
  display: displayRenderer,
  display_name: displayRenderer,
  _depth: (builder) => columnRenderer(builder.stored('_level'), String),
}

const columnRenderer = (index: number, toText: ToText): ValueRenderer => {
  const text = orNull(toText)
  return (row) => text(row[index])
}

type FieldRenderer<K extends FieldKind> = (
  builder: PlanBuilder,
  field: Extract<Field, { kind: K }>,
  entry: ProjectionEntry,
) => ValueRenderer

const scalar = (builder: PlanBuilder, field: ScalarField, { name, as }: ProjectionEntry): ValueRenderer => {
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
const RENDERERS: { readonly [K in Exclude<FieldKind, ScalarField['kind']>]: FieldRenderer<K> } = {
  foreignKey: (builder, field, { name, as }) => {
    const index = builder.stored(name)
    const projection = as ?? (field.bare ? 'bare' : field.projection)
    if (projection === 'bare') return columnRenderer(index, String)
    const target = builder.service.registry.model(field.to)
    return builder.nested(target, projection ?? target.nested, index)
  },
  manyToMany: (builder, field, { name, as }) => {
    const { nested } = builder.service.registry.model(field.to)
    return manyToManyRenderer(builder, name, field, as ?? (field.bare ? 'bare' : field.projection) ?? nested)
  },
  genericForeignKey: (builder, field, { name, as }) =>
    genericRenderer(builder, name, field, as === 'bare' ? undefined : as),
  tags: (builder) => tagsRenderer(builder),
  customFields: (builder) => customFieldsRenderer(builder),
  counter: (builder, _field, { name }) => columnRenderer(builder.stored(name), String),
  relatedCount: (builder, field) => countRenderer(builder, field),
  derived: (builder, field, { as }) => {
    const index = builder.column(sql`(${field.sql(columnOf(builder.model, sql`t`))})`)
    const choices = as === 'bare' ? undefined : field.choices
    return columnRenderer(index, choices ? labelledChoice(choices) : DERIVED[field.type])
  },
  derivedKey: (builder, field, { as }) => {
    const index = builder.column(sql`(${field.sql(columnOf(builder.model, sql`t`))})`)
    if (as === 'bare') return columnRenderer(index, String)
    const target = builder.service.registry.model(field.to)
    return builder.nested(target, as ?? field.projection ?? target.nested, index)
  },
  reverse: (builder, field, { as }) => {
    const { nested } = builder.service.registry.model(field.of)
    return reverseRenderer(builder, field, (as === 'bare' ? undefined : as) ?? field.projection ?? nested)
  },
  computed: computedRenderer,
}

const fieldRenderer = (builder: PlanBuilder, field: Field, entry: ProjectionEntry): ValueRenderer =>
  isScalar(field)
    ? scalar(builder, field, entry)
    : // The row of the table is the one for this field's kind, which the compiler cannot follow.
      (RENDERERS[field.kind] as FieldRenderer<FieldKind>)(builder, field, entry)

/** Type, id and object of a generic relation have their own names. */
function genericPartRenderer(builder: PlanBuilder, { name, as }: ProjectionEntry): ValueRenderer | undefined {
  const { relation, field, part } = genericPart(builder.model, name) ?? {}
  if (part === 'type') return columnRenderer(builder.stored(name), quote)
  if (part === 'id') return columnRenderer(builder.stored(name), String)
  return field && genericRenderer(builder, relation ?? name, field, as === 'bare' ? undefined : as)
}

function columnName(model: Model, key: string): string {
  const column = model.columns.get(key)
  if (!column) throw new Error(`${model.name}: no column ${key} to show`)
  return column.name
}

/** Counts the rows that refer to each row of the batch. */
function countRenderer(builder: PlanBuilder, field: RelatedCountField): ValueRenderer {
  if (field.cumulative && !builder.form.countsSubtrees) return () => '0'
  const { registry } = builder.service
  const statement = field.cumulative
    ? subtreeStatement(registry, builder.model, field)
    : countStatement(registry, builder.model, field)
  const load = builder.addCount(statement)
  const position = builder.loadByIds(async (batch, reader) => {
    const counts = await load(batch, reader)
    return { get: (id) => counts.get(id) ?? '0' }
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? '0'
}

function countStatement(registry: Registry, model: Model, { of, via }: RelatedCountField): BatchQuery {
  const counted = registry.model(of)
  const { joins, key, where, isMany } = reverseJoin(counted, via, model)
  const count = raw(isMany ? 'count(distinct t.id)' : 'count(*)')
  return (ids) => sql`
    select ${key}, ${count} from ${table(counted)} t${joins}
    where ${where} and ${key} = any(${ids}::bigint[]) group by 1`
}

/** Statement of the counts in trees: an object that refers to a node counts for all its ancestors too. */
function subtreeStatement(registry: Registry, model: Model, { of, via }: RelatedCountField): BatchQuery {
  const counted = registry.model(of)
  const { joins, key, where } = reverseJoin(counted, via, model)
  return (ids) => sql`
    select a.id, count(distinct t.id) from ${table(counted)} t${joins}
    join ${table(model)} n on n.id = ${key}
    cross join lateral unnest(n._ancestors) a(id)
    where ${where} and n._ancestors && ${ids}::bigint[] and a.id = any(${ids}::bigint[]) group by 1`
}
