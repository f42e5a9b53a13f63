import { SERVICE_ACTOR } from '../../identity/actor.ts'
import { isJsonObject } from '../../schema/json.ts'
import type { WriteContext } from '../../write/context.ts'
import { customFieldsOf } from '../../write/validate/custom-fields.ts'
import { isEmptyCell } from './cell-value.ts'
import { offeredColumns, readHeader, type SourceColumn, targetOf } from './columns.ts'
import { demandRequired, type ImportRow, startRow } from './import-row.ts'
import { type Layout, nameObjects } from './name-objects.ts'
import type { SourceRecord } from './records.ts'
import { createRows } from './save-rows.ts'

/** A component of a list, with the row that contains the list. */
interface Component {
  readonly owner: ImportRow
  readonly id: number
  /** `interfaces[3]`, from 1. */
  readonly place: string
  readonly record: SourceRecord
}

/**
 * Creates the components that the records of new objects list. Their errors are problems of the rows. Returns the keys
 * that are ignored, as `interfaces.colour`.
 */
export async function createListedComponents(
  context: WriteContext,
  layout: Layout,
  created: readonly ImportRow[],
): Promise<readonly string[]> {
  // The columns are in the order in which components are created: later ones refer to earlier ones.
  const order = Object.keys(layout.registry.view(layout.model).importComponents ?? {})
  const columns = layout.columns.toSorted((left, right) => order.indexOf(left.name) - order.indexOf(right.name))
  const ignored: string[] = []
  for (const column of columns) {
    if (column.source.kind !== 'components') continue
    const names = await createList(context, layout, column, created)
    ignored.push(...names.map((name) => `${column.header}.${name}`))
  }
  return ignored
}

async function createList(
  context: WriteContext,
  layout: Layout,
  column: SourceColumn,
  owners: readonly ImportRow[],
): Promise<readonly string[]> {
  const { registry } = layout
  const { source } = column
  if (source.kind !== 'components') return []
  const components = owners.flatMap((owner) => componentsOf(owner, column))
  const model = registry.model(source.components.model)
  const customFields = await customFieldsOf(context, model)
  const columnContext = { registry, model, customFields }
  const headers = [...new Set(components.flatMap(({ record }) => Object.keys(record.cells)))]
  const { columns, unknown, problems } = readHeader(columnContext, headers, { isLenient: true })
  const offered = offeredColumns(columnContext)
  const rows = components.map(({ owner, record, id }) =>
    startRow(record, columns, { within: { [source.components.via]: id }, inherited: relationsOf(layout, owner) }),
  )
  const componentLayout: Layout = { registry, model, columns }
  // A part of a component, such as a port mapping, needs no separate permission.
  const writing = model.definition.private ? { ...context, actor: SERVICE_ACTOR } : context
  const { waves, targets } = wavesOfComponents(componentLayout, rows)
  for (const wave of waves) {
    for (const row of wave) {
      for (const [header, { id }] of Object.entries(targets.get(row) ?? {})) {
        if (id !== undefined) row.cells[header] = { id }
      }
    }
    await nameObjects(context, componentLayout, wave)
    for (const row of wave) {
      demandRequired(row, offered, columns)
      Object.assign(row.body, registry.view(model).importBody?.(row.values))
    }
    await createRows(writing, componentLayout, wave)
  }
  components.forEach(({ owner, place, record }, index) => {
    const refused = problems.filter(({ column: name }) => name && name in record.cells)
    for (const { column: name, message } of [...refused, ...(rows[index]?.problems ?? [])]) {
      const where = name === undefined ? place : `${place}.${name}`
      owner.problems.push({
        row: owner.row,
        column: column.header,
        message: `${where}: ${message}`,
      })
    }
  })
  return unknown
}

/**
 * The rows in groups, so that each row refers to rows of earlier groups only. `targets`: the rows that the cells of a
 * row refer to, by header: bridges of interfaces and parents of inventory items.
 */
