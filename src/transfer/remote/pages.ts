import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import { type Client, FEW_TRIES } from './client.ts'
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
  /** Those that the service could show. */
  readonly rows: readonly Shown[]
  /** Ids of all rows, in their order. */
  readonly ids: readonly number[]
}

/** Services reduce it to their own maximum. */
const PAGE = 500

/** Size of the collection. Throws SourceError if the endpoint is not a collection of objects with ids. */
export async function extentOf(client: Client, endpoint: string): Promise<CollectionExtent> {
  // Not in brief form, which has no id for some models.
  const { count, ids } = await readPage(client, endpoint, { limit: '1', ordering: '-id' })
  return { count: count ?? 0, lastId: ids[0] ?? 0 }
}

/**
 * All rows of a collection in the order of their ids, page by page; up to `ahead` pages are requested in advance. By
 * `start` if the service supports that parameter, otherwise by `offset`. `unreadable` takes the ids of rows that the
 * service fails to show.
 */
export async function* pagesOf(
  client: Client,
  endpoint: string,
  extent: CollectionExtent,
  ahead: number,
  unreadable: (ids: readonly number[]) => void = () => undefined,
): AsyncGenerator<readonly Shown[]> {
  if (extent.count === 0) return
  const read: ReadPage = async (search) => {
    const page = await readPage(client, endpoint, search)
    const readable = new Set(page.rows.map(({ id }) => id))
    unreadable(page.ids.filter((id) => !readable.has(id)))
    return page
  }
  const first = await read({ start: '0', limit: String(PAGE) })
  // No rows from 0 on: the collection has a filter named `start`, like that of ASN ranges.
  if (first.count === null && first.ids.length > 0) {
    yield first.rows
    if (first.hasNext) yield* byStart(read, extent, first.ids, ahead)
  } else {
    yield* byOffset(read, ahead)
  }
}

type ReadPage = (search: Readonly<Record<string, string>>) => Promise<Page>

/** Ids of the rows that match a filter. */
export async function idsWhere(
  client: Client,
  endpoint: string,
  filter: Readonly<Record<string, string>>,
): Promise<readonly number[]> {
  const ids: number[] = []
  for (;;) {
    const page = await readPage(client, endpoint, {
      ...filter,
      brief: 'true',
      limit: String(PAGE),
      offset: String(ids.length),
      ordering: 'id',
    })
    ids.push(...page.ids)
    if (!page.hasNext) return ids
  }
}

/** Ids after the first page are divided into spans of about one page each. */
async function* byStart(
  read: ReadPage,
  { count, lastId }: CollectionExtent,
  first: readonly number[],
  ahead: number,
): AsyncGenerator<readonly Shown[]> {
  const limit = first.length
  const from = (first.at(-1) ?? 0) + 1
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
      const page = await read({ start: String(start), limit: String(limit) })
      rows.push(...page.rows.filter(({ id }) => id < end))
      if (!page.hasNext) break
      start = (page.ids.at(-1) ?? end) + 1
    }
    return rows
  }
  yield* inOrder(spans, ahead, readSpan)
}

async function* byOffset(read: ReadPage, ahead: number): AsyncGenerator<readonly Shown[]> {
  const seen = new Set<number>()
  let count = 0
  const readAt = async (offset: number, limit: number) => {
    const page = await read({ limit: String(limit), offset: String(offset), ordering: 'id' })
    count = page.count ?? 0
    return page
  }
  // Insertions and deletions in the meantime shift the later pages.
  const fresh = (rows: readonly Shown[]) => rows.filter(({ id }) => seen.size < seen.add(id).size)
  const first = await readAt(0, PAGE)
  yield fresh(first.rows)
  if (first.hasNext) {
    const limit = first.ids.length
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

/**
 * A page. If the service fails because of single rows, such as those of a plugin with a defect, the page lacks these rows
 * only. Throws SourceError.
 */
export async function readPage(
  client: Client,
  endpoint: string,
  search: Readonly<Record<string, string>>,
): Promise<Page> {
  try {
    return await ask(client, endpoint, new URLSearchParams(search))
  } catch (error) {
    if (!isDefect(error)) throw error
    const page = await ask(client, endpoint, new URLSearchParams({ ...search, fields: 'id' }), FEW_TRIES)
    return { ...page, rows: await readableRows(client, endpoint, page.ids) }
  }
}

/** Whether a program error of the service caused this, which another attempt would meet again. */
export const isDefect = (error: unknown): boolean => error instanceof SourceError && error.status === 500

/** The rows with these ids, in their order, without those that the service fails to show. */
async function readableRows(client: Client, endpoint: string, ids: readonly number[]): Promise<readonly Shown[]> {
  if (ids.length === 0) return []
  const search = new URLSearchParams([...ids.map((id) => ['id', String(id)]), ['limit', String(ids.length)]])
  try {
    const { rows } = await ask(client, endpoint, search, FEW_TRIES)
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  } catch (error) {
    if (!isDefect(error)) throw error
    if (ids.length === 1) return []
    const middle = Math.ceil(ids.length / 2)
    const halves = [ids.slice(0, middle), ids.slice(middle)]
    return (await Promise.all(halves.map((half) => readableRows(client, endpoint, half)))).flat()
  }
}

async function ask(client: Client, endpoint: string, search: URLSearchParams, tries?: number): Promise<Page> {
  // Computed from data that is read anyway, and the most expensive part of a page.
  const parameters = new URLSearchParams([...search, ['exclude', 'config_context']])
  const document = await client.json(`/api/${endpoint}/?${parameters}`, tries === undefined ? {} : { tries })
  if (isJsonObject(document) && Array.isArray(document.results)) {
    const { count = null, next, results } = document
    if (results.every(isShown) && (count === null || typeof count === 'number')) {
      return { count, hasNext: typeof next === 'string', rows: results, ids: results.map(({ id }) => id) }
    }
  }
  throw new SourceError(`/api/${endpoint}/ does not return a list of objects.`)
}

const isShown = (row: unknown): row is Shown => isJsonObject(row) && typeof row.id === 'number'
