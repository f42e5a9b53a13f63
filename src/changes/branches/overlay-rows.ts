import { BASE, BRANCH, type BranchedTable, branchedTables, DELETED } from '../../db/branches/branch-tables.ts'
import { SINCE } from '../../db/versions/versioned-tables.ts'
import type { Json } from '../../schema/json.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, join, raw, type Sql, sql, volatile } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable } from '../../sql/table.ts'
import { isDerivedRow } from '../../write/record/changelog.ts'
import { isKeptAsDependent } from '../../write/record/undo-data.ts'
import { asIds } from '../../write/rows.ts'

/** Values of a row by the names of its columns. */
export type Columns = Readonly<Record<string, Json>>

/** A row that a branch has created, changed or deleted, in three states; undefined where it does not exist. */
export interface OverlayRow {
  readonly model: Model
  readonly id: number
  /** Main's row when the branch first changed it, or was last synchronised. */
  readonly base: Columns | undefined
  readonly main: Columns | undefined
  readonly branch: Columns | undefined
}

/** The columns by their keys in rows. */
export const rowOf = (model: Model, columns: Columns): Readonly<Record<string, Json>> =>
  Object.fromEntries([...model.columns.values()].map(({ key, name }) => [key, columns[name] ?? null]))

/** An object in a list of another object, such as a tag, that the branch has added or removed. */
export interface ListedPair {
  readonly model: Model
  readonly id: number
  /** Name of the list. */
  readonly list: string
  readonly target: number
  readonly isAdded: boolean
}

/**
 * The list with what the branch has added to it and without what it has removed. An object is in a list or not, so the
 * sides cannot change this in different ways: elements of lists never conflict.
 */
export function withChanges(present: unknown, pairs: readonly ListedPair[]): readonly number[] {
  const [removed, added] = [false, true].map((isAdded) =>
    pairs.flatMap((pair) => (pair.isAdded === isAdded ? pair.target : [])),
  )
  return [...new Set([...asIds(present), ...(added ?? [])])].filter((target) => !removed?.includes(target))
}

/** The table itself, whatever the search path. */
export const publicTable = (name: string): Sql => sql`public.${systemTable(name)}`

/** The tables of objects and their parts; computed rows are left out, and lists of objects are compared as pairs. */
export const mergedTables = oncePer((registry: Registry): readonly BranchedTable[] =>
  [...branchedTables(registry).values()].filter(({ key, model: name }) => {
    const model = registry.model(name)
    if (key.length > 1 || name === SYSTEM.taggedItem || name === SYSTEM.objectChange) return false
    const isPart = [...model.fields.values()].some(({ kind }) => kind === 'foreignKey') && isKeptAsDependent(model)
    return model.has('changeLogging') || isPart
  }),
)

/** Condition that the row `o` belongs to the branch. */
export const isOf = (branch: number): Sql => sql`o.${raw(BRANCH)} = ${branch}::bigint`

/** Those of the tables in which the branch has rows: a statement over all tables takes long to plan. */
async function usedTables<T extends Pick<BranchedTable, 'overlay'>>(
  queryable: Queryable,
  tables: readonly T[],
  branch: number,
): Promise<readonly T[]> {
  const parts = tables.map(
    ({ overlay }) =>
      volatile`select ${overlay}::text as overlay where exists (select from ${systemTable(overlay)} o where ${isOf(branch)})`,
  )
  const rows = await queryable.query<{ overlay: string }>(join(parts, ' union all '))
  const used = new Set(rows.map(({ overlay }) => overlay))
  return tables.filter(({ overlay }) => used.has(overlay))
}

/**
 * The rows that the branch has created, changed or deleted, of all models or `only` some. `lock`: main's rows are locked first, table by table and in
 * the order of their ids, so that a simultaneous write comes before the comparison, or after the end of the
 * transaction.
 */
