import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Client } from './client.ts'
import { SourceError } from './source-error.ts'

/** Size of a collection, queried before it is read. */
export interface CollectionExtent {
  readonly count: number
  /** Highest id; 0 if there is none. It may have grown since. */
  readonly lastId: number
}

/** A row of a response; it has an id. */
export type Shown = JsonObject & { readonly id: number }

interface Page {
  /** Null if the service paginates by `start`. */
  readonly count: number | null
  readonly hasNext: boolean
  readonly rows: readonly Shown[]
}

/** Services reduce it to their own maximum. */
const PAGE = 500

/** Size of the collection. Throws SourceError if the endpoint is not a collection of objects with ids. */
export async function extentOf(client: Client, endpoint: string): Promise<CollectionExtent> {
  // Not in brief form, which has no id for some models.
  const { count, rows } = await ask(client, endpoint, { limit: '1', ordering: '-id' })
  return { count: count ?? 0, lastId: rows[0]?.id ?? 0 }
}

/**
 * All rows of a collection in the order of their ids, page by page; up to `ahead` pages are requested in advance. By
 * `start` if the service supports that parameter, otherwise by `offset`.
 */
export async function* pagesOf(
  client: Client,
  endpoint: string,
  extent: CollectionExtent,
  ahead: number,
): AsyncGenerator<readonly Shown[]> {
  if (extent.count === 0) return
  const first = await ask(client, endpoint, { start: '0', limit: String(PAGE) })
  // No rows from 0 on: the collection has a filter named `start`, like that of ASN ranges.
  if (first.count === null && first.rows.length > 0) {
    yield first.rows
    if (first.hasNext) yield* byStart(client, endpoint, extent, first.rows, ahead)
  } else {
    yield* byOffset(client, endpoint, ahead)
  }
}

/** Ids of the rows that match a filter. */
export async function idsWhere(
  client: Client,
  endpoint: string,
  filter: Readonly<Record<string, string>>,
): Promise<readonly number[]> {
  const ids: number[] = []
  for (;;) {
    const page = await ask(client, endpoint, {
      ...filter,
      brief: 'true',
      limit: String(PAGE),
      offset: String(ids.length),
      ordering: 'id',
    })
    ids.push(...page.rows.map(({ id }) => id))
    if (!page.hasNext) return ids
  }
}

/** Ids after the first page are divided into spans of about one page each. */
async function* byStart(
  client: Client,
  endpoint: string,
  { count, lastId }: CollectionExtent,
  first: readonly Shown[],
  ahead: number,
): AsyncGenerator<readonly Shown[]> {
  const limit = first.length
  const from = (first.at(-1)?.id ?? 0) + 1
  const idsOfRow = Math.max(1, (lastId - from + 1) / Math.max(1, count - limit))
  // Rows are not spread evenly: slightly less than a page keeps most spans to one request.
  const span = idsOfRow === 1 ? limit : Math.max(limit, Math.floor(limit * idsOfRow * 0.9))
  const spans = Math.max(1, Math.ceil((lastId - from + 1) / span))
  const readSpan = async (index: number): Promise<readonly Shown[]> => {
    const rows: Shown[] = []
    let start = from + index * span
    // The last span includes rows that have been added since.
    const end = index === spans - 1 ? Number.POSITIVE_INFINITY : start + span
    while (start < end) {
      const page = await ask(client, endpoint, { start: String(start), limit: String(limit) })
      rows.push(...page.rows.filter(({ id }) => id < end))
      if (!page.hasNext) break
      start = (page.rows.at(-1)?.id ?? end) + 1
    }
    return rows
  }
  yield* inOrder(spans, ahead, readSpan)
}

async function* byOffset(client: Client, endpoint: string, ahead: number): AsyncGenerator<readonly Shown[]> {
  const seen = new Set<number>()
  let count = 0
  const readAt = async (offset: number, limit: number) => {
    const page = await ask(client, endpoint, {
      limit: String(limit),
      offset: String(offset),
      ordering: 'id',
    })
    count = page.count ?? 0
    return page
  }
  // Insertions and deletions in the meantime shift the later pages.
  const fresh = (rows: readonly Shown[]) => rows.filter(({ id }) => seen.size < seen.add(id).size)
  const first = await readAt(0, PAGE)
  yield fresh(first.rows)
  if (first.hasNext) {
    const limit = first.rows.length
    const pages = Math.ceil(count / limit) - 1
    const laterPages = inOrder(pages, ahead, (index) => readAt((index + 1) * limit, limit))
    for await (const { rows } of laterPages) yield fresh(rows)
  }
}

/** Results in the order of their indexes, with `ahead` of them in progress at a time. */
async function* inOrder<T>(count: number, ahead: number, work: (index: number) => Promise<T>): AsyncGenerator<T> {
  const underWay: Promise<T>[] = []
  for (let index = 0; index < count || underWay.length > 0; index += 1) {
    if (index < count) {
      const result = work(index)
      // It is awaited later, possibly after it has failed.
      result.catch(() => undefined)
      underWay.push(result)
    }
    if (underWay.length < ahead && index + 1 < count) continue
    const next = underWay.shift()
    if (next) yield await next
  }
}

async function ask(client: Client, endpoint: string, search: Readonly<Record<string, string>>): Promise<Page> {
  // Computed from data that is read anyway, and the most expensive part of a page.
  const parameters = new URLSearchParams({ ...search, exclude: 'config_context' })
  const document = await client.json(`/api/${endpoint}/?${parameters}`)
  if (isJsonObject(document) && Array.isArray(document.results)) {
    const { count = null, next, results } = document
    if (results.every(isShown) && (count === null || typeof count === 'number')) {
      return { count, hasNext: typeof next === 'string', rows: results }
    }
  }
  throw new SourceError(`/api/${endpoint}/ does not return a list of objects.`)
}

const isShown = (row: unknown): row is Shown => isJsonObject(row) && typeof row.id === 'number'
