import type { Actor } from '../../identity/actor.ts'
import { columnsOfConstraint, satisfiesConstraint } from '../../identity/constraint.ts'
import { grantKey } from '../../identity/grants.ts'
import { permittedRowsOrNone } from '../../identity/permitted-rows.ts'
import { NO_ROWS } from '../../read/query/row-predicate.ts'
import type { Column } from '../../schema/column.ts'
import type { Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { identifier, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { isLogged } from '../../write/record/snapshot.ts'
import { ALL_PARTS, dataOf, NO_PARTS, parseData, type RecordedVersions, type VisibleParts } from './change-row.ts'
import { objectTypeNames } from './object-type-names.ts'

/**
 * The parts of each record that the actor may see, by position. A record of an object that the actor may view now is
 * visible as a whole, as in the list of change records. For other objects, which have been deleted or moved out of the
 * actor's reach, those parts are visible in which the object's data satisfied the actor's permissions. Records without
 * visible parts are left out.
 */
export async function visibleParts(
  service: Service,
  actor: Actor,
  rows: readonly RecordedVersions[],
): Promise<ReadonlyMap<number, VisibleParts>> {
  if (actor.kind === 'user' && actor.isSuperuser) {
    return new Map(rows.map(({ position }) => [position, ALL_PARTS]))
  }
  const parts = await Promise.all(
    [...Map.groupBy(rows, ({ type }) => type)].map(([type, list]) =>
      partsOfModel(service, actor, service.registry.models.get(type), list),
    ),
  )
  return new Map(parts.flatMap((map) => [...map]).filter(([, { before, after }]) => before || after))
}

async function partsOfModel(
  service: Service,
  actor: Actor,
  model: Model | undefined,
  rows: readonly RecordedVersions[],
): Promise<ReadonlyMap<number, VisibleParts>> {
  const permitted = model && permittedRowsOrNone(actor, 'view', model, service.settings)
  if (!model || permitted === undefined || permitted === NO_ROWS) return new Map()
  if (permitted === 'all') return new Map(rows.map(({ position }) => [position, ALL_PARTS]))
  const ids = [...new Set(rows.map(({ object_id }) => object_id))]
  const visible = await service.database.query<{ id: number }>(
    sql`select t.id from ${table(model)} t where t.id = any(${ids}::bigint[]) and ${permitted}`,
  )
  const now = new Set(visible.map(({ id }) => id))
  const [current, gone] = [
    rows.filter(({ object_id }) => now.has(object_id)),
    rows.filter(({ object_id }) => !now.has(object_id)),
  ]
  const byData = await partsByData(service, actor, model, gone)
  return new Map([
    ...current.map(({ position }) => [position, ALL_PARTS] as const),
    ...gone.map(({ position }) => [position, byData.get(position) ?? NO_PARTS] as const),
  ])
}

/**
 * The parts of records in which the object's recorded data satisfies the actor's permissions, by position. Permissions
 * whose constraints depend on data that change records lack (tags, rows that refer to the object, hidden columns) count
 * as not satisfied.
 */
async function partsByData(
  service: Service,
  actor: Actor,
  model: Model,
  rows: readonly RecordedVersions[],
): Promise<ReadonlyMap<number, VisibleParts>> {
  const decidable = decidableConstraints(actor, model)
  if (rows.length === 0 || !decidable) return new Map()
  const types = await objectTypeNames(service)
  const versions = rows.flatMap((row) =>
    (['before', 'after'] as const).flatMap((part) => {
      const text = dataOf(row[part])
      if (text === undefined) return []
      return [{ row, part, values: versionOf(row, parseData(text), decidable.columns, types) }]
    }),
  )
  const satisfied = await satisfying(
    service,
    versions.map(({ values }) => values),
    decidable,
  )
  const visible = new Set(versions.filter((_, index) => satisfied.has(index)).map(({ row, part }) => key(row, part)))
  return new Map(
    rows.map((row) => [
      row.position,
      { before: visible.has(key(row, 'before')), after: visible.has(key(row, 'after')) },
    ]),
  )
}

const key = ({ position }: RecordedVersions, part: keyof VisibleParts): string => `${position} ${part}`

interface Decidable {
  /** Columns that the constraints read, besides the id. */
  readonly columns: readonly Column[]
  /** Predicate over the row `t`. */
  readonly predicate: Sql
}

/**
 * The actor's permissions to view objects of the model, if recorded data can decide them; undefined if there are none.
 */
function decidableConstraints(actor: Actor, model: Model): Decidable | undefined {
  if (actor.kind !== 'user' || model.definition.visible || model.definition.visibleWith) return
  const columns = new Map<string, Column>()
  const alternatives: Sql[] = []
  for (const constraint of actor.grants?.get(grantKey('view', model.name)) ?? []) {
    const used = columnsOfConstraint(model, constraint)
    if (!used?.every((column) => column.key === 'id' || isInSnapshot(column))) continue
    for (const column of used) if (column.key !== 'id') columns.set(column.key, column)
    alternatives.push(satisfiesConstraint(model, constraint, actor.id))
  }
  if (alternatives.length === 0) return undefined
  return { columns: [...columns.values()], predicate: join(alternatives, ' or ') }
}

/** A version of an object as a row of its table with the columns. */
const versionOf = (
  { object_id }: RecordedVersions,
  data: Readonly<Record<string, Json>>,
  columns: readonly Column[],
  types: ReadonlyMap<number, string>,
): Readonly<Record<string, Json>> => ({
  id: object_id,
  ...Object.fromEntries(
    columns.map((column) => [column.name, storedFromSnapshot(column, data[column.key] ?? null, types)]),
  ),
})

/** Indexes of the versions for which the predicate holds. */
async function satisfying(
  { database }: Pick<Service, 'database'>,
  versions: readonly Readonly<Record<string, Json>>[],
  { columns, predicate }: Decidable,
): Promise<ReadonlySet<number>> {
  const numbered = JSON.stringify(versions.map((values, index) => ({ ...values, [INDEX]: index })))
  const definitions = [sql`${identifier(INDEX)} integer`, sql`id bigint`, ...columns.map(definition)]
  const rows = await database.query<{ index: number }>(sql`
    select t.${identifier(INDEX)} as index
    from jsonb_to_recordset(${numbered}::text::jsonb) as t(${join(definitions)}) where ${predicate}`)
  return new Set(rows.map(({ index }) => index))
}

/** No column of a model has such a name. */
const INDEX = ' index'

/** Texts compare as in the tables. Types and collations are constants of the program. */
const definition = ({ name, type, collation }: Column): Sql =>
  raw([identifier(name).text, type, ...(type === 'text' ? [COLLATE[collation ?? 'plain']] : [])].join(' '))

const COLLATE = { natural: 'collate natural_sort', plain: 'collate "C"' } as const

/** Whether change records contain the column's value in a form from which the stored one can be restored. */
const isInSnapshot = (column: Column): boolean =>
  isLogged(column) && column.field.kind !== 'list' && column.field.kind !== 'objectTypes'

/** The stored value behind one in a change record, which names object types by their ids. */
const storedFromSnapshot = ({ field, type }: Column, value: Json, types: ReadonlyMap<number, string>): Json => {
  const isType = field.kind === 'objectType' || (field.kind === 'genericForeignKey' && type === 'text')
  return isType ? (types.get(Number(value)) ?? null) : value
}
