import type { Column } from '../schema/column.ts'
import type { Field } from '../schema/field.ts'
import type { Json } from '../schema/json.ts'
import { oncePer } from '../schema/once-per.ts'
import { pythonJson } from '../schema/python-json.ts'
import type { Model } from '../schema/registry.ts'
import type { AnyRow } from '../schema/rule.ts'

/** Names that a snapshot needs besides the row. */
export interface SnapshotNames {
  /** Ids of object types by name. */
  readonly types: ReadonlyMap<string, number>
  /** Names of tags by id. */
  readonly tags: ReadonlyMap<number, string>
}

/** JSON text of an object in change records (NetBox 4.6.8's form, which differs from that of the API). */
export const snapshotOf = (model: Model, row: AnyRow, names: SnapshotNames): string =>
  textOf(loggedParts(model), row, names)

/** As `snapshotOf`, of a row before and after its change. */
export function snapshotsOf(
  model: Model,
  [previous, next]: readonly [AnyRow, AnyRow],
  names: SnapshotNames,
): readonly [string, string] {
  let [before, after] = ['', '']
  for (const { head, value, key } of loggedParts(model)) {
    const text = head + JSON.stringify(value(previous, names))
    before += text
    // The text of a value that has not changed is not made again.
    after += previous[key] === next[key] ? text : head + JSON.stringify(value(next, names))
  }
  return before === '' ? ['{}', '{}'] : [`${before}}`, `${after}}`]
}

/** As `snapshotOf`, for events: with the time of creation and cached columns, as in the reference. */
export const eventSnapshotOf = (model: Model, row: AnyRow, names: SnapshotNames): string =>
  textOf(eventParts(model), row, names)

function textOf(parts: readonly Part[], row: AnyRow, names: SnapshotNames): string {
  let text = ''
  for (const { head, value } of parts) text += head + JSON.stringify(value(row, names))
  return text === '' ? '{}' : `${text}}`
}

/** One entry of a snapshot. */
interface Part {
  /** Of the value in rows. */
  readonly key: string
  /** Text before the value: `{"name":`, then `,"slug":`. */
  readonly head: string
  readonly value: (row: AnyRow, names: SnapshotNames) => Json
}

const loggedParts = oncePer((model: Model) => partsOf(model, isLogged))

const eventParts = oncePer((model: Model) =>
  partsOf(model, (column) => isLogged(column) || isForEvents(model, column)),
)

function partsOf(model: Model, isIncluded: (column: Column) => boolean): readonly Part[] {
  const values = new Map<string, Part['value']>()
  for (const column of model.columns.values()) {
    if (isIncluded(column))
      values.set(column.key, (row, names) => jsonOf(column, row[column.key], names))
  }
  for (const [name, field] of model.fields) {
    if (field.kind === 'tags') values.set('tags', tagNames)
    else if (isLoggedList(field)) values.set(name, (row) => asIds(row[name]))
  }
  return [...values].map(([key, value], index) => ({
    key,
    head: `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`,
    value,
  }))
}

const isLoggedList = (field: Field): boolean =>
  field.kind === 'manyToMany'
    ? field.inverse === undefined
    : field.kind === 'computed' && field.recorded !== undefined

const tagNames: Part['value'] = ({ tags }, names) =>
  asIds(tags)
    .map((id) => names.tags.get(id) ?? String(id))
    .sort()

/**
 * Whether change records contain the column. Save timestamps and hidden columns are no changes of the user; passwords
 * and other secrets are omitted, even as digests.
 */
export function isLogged({ key, field }: Column): boolean {
  if (key === 'id' || key.startsWith('_')) return false
  if (field.kind === 'dateTime' && field.auto) return false
  if ('writeOnly' in field && field.writeOnly) return false
  return !('unlogged' in field && field.unlogged)
}

/** Columns that snapshots of events have and change records leave out: the creation, and declared columns of the service's own. */
function isForEvents(model: Model, { key, field }: Column): boolean {
  if (field.kind === 'dateTime' && field.auto) return field.auto === 'insert'
  return key.startsWith('_') && model.fields.has(key) && !('unlogged' in field && field.unlogged)
}

function jsonOf(column: Column, value: unknown, { types }: SnapshotNames): Json {
  if (value === null || value === undefined) return null
  const { field } = column
  const isType =
    field.kind === 'objectType' || (field.kind === 'genericForeignKey' && column.type === 'text')
  if (isType) return types.get(String(value)) ?? null
  if (field.kind === 'objectTypes') {
    return (value as string[]).map((name) => types.get(name) ?? null).filter((id) => id !== null) // text[]
  }
  if (field.kind === 'dateTime') return toMilliseconds(String(value))
  if (field.kind === 'list') return listOf(field, value as Json[]) // decoded from an array
  return value as Json // all other kinds are JSON already: number, text, boolean, document
}

/** Timestamps have milliseconds in Django's JSON. */
const toMilliseconds = (moment: string): string => moment.replace(/(\.\d{3})\d{3}Z$/, '$1Z')

/** Lists of numbers stay lists; any other list becomes a text with JSON, whose items are texts too. */
function listOf(field: Extract<Field, { kind: 'list' }>, items: readonly Json[]): Json {
  if (field.of === 'integer') return items
  return pythonText(
    items.map((item) => {
      if (field.of === 'range') {
        const [low, high] = item as [number, number] // parsed by values.ts
        return pythonText({ bounds: '[)', lower: String(low), upper: String(high + 1) })
      }
      return typeof item === 'string' ? item : pythonText(item)
    }),
  )
}

const pythonText = (value: Json): string => pythonJson(JSON.stringify(value))

const asIds = (value: unknown): readonly number[] => (Array.isArray(value) ? value : [])
