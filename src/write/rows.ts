import { displayOf } from '../read/query/display.ts'
import { compileOrder } from '../read/query/order.ts'
import { parseJson } from '../schema/json.ts'
import { oncePer } from '../schema/once-per.ts'
import type { Model } from '../schema/registry.ts'
import type { AnyRow } from '../schema/rule.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { identifier, join, raw, type Sql, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table } from '../sql/table.ts'
import { decoderOf, selectColumn } from './values.ts'

/**
 * A row of any model: values by row key, ids of many to many fields in the order of their model, `tags`
 * as ids in the order of names, `id`, and `display`.
 */
export type StoredRow = AnyRow & { readonly display: string }
/** A row that is not saved yet. */
export type DraftRow = Record<string, unknown> & { id: number }

/** The value of a row as a list of ids; empty if it is not a list. */
export const asIds = (value: unknown): readonly number[] => (Array.isArray(value) ? value : [])

interface Part {
  readonly key: string
  readonly sql: Sql
  /** Converts a value that is not null; without it, values stay as they are. */
  readonly decode?: ((value: unknown) => unknown) | undefined
}

/** Select list for rows with the alias `o`, and the decoder of the resulting arrays. */
interface RowReader {
  readonly select: Sql
  /** The row whose values begin at `from`. */
  read(values: readonly unknown[], from?: number): StoredRow
}

/** The reader for rows of the model, alias `o` for its table. */
export const rowReader = (service: Service, model: Model): RowReader => readers(model, service)

const readers = oncePer((model: Model, service: Service): RowReader => {
  const parts = makeParts(service, model, sql`o`)
  const empty = blankRow(parts.map(({ key }) => key))
  return {
    select: join(parts.map((column) => column.sql)),
    read: (values, from = 0) => decoded({ ...empty }, parts, values, from),
  }
})

/** The row, which has all keys, with the values of the parts. */
function decoded(
  row: Record<string, unknown>,
  parts: readonly Part[],
  values: readonly unknown[],
  from: number,
): StoredRow {
  let index = from
  for (const { key, decode } of parts) {
    const value = values[index++] ?? null
    row[key] = decode && value !== null ? decode(value) : value
  }
  row.display ??= ''
  return row as StoredRow // id and display are among the parts, or in the row already
}

/**
 * A row with all keys and no values, to be spread: objects that grow key by key become hash tables after a dozen keys,
 * which makes all operations on them five times slower.
 */
export const blankRow = (keys: readonly string[]): Record<string, unknown> =>
  JSON.parse(JSON.stringify(Object.fromEntries(keys.map((key) => [key, null]))))

/** Rows per statement: while a result is decoded, it is in memory several times. */
const ROWS_AT_ONCE = 5_000

/** Rows with these ids, ordered by id; missing ones are left out. `lock`: locks them against concurrent changes. */
export async function loadRows(
  service: Service,
  queryable: Queryable,
  model: Model,
  ids: readonly number[],
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<StoredRow[]> {
  const reader = rowReader(service, model)
  const rows: StoredRow[] = []
  const ordered = [...new Set(ids)].sort((left, right) => left - right)
  for (let start = 0; start < ordered.length; start += ROWS_AT_ONCE) {
    const batch = ordered.slice(start, start + ROWS_AT_ONCE)
    const selected = await queryable.queryArrays(sql`
      select ${reader.select} from ${table(model)} o where o.id = any(${batch}::bigint[]) order by o.id
      ${lock ? sql`for update of o` : sql``}`)
    for (const values of selected) rows.push(reader.read(values))
  }
  return rows
}

function makeParts(service: Service, model: Model, alias: Sql): readonly Part[] {
  const columns = [...model.columns.values()].map((column) => ({
    key: column.key,
    sql: selectColumn(column, sql`${alias}.${identifier(column.name)}`),
    decode: decoderOf(column),
  }))
  const relations = [...model.fields].flatMap(([name, field]): Part[] => {
    if (field.kind === 'tags') return [tagsPart(service, model, alias)]
    if (field.kind === 'computed' && field.recorded) {
      const decode = field.recorded.isValue ? (text: unknown) => parseJson(String(text)) : undefined
      return [{ key: name, sql: field.recorded.ids(sql`${alias}.id`), decode }]
    }
    if (field.kind !== 'manyToMany') return []
    const { registry } = service
    const relation = registry.joinTable(model, name, field)
    const target = registry.model(field.to)
    const order = compileOrder(service, target, undefined)
    const joinRows = sql`${table(relation)} j`
    const isOwn = sql`j.${identifier(relation.ownColumn)} = ${alias}.id`
    const ids = sql`
      select array_agg(t.id order by ${order.terms})
      from ${joinRows} join ${table(target)} t on t.id = j.${identifier(relation.otherColumn)} ${order.joins}
      where ${isOwn}`
    return [{ key: name, sql: idsIfAny(joinRows, isOwn, ids) }]
  })
  return [...columns, ...relations, { key: 'display', sql: displayOf(model, alias) }]
}

function tagsPart({ registry }: Service, model: Model, alias: Sql): Part {
  const items = sql`${table(registry.model(SYSTEM.taggedItem))} i`
  // The name is part of the text: the select list is then a constant, which is not built again for each statement.
  const isOwn = sql`i.object_type = ${raw(`'${model.name}'`)} and i.object_id = ${alias}.id`
  const ids = sql`
    select array_agg(g.id order by g.name)
    from ${items} join ${table(registry.model(SYSTEM.tag))} g on g.id = i.tag_id
    where ${isOwn}`
  return { key: 'tags', sql: idsIfAny(items, isOwn, ids) }
}

/** The ids, without a query if there are no rows: the query sorts, which takes most of the time for empty results. */
const idsIfAny = (rows: Sql, isOwn: Sql, ids: Sql): Sql =>
  sql`case when exists (select from ${rows} where ${isOwn}) then coalesce((${ids}), '{}') else '{}' end`
