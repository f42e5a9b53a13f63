import type { Column } from '../../schema/column.ts'
import { type Field, isScalar, kindOf } from '../../schema/field.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import type { AnyRow } from '../../schema/rule.ts'
import { isWritable } from '../../schema/writable.ts'
import { asIds } from '../rows.ts'

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

/** As `snapshotOf`, for a row before and after its change. */
export function snapshotsOf(
  model: Model,
  [previous, next]: readonly [AnyRow, AnyRow],
  names: SnapshotNames,
): readonly [string, string] {
  let [before, after] = ['', '']
  for (const { head, text, key } of loggedParts(model)) {
    const entry = head + text(previous, names)
    before += entry
    // The text of an unchanged value is not built again.
    after += previous[key] === next[key] ? entry : head + text(next, names)
  }
  return before === '' ? ['{}', '{}'] : [`${before}}`, `${after}}`]
}

/** As `snapshotOf`, for events: with the time of creation and cached columns, as in NetBox. */
export const eventSnapshotOf = (model: Model, row: AnyRow, names: SnapshotNames): string =>
  textOf(eventParts(model), row, names)

function textOf(parts: readonly Part[], row: AnyRow, names: SnapshotNames): string {
  let entries = ''
  for (const { head, text } of parts) entries += head + text(row, names)
  return entries === '' ? '{}' : `${entries}}`
}

/** One entry of a snapshot. */
interface Part {
  /** Position of the value in rows. */
  readonly key: string
  /** Text before the value: `{"name":`, then `,"slug":`. */
  readonly head: string
  /** JSON text of the value. */
  readonly text: (row: AnyRow, names: SnapshotNames) => string
}

const loggedParts = oncePer((model: Model) => partsOf(model, isLogged, isLoggedList))

const eventParts = oncePer((model: Model) =>
  partsOf(
    model,
    (column) => isLogged(column) || isForEvents(model, column),
    (field) => isLoggedList(field) && !isInverse(field),
  ),
)

function partsOf(
  model: Model,
  isIncluded: (column: Column) => boolean,
  isIncludedList: (field: Field) => boolean,
): readonly Part[] {
  const texts = new Map<string, Part['text']>()
  for (const column of model.columns.values()) {
    if (isIncluded(column)) texts.set(column.key, textOfColumn(column))
  }
  for (const [name, field] of model.fields) {
    if (field.kind === 'tags') texts.set('tags', tagNames)
    else if (isIncludedList(field)) texts.set(name, (row) => JSON.stringify(asIds(row[name])))
  }
  return [...texts].map(([key, text], index) => ({
    key,
    head: `${index === 0 ? '{' : ','}${JSON.stringify(key)}:`,
    text,
  }))
}

/** Whether change records contain the list; also one that belongs to the other side, such as the sites of an ASN. */
export const isLoggedList = (field: Field): boolean =>
  isInverse(field)
    ? isWritable(field)
    : field.kind === 'manyToMany' || (field.kind === 'computed' && field.recorded !== undefined)

const isInverse = (field: Field): boolean => field.kind === 'manyToMany' && field.inverse !== undefined

const tagNames: Part['text'] = ({ tags }, names) =>
  JSON.stringify(
    asIds(tags)
      .map((id) => names.tags.get(id) ?? String(id))
      .sort(),
  )

/**
 * Whether change records contain the column. Save timestamps and hidden columns are not changes by the user; passwords
 * and other secrets are omitted, even as digests.
 */
export function isLogged({ key, field }: Column): boolean {
  if (key === 'id' || key.startsWith('_')) return false
  if (field.kind === 'dateTime' && field.auto) return false
  if ('writeOnly' in field && field.writeOnly) return false
  return !('unlogged' in field && field.unlogged)
}

/**
 * Columns that snapshots of events have and change records lack: the creation time, and some of the service's own
 * columns.
 */
function isForEvents(model: Model, { key, field }: Column): boolean {
  if (field.kind === 'dateTime' && field.auto) return field.auto === 'insert'
  return key.startsWith('_') && model.fields.has(key) && !('unlogged' in field && field.unlogged)
}

function textOfColumn(column: Column): Part['text'] {
  const { key } = column
  const toText = textOfValue(column)
  return (row, names) => {
    const value = row[key]
    return value === null || value === undefined ? 'null' : toText(value, names)
  }
}

/** How values of the column become JSON texts. */
function textOfValue({ field, type }: Column): (value: NonNullable<unknown>, names: SnapshotNames) => string {
  if (field.kind === 'objectType' || (field.kind === 'genericForeignKey' && type === 'text')) {
    return (value, { types }) => String(types.get(String(value)) ?? null)
  }
  if (field.kind === 'objectTypes') {
    return (value, { types }) => JSON.stringify((value as string[]).flatMap((name) => types.get(name) ?? [])) // text[]
  }
  const recorded = isScalar(field) ? kindOf(field).recorded?.(field) : undefined
  // All other kinds are JSON already: number, text, boolean, document.
  return recorded ?? ((value) => JSON.stringify(value))
}
