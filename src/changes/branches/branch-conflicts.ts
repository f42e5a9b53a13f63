import { BASE, BRANCH, type BranchedTable, branchedTables, DELETED } from '../../db/branches/branch-tables.ts'
import { SINCE } from '../../db/versions/versioned-tables.ts'
import type { Json } from '../../schema/json.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { join, raw, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable } from '../../sql/table.ts'
import { isDerived, isSaveTime } from '../../write/record/undo-data.ts'
import { hasSameValue } from '../recorded-change.ts'
import { overlayOfChanges } from './branch-changes.ts'

/** A field, or an object as a whole, that main and the branch have changed in different ways since they were equal. */
export interface BranchConflict {
  readonly type: string
  readonly id: number
  /** Undefined if one of them has deleted the object. */
  readonly field: string | undefined
  /** Values of the field in the form of the column; absent for a deleted object, and for secrets. */
  readonly base?: Json | undefined
  readonly main?: Json | undefined
  readonly branch?: Json | undefined
  /** The action on the object, if `field` is undefined. */
  readonly deletedIn?: 'main' | 'branch'
}

/** What to keep: the branch's value, or main's. */
export type Resolution = 'mine' | 'theirs'
/** By object (`dcim.site 5`), then by field; '' for the object as a whole. */
export type Resolutions = Readonly<Record<string, Readonly<Record<string, Resolution>>>>

/** Represents the object as a whole among the fields of its resolutions. */
export const WHOLE = ''

type Values = Readonly<Record<string, Json>>

/** A row of the branch whose counterpart on main has changed since the branch replaced it. */
export interface BehindRow {
  readonly model: Model
  readonly id: number
  readonly isDeleted: boolean
  readonly base: Values
  readonly branch: Values
  /** Undefined if it has been deleted. */
  readonly main: Values | undefined
}

/** Tables of models with change records. */
export const recordedTables = (registry: Registry): readonly BranchedTable[] =>
  [...branchedTables(registry).values()].filter(
    ({ model, key }) => key.length === 1 && registry.model(model).has('changeLogging'),
  )

/**
 * Condition over an overlay row and main's row `m`: that main has changed or deleted the row since. `alias`: alias of
 * the overlay row.
 */
export const isBehind = (alias: string): Sql => sql`${raw(alias)}.${raw(BASE)} is not null
  and (m.id is null or m.${raw(SINCE)} <> (${raw(alias)}.${raw(BASE)} ->> ${SINCE})::bigint)`

/** The rows that are newer on main than in the branch, of models with change records. */
export async function behindRows(queryable: Queryable, registry: Registry, id: number): Promise<readonly BehindRow[]> {
  const types = await changedTypes(queryable, registry, id)
  const tables = recordedTables(registry).filter(({ model }) => types.has(model))
  if (tables.length === 0) return []
  const parts = tables.map(
    ({ table, overlay, model }) => sql`
      select ${model}::text as type, o.id, o.${raw(DELETED)} as deleted, o.${raw(BASE)}::text as base,
        to_jsonb(o)::text as branch, to_jsonb(m)::text as main
      from ${systemTable(overlay)} o left join ${publicTable(table)} m on m.id = o.id
      where o.${raw(BRANCH)} = ${id}::bigint and ${isBehind('o')}`,
  )
  const rows = await queryable.query<{
    type: string
    id: number
    deleted: boolean
    base: string
    branch: string
    main: string | null
  }>(join(parts, ' union all '))
  return rows.map(({ type, id: row, deleted, base, branch, main }) => ({
    model: registry.model(type),
    id: row,
    isDeleted: deleted,
    base: valuesOf(base),
    branch: valuesOf(branch),
    main: main === null ? undefined : valuesOf(main),
  }))
}

/** Names of the models whose objects the branch has changed. A statement over all tables would take longer to plan than to execute. */
async function changedTypes(queryable: Queryable, registry: Registry, id: number): Promise<ReadonlySet<string>> {
  const rows = await queryable.query<{ type: string }>(sql`
    select distinct o.changed_object_type as type from ${systemTable(overlayOfChanges(registry))} o where o.${raw(BRANCH)} = ${id}::bigint`)
  return new Set(rows.map(({ type }) => type))
}

/** The table itself, whatever the search path. */
export const publicTable = (name: string): Sql => sql`public.${systemTable(name)}`

/** The text of the row comes from the server. */
const valuesOf = (text: string): Values => JSON.parse(text) as Values

/** The conflicts of these rows, without resolved ones. */
export function conflictsOf(rows: readonly BehindRow[], resolutions: Resolutions): readonly BranchConflict[] {
  return rows.flatMap((row): readonly BranchConflict[] => {
    const { model, id, main } = row
    const resolved = resolutions[objectOf(row)] ?? {}
    const isOpen = (field: string) => resolved[field] === undefined
    const of = { type: model.name, id }
    const fields = changedFields(row)
    if (!main)
      return !row.isDeleted && fields.branch.length > 0 && isOpen(WHOLE)
        ? [{ ...of, field: undefined, deletedIn: 'main' }]
        : []
    if (row.isDeleted) {
      return fields.main.length > 0 && isOpen(WHOLE) ? [{ ...of, field: undefined, deletedIn: 'branch' }] : []
    }
    return fields.branch.flatMap(({ field, column, isSecret }) =>
      fields.main.some((other) => other.column === column) &&
      !hasSameValue(main[column], row.branch[column]) &&
      isOpen(field)
        ? [
            {
              ...of,
              field,
              ...(!isSecret && { base: row.base[column], main: main[column], branch: row.branch[column] }),
            },
          ]
        : [],
    )
  })
}

/** Key of the object in the resolutions of its branch. */
export const objectOf = ({ model, id }: Pick<BehindRow, 'model' | 'id'>): string => `${model.name} ${id}`

/** The fields that each side has changed, with their columns. */
function changedFields({ model, base, branch, main, isDeleted }: BehindRow) {
  const columns = comparedColumns(model)
  return {
    branch: isDeleted ? [] : columns.filter(({ column }) => !hasSameValue(base[column], branch[column])),
    main: main ? columns.filter(({ column }) => !hasSameValue(base[column], main[column])) : [],
  }
}

/** The columns that users set, by the names of their fields. */
const comparedColumns = oncePer((model: Model) =>
  [...model.columns.values()]
    .filter(
      (column) =>
        column.key !== 'id' && !column.key.startsWith('_') && !isDerived(model, column) && !isSaveTime(column),
    )
    .map(({ key, name, field }) => ({
      field: key,
      column: name,
      isSecret: 'writeOnly' in field && field.writeOnly === true,
    })),
)
