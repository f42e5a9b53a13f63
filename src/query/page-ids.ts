import { oncePer } from '../schema/once-per.ts'
import type { Model } from '../schema/registry.ts'
import type { Service } from '../service.ts'
import { raw, type Sql, sql } from '../sql/fragment.ts'
import { constantPart } from '../sql/statement-template.ts'
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

/** Ids of a found page's rows, an array; for SQL of the values that belong to them. */
export const PAGE_IDS = sql`(select found.ids from found)`

/** Values to be read of the rows of a page. One constant for each use. */
export interface WantedRows {
  /** A list over the rows `t` that begins with the id. */
  readonly select: Sql
  /** Of the list. */
  readonly undecoded: UndecodedColumns
  /** Number of expressions in the list. */
  readonly width: number
  /** SQL of one value, about the rows with the ids `PAGE_IDS`. */
  readonly results?: Sql | undefined
}

/**
 * Finds a page. Where no row is cached and the table is small, its rows come with the ids, and without filters what belongs to them too. That
 * saves messages to the database, unless the page is far from the beginning: the server computes the selected expressions of all rows before it.
 * `wanted`: undefined where only ids are.
 */
export async function findPage(
  service: Service,
  model: Model,
  page: Page,
  wanted: WantedRows | undefined,
): Promise<FoundPage> {
  const { offset, limit } = page.window
  const isFar = limit !== undefined && offset > limit
  const options =
    wanted && !isFar && !service.cache.holds() ? optionsFor(service, model, page) : undefined
  // Such a selection is not restricted to the rows that the user may view.
  if (!wanted || !options?.isShort) return { ids: await pageIds(service, model, page) }
  const ofPage = rowsOfPage(model, page, wanted.select)
  // A list with filters is often empty, and then nothing belongs to its rows: to begin the larger statement would take most of its time.
  const combined = page.where ? undefined : withResults(wanted)
  const statement = combined
    ? sql`with page ${combined.columns} as materialized (${ofPage}), ${combined.rest}`
    : ofPage
  const { undecoded, width } = wanted
  const rows = await service.database.queryArrays(statement, { ...options, undecoded })
  const last = combined && rows.pop()
  return { ids: rows.map(([id]) => Number(id)), rows, results: last?.[width] }
}

/** The rows of the page, then one that is empty but for its last value. */
const withResults = oncePer(({ width, results }: WantedRows) => {
  if (!results) return undefined
  const columns = Array.from({ length: width }, (_, index) => `c${index}`)
  return {
    columns: raw(`(${columns.join(', ')})`),
    rest: constantPart(sql`
      found as materialized (select array_agg(page.c0) as ids from page)
      select page.*, null from page
      union all select ${raw('null, '.repeat(width))}${results}`),
  }
})

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
