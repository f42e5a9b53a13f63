import { oncePer } from '../schema/once-per.ts'
import type { Model } from '../schema/registry.ts'
import type { Service } from '../service.ts'
import { raw, type Sql, sql } from '../sql/fragment.ts'
import type { QueryOptions } from '../sql/queryable.ts'
import { constantPart } from '../sql/statement-template.ts'
import { table } from '../sql/table.ts'
import type { UndecodedColumns } from '../sql/undecoded.ts'
import { cachedNumbers } from './cached-column.ts'
import type { Order } from './order.ts'
import { anyRows, pageStatement, rowsOfPage, type Selection } from './page.ts'
import { optionsFor } from './small-tables.ts'
import type { Window } from './window.ts'

/** Ids that are found at a time beyond as many rows. */
const BLOCK = 10_000
/** Rows of a selection that are sorted at once. */
const FEW = 1_000

type Page = Selection & { readonly order: Order; readonly window: Window }

/** A page that was found. */
export interface FoundPage {
  /** Ids of its rows, in its order. */
  readonly ids: readonly number[]
  /** The rows, where they were selected with the ids. */
  readonly rows?: readonly (readonly unknown[])[] | undefined
  /** The value of `WantedRows.results`. */
  readonly results?: unknown
}

/** Ids of a found page's rows, an array; for SQL of the values that belong to them, which selects from `found`. */
export const PAGE_IDS = sql`found.ids`

/** Values to be read of the rows of a page. One constant for each use. */
export interface WantedRows {
  /** A list over the rows `t` that begins with the id. */
  readonly select: Sql
  /** Of the list. */
  readonly undecoded: UndecodedColumns
  /** Number of expressions in the list. */
  readonly width: number
  /** SQL of one value, about the rows with the ids `PAGE_IDS` of `found`. */
  readonly results?: Sql | undefined
}

/**
 * Finds a page. Where no row is cached and the table is small, its rows come with the ids, and without filters what belongs to them too, which
 * saves messages to the database.
 * `wanted`: undefined where only ids are.
 */
export async function findPage(
  service: Service,
  model: Model,
  page: Page,
  wanted: WantedRows | undefined,
): Promise<FoundPage> {
  const options = wanted && !service.cache.holds() ? optionsFor(service, model, page) : undefined
  // Such a selection is not restricted to the rows that the user may view.
  if (!wanted || !options?.isShort) return { ids: await pageIds(service, model, page) }
  // A list with filters is often empty, and then nothing belongs to its rows: to begin the larger statement would take most of its time.
  const rest = page.where ? undefined : rowsAndResults(wanted, model)
  if (rest) return await findWithResults(service.database, model, page, { wanted, rest, options })
  const { offset, limit } = page.window
  // The server computes the selected expressions of all rows before the page.
  if (limit !== undefined && offset > limit) return { ids: await pageIds(service, model, page) }
  const rows = await service.database.queryArrays(rowsOfPage(model, page, wanted.select), {
    ...options,
    undecoded: wanted.undecoded,
  })
  return { ids: rows.map(([id]) => Number(id)), rows }
}

/**
 * The ids are found first: PostgreSQL sorts them alone faster than rows with all their columns, of which it computes those of the page only.
 */
async function findWithResults(
  database: Service['database'],
  model: Model,
  page: Page,
  {
    wanted: { undecoded, width },
    rest,
    options,
  }: { readonly wanted: WantedRows; readonly rest: Sql; readonly options: QueryOptions },
): Promise<FoundPage> {
  const rows = await database.queryArrays(
    sql`with found as materialized (select array(${rowsOfPage(model, page, sql`t.id`)}) as ids) ${rest}`,
    { ...options, undecoded },
  )
  const last = rows.pop()
  const found = String(last?.[width])
  const ids = found === '' ? [] : found.split(',').map(Number)
  return { ids, rows: inOrder(rows, ids), results: last?.[width + 1] }
}

/** The rows, which begin with their ids, in the order of these. */
function inOrder(
  rows: readonly (readonly unknown[])[],
  ids: readonly number[],
): readonly (readonly unknown[])[] {
  const byId = new Map<unknown, readonly unknown[]>()
  for (const row of rows) byId.set(row[0], row)
  const ordered: (readonly unknown[])[] = []
  for (const id of ids) {
    const row = byId.get(id)
    if (row) ordered.push(row)
  }
  return ordered
}

/** Selects the rows of the page in any order, then one that is empty but for its ids and the results. The model is that of the wanted rows. */
const rowsAndResults = oncePer(
  ({ select, width, results }: WantedRows, model: Model): Sql | undefined =>
    results &&
    constantPart(sql`
      select ${select}, null, null from ${table(model, 'id')} t where t.id = any((select found.ids from found)::bigint[])
      union all select ${raw('null, '.repeat(width))}array_to_string(found.ids, ','), ${results} from found`),
)

/**
 * Ids of the page's rows, in its order. Finding a page takes as long as there are rows before it, so deep
 * within a list the ids of many pages are found, and cached, at once: a client that reads the list page by page
 * asks the database for every block, not for every page.
 */
export async function pageIds(
  service: Service,
  model: Model,
  page: Page,
): Promise<readonly number[]> {
  const { limit, offset, start } = page.window
  if (service.isPast && page.where && start === undefined) {
    const few = await fewIds(service, model, page)
    if (few) return few.slice(offset, limit === undefined ? undefined : offset + limit)
  }
  const idsAt = (window: Window) =>
    cachedNumbers(service, pageStatement(model, { ...page, window }), () =>
      optionsFor(service, model, page),
    )
  const isDeep = start === undefined && limit !== undefined && limit <= BLOCK && offset >= BLOCK
  if (!isDeep) return await idsAt(page.window)
  const first = offset - (offset % BLOCK)
  const block = await idsAt({ limit: BLOCK, offset: first })
  const found = block.slice(offset - first, offset - first + limit)
  const isCut = found.length < limit && block.length === BLOCK
  if (!isCut) return found
  const next = await idsAt({ limit: BLOCK, offset: first + BLOCK })
  return [...found, ...next.slice(0, limit - found.length)]
}

/**
 * All ids of the selection, in order; undefined where they are many, or the order needs no other tables. PostgreSQL has no statistics on joins of past
 * versions: with a limit it expects many rows, and goes through all rows of the related table in their order to find the first ones early.
 */
async function fewIds(
  service: Service,
  model: Model,
  page: Page,
): Promise<readonly number[] | undefined> {
  if (page.order.joins.text === '') return undefined
  const found = await cachedNumbers(service, anyRows(model, page, FEW + 1))
  if (found.length > FEW) return undefined
  const window = { limit: undefined, offset: 0 }
  return await cachedNumbers(service, pageStatement(model, { ...page, window }))
}