function wavesOfComponents(
  { registry, model, columns }: Layout,
  rows: readonly ImportRow[],
): {
  readonly waves: readonly (readonly ImportRow[])[]
  readonly targets: ReadonlyMap<ImportRow, Readonly<Record<string, ImportRow>>>
} {
  const headers = columns.filter(({ source }) => targetOf(registry, source) === model).map(({ header }) => header)
  const named = Map.groupBy(rows, (row) => keyOf(row, row.cells.name))
  const positions = new Map(rows.map((row, position) => [row, position]))
  const positionOf = (row: ImportRow): number => positions.get(row) ?? 0

  /** Of several rows with the same name, the nearest one above is meant, otherwise the first below. */
  const targetIn = (row: ImportRow, header: string): ImportRow | undefined => {
    const reference = row.cells[header]
    const name = isJsonObject(reference) ? reference.name : reference
    const candidates = (named.get(keyOf(row, name)) ?? []).filter(
      (candidate) => candidate !== row && fits(candidate, header, reference),
    )
    const isAbove = (candidate: ImportRow): boolean => positionOf(candidate) < positionOf(row)
    return candidates.findLast(isAbove) ?? candidates[0]
  }
  /** Whether the row has the reference that a dictionary requires: `{name: Fan, parent: {name: Slot}}`. */
  const fits = (row: ImportRow, header: string, reference: unknown): boolean => {
    if (!isJsonObject(reference) || reference[header] === undefined) return true
    const [above, expected] = [targetIn(row, header), reference[header]]
    if (expected === null || above === undefined) return expected === null && above === undefined
    return isJsonObject(expected) && above.cells.name === expected.name && fits(above, header, expected)
  }

  const targets = new Map<ImportRow, Record<string, ImportRow>>()
  for (const row of headers.length > 0 ? rows : []) {
    const matches = headers.flatMap((header) => {
      const target = isEmptyCell(row.cells[header]) ? undefined : targetIn(row, header)
      return target ? [[header, target] as const] : []
    })
    if (matches.length > 0) targets.set(row, Object.fromEntries(matches))
  }
  const depths = new Map<ImportRow, number>()
  const depthOf = (row: ImportRow): number => {
    const computed = depths.get(row)
    if (computed !== undefined) return computed
    depths.set(row, 0) // ends circles, too
    const depth = Math.max(0, ...Object.values(targets.get(row) ?? {}).map((parent) => depthOf(parent) + 1))
    depths.set(row, depth)
    return depth
  }
  const waves = [...Map.groupBy(rows, depthOf)].toSorted(([left], [right]) => left - right)
  return { waves: waves.map(([, wave]) => wave), targets }
}

/** The related objects of a row that has been saved. */
const relationsOf = ({ model }: Layout, { body }: ImportRow): ImportRow['inherited'] =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, id]) => {
      const step = model.steps.get(name)
      return step?.kind === 'foreignKey' && typeof id === 'number' ? [[name, { model: step.to, id }] as const] : []
    }),
  )

/** Names belong to an owner. */
const keyOf = ({ within }: ImportRow, name: unknown): string => JSON.stringify([within, name])

function componentsOf(owner: ImportRow, { header }: SourceColumn): readonly Component[] {
  const list = owner.cells[header]
  const { id } = owner
  if (id === undefined || list === undefined || list === null || list === '') return []
  if (!Array.isArray(list)) {
    owner.problems.push({ row: owner.row, column: header, message: 'Expected a list.' })
    return []
  }
  return list.flatMap((item: unknown, index): Component[] => {
    const place = `${header}[${index + 1}]`
    if (isJsonObject(item)) return [{ owner, id, place, record: { row: index + 1, cells: item } }]
    const message = `${place}: A component must be an object of names and values.`
    owner.problems.push({ row: owner.row, column: header, message })
    return []
  })
}