export async function overlayRows(
  queryable: Queryable,
  registry: Registry,
  branch: number,
  { lock, only = () => true }: { readonly lock: boolean; readonly only?: (model: Model) => boolean },
): Promise<readonly OverlayRow[]> {
  const included = mergedTables(registry).filter(({ model }) => only(registry.model(model)))
  const tables = included.length === 0 ? [] : await usedTables(queryable, included, branch)
  if (lock) {
    for (const { table, overlay } of tables) {
      await queryable.execute(volatile`
        select from ${publicTable(table)} m where m.id in (
          select o.id from ${systemTable(overlay)} o where ${isOf(branch)} and o.${raw(BASE)} is not null)
        order by m.id for update`)
    }
  }
  if (tables.length === 0) return []
  const parts = tables.map(
    ({ table, overlay, model }) => sql`
      select ${model}::text as type, o.id, o.${raw(BASE)}::text as base, to_jsonb(m)::text as main,
        case when not o.${raw(DELETED)} then to_jsonb(o)::text end as branch
      from ${systemTable(overlay)} o left join ${publicTable(table)} m on m.id = o.id where ${isOf(branch)}`,
  )
  const rows = await queryable.query<Record<'base' | 'main' | 'branch', string | null> & { type: string; id: number }>(
    join(parts, ' union all '),
  )
  return rows
    .map(({ type, id, base, main, branch: branchRow }) => ({
      model: registry.model(type),
      id,
      base: columnsIn(base),
      main: columnsIn(main),
      branch: columnsIn(branchRow),
    }))
    .filter(({ model, base, main, branch: branchRow }) => !isDerivedRow(model, branchRow ?? main ?? base))
}

/** Number of the branch's rows that main has changed or deleted since. */
export async function rowsBehind(queryable: Queryable, registry: Registry, branch: number): Promise<number> {
  const rows = await overlayRows(queryable, registry, branch, { lock: false })
  return rows.filter(({ base, main }) => base && JSON.stringify(base[SINCE]) !== JSON.stringify(main?.[SINCE])).length
}

/** The text of the row comes from the server. */
const columnsIn = (text: string | null): Columns | undefined =>
  text === null ? undefined : (JSON.parse(text) as Columns)

/** The join tables of lists, with the lists that they store. */
export const listTables = oncePer((registry: Registry) =>
  [...registry.models.values()].flatMap((model) =>
    [...model.fields].flatMap(([list, field]) => {
      if (field.kind !== 'manyToMany' || field.inverse !== undefined) return []
      const joined = registry.joinTable(model, list, field)
      const overlay = branchedTables(registry).get(joined.table)?.overlay
      return overlay === undefined
        ? []
        : [{ model, list, overlay, ownColumn: joined.ownColumn, otherColumn: joined.otherColumn }]
    }),
  ),
)

/** The objects that the branch has added to lists or removed from them; both at once is nothing. */
export async function listedPairs(
  queryable: Queryable,
  registry: Registry,
  branch: number,
): Promise<readonly ListedPair[]> {
  const tags = branchedTables(registry).get(registry.model(SYSTEM.taggedItem).table)
  const lists = await usedTables(queryable, listTables(registry), branch)
  const isChange = sql`${isOf(branch)} and o.${raw(DELETED)} = (o.${raw(BASE)} is not null)`
  const parts = [
    ...lists.map(
      ({ model, list, overlay, ownColumn, otherColumn }) => sql`
        select ${model.name}::text as type, ${list}::text as list, o.${identifier(ownColumn)} as id,
          o.${identifier(otherColumn)} as target, o.${raw(BASE)} is null as "isAdded"
        from ${systemTable(overlay)} o where ${isChange}`,
    ),
    ...(tags
      ? [
          sql`
      select coalesce(o.${raw(BASE)} ->> 'object_type', o.object_type) as type, 'tags' as list,
        coalesce((o.${raw(BASE)} ->> 'object_id')::bigint, o.object_id) as id,
        coalesce((o.${raw(BASE)} ->> 'tag_id')::bigint, o.tag_id) as target, o.${raw(BASE)} is null as "isAdded"
      from ${systemTable(tags.overlay)} o where ${isChange}`,
        ]
      : []),
  ]
  if (parts.length === 0) return []
  const rows = await queryable.query<Omit<ListedPair, 'model'> & Record<string, unknown> & { type: string }>(
    join(parts, ' union all '),
  )
  const pairs = Map.groupBy(rows, ({ type, id, list, target }) => `${type} ${id} ${list} ${target}`)
  return [...pairs.values()].flatMap(([first, second]) =>
    first && !second && registry.models.has(first.type) ? [{ ...first, model: registry.model(first.type) }] : [],
  )
}
