import { wholeNumber } from '../../schema/fields/integer.ts'
import { cellItems } from '../../schema/fields/list.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import type { ImportColumn } from '../../schema/import-column.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { WriteContext } from '../../write/context.ts'
import type { PendingReference, ReferenceItem } from '../../write/draft.ts'
import { resolvePending } from '../../write/parse/references.ts'
import { cellValue, isEmptyCell } from './cell-value.ts'
import { type SourceColumn, targetOf } from './columns.ts'
import { type ImportRow, problemAt } from './import-row.ts'
import { readDisplays } from './name-by-display.ts'

/** The model of an import with the columns of its text. */
export interface Layout {
  readonly registry: Registry
  readonly model: Model
  readonly columns: readonly SourceColumn[]
}

/**
 * Finds the objects that the cells of all rows name: one query for each model and set of attributes. Objects that are
 * not found by the attribute of their column are found by their display. Of several objects with the same name, the one
 * with the row's manufacturer, group and so on is meant, otherwise the one without. A missing or ambiguous object is a
 * problem of its cell.
 */
export async function nameObjects(context: WriteContext, layout: Layout, rows: readonly ImportRow[]): Promise<void> {
  const cells = rows.flatMap((row) => row.columns.map((column) => ({ row, column })))
  const missing: typeof cells = []
  const ambiguous: AmbiguousReference[] = []
  await resolvePending(
    context,
    cells.flatMap((cell) =>
      referencesOf(layout, cell.row, cell.column).map((reference) => ({
        ...reference,
        refuse: (messages, reason) => {
          if (reason.isAmbiguous) {
            const preferred = preferredRelations(layout, cell.row, cell.column, reference.to)
            ambiguous.push({ reference, preferred, refuse: () => reference.refuse(messages, reason) })
          } else missing.push(cell)
        },
      })),
    ),
  )
  await preferSameOwner(context, ambiguous)
  if (missing.length === 0) return
  await readDisplays(context, layout.columns, [...new Set(missing.map(({ row }) => row))])
  await resolvePending(
    context,
    missing.flatMap(({ row, column }) => referencesOf(layout, row, column)),
  )
}

/** A reference of which at least one item matches several objects. */
interface AmbiguousReference {
  readonly reference: PendingReference
  readonly preferred: Readonly<Record<string, unknown>>
  readonly refuse: () => void
}

/** Settles references by the first of these that matches one object: with the preferred relations, without them, any. */
async function preferSameOwner(context: WriteContext, ambiguous: readonly AmbiguousReference[]): Promise<void> {
  const attempts = ambiguous.map(({ reference: { items }, preferred }) =>
    items.map((item) => {
      if ('id' in item || Object.keys(preferred).length === 0) return [item]
      const none = Object.fromEntries(Object.keys(preferred).map((relation) => [relation, null]))
      return [preferred, none, {}].map((more) => ({ attributes: { ...more, ...item.attributes } }))
    }),
  )
  const matches = attempts.map((items) => items.map((): (number | undefined)[] => []))
  const attemptsOf = ({ reference: { to } }: AmbiguousReference, position: number): readonly PendingReference[] =>
    (attempts[position] ?? []).flatMap((items, index) =>
      items.map((item, rank) => ({
        ...{ to, items: [item], refuse: () => undefined },
        settle: ([id]: readonly number[]) => {
          const ids = matches[position]?.[index]
          if (ids) ids[rank] = id
        },
      })),
    )
  await resolvePending(context, ambiguous.flatMap(attemptsOf))
  ambiguous.forEach(({ reference, refuse }, position) => {
    const ids = matches[position]?.map((ranked) => ranked.find((id) => id !== undefined)) ?? []
    if (ids.every((id) => id !== undefined)) reference.settle(ids)
    else refuse()
  })
}

/**
 * Values of the relations within which the objects of a column are unique by its attribute, such as the manufacturer of
 * a platform, as far as the row or the owner of its object has them.
 */
function preferredRelations(
  layout: Layout,
  row: ImportRow,
  column: SourceColumn,
  to: Model,
): Readonly<Record<string, unknown>> {
  const unique = (to.definition.unique ?? []).filter(({ fields }) => fields.includes(column.by ?? ''))
  const preferred: Record<string, unknown> = {}
  for (const relation of new Set(unique.flatMap(({ fields }) => fields))) {
    const step = to.steps.get(relation)
    if (step?.kind !== 'foreignKey') continue
    const inherited = row.inherited[relation]
    if (inherited?.model === step.to) preferred[relation] = inherited.id
    const source = layout.columns.find(
      ({ name, source }) => name === relation && targetOf(layout.registry, source) === step.to,
    )
    const cell = source && row.cells[source.header]
    if (!source || source === column || isEmptyCell(cell)) continue
    preferred[relation] = source.by === 'id' ? wholeNumber(cell) : attributesOf(layout, row, source, step.to, cell)
  }
  return preferred
}

function referencesOf(layout: Layout, row: ImportRow, column: SourceColumn): readonly PendingReference[] {
  const input = row.cells[column.header]
  if (column.by === undefined || isEmptyCell(input)) return []
  const { source, name } = column
  if (source.kind === 'field') {
    const to = targetOf(layout.registry, source)
    if (!to) return []
    const isList = source.field.kind !== 'foreignKey'
    const settle = (ids: readonly number[]): void => {
      row.body[name] = isList ? [...ids] : ids[0]
    }
    const inputs = isList ? cellItems(input) : [input]
    return [pending(layout, row, column, { to, inputs, settle })]
  }
  if (source.kind !== 'extra') return []
  const to = namedModel(layout, row, column, source.extra)
  if (!to) return []
  const settle = ([id]: readonly number[]): void => {
    if (id !== undefined) assign(layout, row, column, source.extra, { model: to.name, id })
  }
  return [pending(layout, row, column, { to, inputs: [input], settle })]
}

