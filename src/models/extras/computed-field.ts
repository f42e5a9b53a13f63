import { choices } from '../../schema/choices.ts'
import { comments, description, LOGGED, timestamps } from '../../schema/common.ts'
import { boolean, choice, derived, type Field, integer, objectType, text } from '../../schema/field.ts'
import { type FilterDeclaration, objectTypeFilter } from '../../schema/filter.ts'
import { type Definition, model } from '../../schema/model.ts'
import type { ColumnOf } from '../../schema/path.ts'
import {
  type Behaviour,
  behaviour,
  type EffectFunction,
  type Normalizer,
  type RowOf,
  type Rule,
} from '../../schema/rule.ts'
import { registered, words } from '../../schema/view.ts'
import type { Sql } from '../../sql/fragment.ts'

/** What expressions yield. */
export const resultType = choices([
  ['text', 'Text'],
  ['integer', 'Integer'],
  ['decimal', 'Decimal'],
  ['boolean', 'Boolean'],
  ['date', 'Date'],
  ['dateTime', 'Date & time'],
])

/** Maximum number of characters. */
export const LONGEST_EXPRESSION = 2_000

/** A field whose value follows from others: an expression, which is computed whenever an object is read. */
export const computedField = model({
  name: 'extras.computedfield',
  path: 'extras/computed-fields',
  labels: ['computed field', 'computed fields'],
  about: 'A field whose value is computed from other fields, such as the days until a contract ends.',

  fields: {
    object_type: objectType({
      // Of the example object types, since the field changes their objects.
      example: (n, id) => (id('custom_objects.customobjecttype', n) > 0 ? `custom_objects.kind${n}` : undefined),
    }),
    name: text({
      max: 50,
      pattern: [/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'Only lower-case letters, digits and single underscores are allowed.'],
      example: (n) => `computed_${n}`,
    }),
    label: text({ max: 50, default: '' }),
    description,
    expression: text({
      max: LONGEST_EXPRESSION,
      example: 'id + 1',
      help: 'Fields and functions, such as days_between(today(), ends) or count(devices)',
    }),
    result_type: choice(resultType, { default: 'text', readOnly: true, filter: 'single' }),
    weight: integer({ size: 'small', range: [0, 32767], default: 100, label: 'Display weight' }),
    in_lists: boolean({ default: false, help: 'A column of lists, unless someone chooses their columns' }),
    comments,
    ...timestamps,
  },

  unique: [{ fields: ['object_type', 'name'] }],
  brief: ['id', 'url', 'display', 'object_type', 'name', 'description'],
  order: ['object_type', 'weight', 'name'],
  search: ['name', 'label', 'description', 'expression'],
  filters: { object_type: objectTypeFilter('object_type', { textLookups: true }) },
  graphql: false,
  features: LOGGED,
  isShared: true,
})

/** A stored computed field. */
export type ComputedFieldRow = RowOf<typeof computedField.fields>

/** What the expression of a model yields; undefined with the reason why it cannot be used. */
export type CheckExpression = (
  model: string,
  name: string,
  expression: string,
) => { readonly type: string } | { readonly problem: string; readonly field: 'name' | 'expression' }

/** What names the field follows a new name. */
const followName: EffectFunction<typeof computedField.fields> = async ({ action, rows, write }) => {
  if (action !== 'update') return
  await write.renameFields(
    rows.flatMap(({ next, previous }) =>
      next && previous && next.name !== previous.name
        ? [{ type: next.object_type, from: previous.name, to: next.name, isCustom: false }]
        : [],
    ),
  )
}

/** Rules of computed fields, with the check that the models of the service allow. */
export function computedFieldBehaviour(check: CheckExpression): Behaviour {
  const isUsable: Rule<typeof computedField.fields> = ({ next, previous }) => {
    if (previous && next.object_type !== previous.object_type) return { object_type: 'This cannot be changed.' }
    const isRenamed = next.name !== previous?.name
    const result = check(next.object_type, isRenamed ? next.name : '', next.expression)
    return 'problem' in result ? { [result.field]: result.problem } : undefined
  }
  const keepType: Normalizer<typeof computedField.fields> = ({ next }) => {
    const result = check(next.object_type, '', next.expression)
    return 'type' in result ? { result_type: result.type as ComputedFieldRow['result_type'] } : undefined // a choice
  }
  return behaviour(computedField, { modelRules: [isUsable], beforeSave: [keepType], afterWrite: [followName] })
}

export const computedFieldModel = registered(computedField, {
  columns: words('name object_type label expression result_type description'),
  panels: { 'Computed Field': words('object_type name label expression result_type description weight in_lists') },
  form: { 'Computed Field': words('object_type name label expression description weight in_lists') },
  filters: { Attributes: words('object_type result_type') },
  bulkEdit: words('description weight in_lists'),
})

type ResultType = Parameters<typeof derived>[0]

const FILTERS: Readonly<Partial<Record<string, (path: string) => FilterDeclaration>>> = {
  text: (path) => ({ kind: 'text', path }),
  integer: (path) => ({ kind: 'integer', path }),
  decimal: (path) => ({ kind: 'decimal', path }),
  boolean: (path) => ({ kind: 'boolean', path }),
  date: (path) => ({ kind: 'date', path }),
  dateTime: (path) => ({ kind: 'dateTime', path }),
}

/** An expression of a model: its SQL for a row, and the other models whose objects it reads. */
export type ExpressionOf = (
  model: string,
  expression: string,
) => { readonly sql: (column: ColumnOf) => Sql; readonly reads: ReadonlySet<string> }

/** The parts of a computed field that its model declares. */
export type DeclaredComputation = Pick<
  ComputedFieldRow,
  'object_type' | 'name' | 'label' | 'description' | 'expression' | 'result_type' | 'in_lists'
>

/** The definitions with the computed fields of their models. */
export function withComputedFields(
  definitions: readonly Definition[],
  rows: readonly DeclaredComputation[],
  expressionOf: ExpressionOf,
): readonly Definition[] {
  if (rows.length === 0) return definitions
  const byModel = Map.groupBy(rows, ({ object_type }) => object_type)
  return definitions.map((definition) => {
    const computed = byModel.get(definition.name)
    if (!computed) return definition
    const fields = computed.map(
      ({ name, label, description: help, expression, result_type, in_lists }): [string, Field] => [
        name,
        derived(result_type as ResultType, (column) => expressionOf(definition.name, expression).sql(column), {
          ...{ nullable: true, expression, ofEndpoint: true },
          reads: () => expressionOf(definition.name, expression).reads,
          ...(label !== '' && { label }),
          ...(help !== '' && { help }),
          ...(in_lists && { inLists: true }),
        }),
      ],
    )
    const filters = computed.flatMap(({ name, result_type }) => {
      const filter = FILTERS[result_type]?.(name)
      return filter ? [[name, filter] as const] : []
    })
    const names = computed.map(({ name }) => name)
    return Object.freeze({
      ...definition,
      fields: { ...definition.fields, ...Object.fromEntries(fields) },
      filters: { ...definition.filters, ...Object.fromEntries(filters) },
      ...(definition.answer && { answer: [...definition.answer, ...names] }),
    })
  })
}
