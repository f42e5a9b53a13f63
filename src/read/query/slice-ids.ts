import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { cachedNumbers } from './cached-column.ts'
import type { Order } from './order.ts'
import { anyRows, type Selection, sliceStatement } from './slice.ts'
import type { Window } from './window.ts'

/** Number of rows after which ids are found in blocks, and the size of a block. */
const BLOCK = 10_000
/** Maximum number of rows that are sorted at once. */
const FEW = 1_000

type SliceRequest = Selection & { readonly order: Order; readonly window: Window }

/**
 * Ids of the slice's rows, in its order. Finding a slice takes time proportional to the rows before it. Deep within a
 * list, the ids of many slices are therefore found and cached at once: a client that reads page by page needs a query
 * for every block, not for every page.
 */
export async function sliceIds(service: Service, model: Model, slice: SliceRequest): Promise<readonly number[]> {
  const { limit, offset, start } = slice.window
  if (start === undefined && areFewUnexpected(service, slice)) {
    const few = await fewIds(service, model, slice)
    if (few) return few.slice(offset, limit === undefined ? undefined : offset + limit)
  }
  const idsAt = (window: Window) => cachedNumbers(service, sliceStatement(model, { ...slice, window }))
  const isDeep = start === undefined && limit !== undefined && limit <= BLOCK && offset >= BLOCK
  if (!isDeep) return await idsAt(slice.window)
  const first = offset - (offset % BLOCK)
  const block = await idsAt({ limit: BLOCK, offset: first })
  const ids = block.slice(offset - first, offset - first + limit)
  const isCut = ids.length < limit && block.length === BLOCK
  if (!isCut) return ids
  const next = await idsAt({ limit: BLOCK, offset: first + BLOCK })
  return [...ids, ...next.slice(0, limit - ids.length)]
}

/**
 * Whether PostgreSQL may expect many rows although there are few. With a limit it would then go through all rows in
 * their order to find the first ones early. PostgreSQL has no statistics on joins of past versions, nor on
 * case-insensitive comparisons.
 */
const areFewUnexpected = ({ isPast }: Service, { where, order }: SliceRequest): boolean =>
  where !== undefined && (isPast ? order.joins.text !== '' : where.text.includes('upper('))

/** All ids of the selection, in order; undefined if there are many. */
async function fewIds(service: Service, model: Model, slice: SliceRequest): Promise<readonly number[] | undefined> {
  const ids = await cachedNumbers(service, anyRows(model, slice, FEW + 1))
  if (ids.length > FEW) return undefined
  const window = { limit: undefined, offset: 0 }
  return await cachedNumbers(service, sliceStatement(model, { ...slice, window }))
}