function pending(
  layout: Layout,
  row: ImportRow,
  column: SourceColumn,
  {
    to,
    inputs,
    settle,
  }: {
    readonly to: Model
    readonly inputs: readonly unknown[]
    readonly settle: PendingReference['settle']
  },
): PendingReference {
  return {
    to,
    items: inputs.map((input) => itemOf(layout, row, column, to, input)),
    settle,
    refuse: (messages, { isAmbiguous }) => {
      const said = typeof inputs[0] === 'object' ? [messages].flat().join(' ') : undefined
      const label = to.definition.labels[isAmbiguous ? 1 : 0]
      const text = isAmbiguous
        ? `Several ${label} have the ${column.by} ${inputs.join(', ')}: name them by another attribute.`
        : `There is no ${label} with the ${column.by} ${inputs.join(' or ')}.`
      row.problems.push(problemAt(row, column, said ?? text))
    },
  }
}

function itemOf(layout: Layout, row: ImportRow, column: SourceColumn, to: Model, input: unknown): ReferenceItem {
  if (column.by === 'id') {
    const id = wholeNumber(input)
    if (id !== undefined && Number.isSafeInteger(id)) return { id }
  }
  return { attributes: attributesOf(layout, row, column, to, input) }
}

/** Attributes of the object of a cell: its own, and those given by other columns of the row. */
function attributesOf(
  layout: Layout,
  row: ImportRow,
  column: SourceColumn,
  to: Model,
  input: unknown,
): Record<string, unknown> {
  const attributes: Record<string, unknown> =
    typeof input === 'object' && input !== null && !Array.isArray(input)
      ? { ...input }
      : { [column.by ?? 'name']: input }
  for (const [relation, id] of Object.entries(row.within)) {
    if (to.steps.get(relation)?.kind === 'foreignKey') attributes[relation] ??= id
  }
  for (const other of layout.columns) {
    const cell = row.cells[other.header]
    if (other === column || other.by === undefined || isEmptyCell(cell)) continue
    const narrowing = narrowingBy(layout, other, column, to)
    if (!narrowing) continue
    attributes[narrowing.relation] ??=
      other.by === 'id' ? wholeNumber(cell) : attributesOf(layout, row, other, narrowing.owner, cell)
  }
  return attributes
}

/** The relation of `to` by which another column narrows the objects of a column. */
function narrowingBy(
  { registry, model }: Layout,
  other: SourceColumn,
  column: SourceColumn,
  to: Model,
): { readonly relation: string; readonly owner: Model } | undefined {
  const declared = declaredNarrowing(other)?.[column.name]
  const owner = targetOf(registry, other.source)
  if (!owner) return undefined
  const relation = declared ?? other.name
  const step = to.steps.get(relation)
  if (step?.kind !== 'foreignKey' || step.to !== owner) return undefined
  if (declared !== undefined) return { relation, owner }
  // Objects of the same owner: the field that distinguishes the named objects is a field of the row, too.
  const belongs = registry.view(to).context?.includes(relation) && !step.column.nullable
  return belongs && model.fields.has(other.name) ? { relation, owner } : undefined
}

function declaredNarrowing({ source }: SourceColumn): ImportColumn['narrows'] {
  if (source.kind === 'field') return source.narrows
  return source.kind === 'extra' ? source.extra.narrows : undefined
}

/** The model of the object of a cell; a problem of the row if it is not determined. */
function namedModel(
  { registry, columns }: Layout,
  row: ImportRow,
  column: SourceColumn,
  { to }: ImportColumn,
): Model | undefined {
  if (typeof to === 'string') return registry.model(to)
  if (to === undefined) return undefined
  if ('typeIn' in to) {
    const typeColumn = columns.find(({ name }) => name === to.typeIn)
    const cell = typeColumn && row.cells[typeColumn.header]
    const read = typeColumn?.source.kind === 'field' ? cellValue(typeColumn.source.field, cell) : { value: cell }
    const type = 'value' in read ? String(read.value ?? '') : ''
    const model = registry.models.get(to.types?.[type] ?? type)
    if (!model) row.problems.push(problemAt(row, column, `The column ${to.typeIn} names no model.`))
    return model
  }
  const narrowing = columns.flatMap((other) => {
    const relation = declaredNarrowing(other)?.[column.name]
    return relation !== undefined && !isEmptyCell(row.cells[other.header]) ? [relation] : []
  })
  const fitting = to
    .map((name) => registry.model(name))
    .filter(({ steps }) => narrowing.every((relation) => steps.has(relation)))
  if (fitting.length === 1) return fitting[0]
  const message = 'The row must name what this object belongs to, in one other column.'
  row.problems.push(problemAt(row, column, message))
  return undefined
}

function assign(
  { model }: Layout,
  row: ImportRow,
  column: SourceColumn,
  { assigns, field }: ImportColumn,
  named: { readonly model: string; readonly id: number },
): void {
  row.values[column.name] = named
  if (field !== undefined) row.body[field] = named.id
  if (assigns === undefined) return
  const relation = model.fields.get(assigns)
  if (relation?.kind === 'genericForeignKey') {
    const keys = genericKeys(assigns, relation)
    row.body[keys.type] = named.model
    row.body[keys.id] = named.id
  } else row.body[assigns] = [{ object_type: named.model, object_id: named.id }]
}
