import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { cachedBytes, cachedNumbers } from './cached-column.ts'
import type { Order } from './order.ts'
import { applyRowSecurity } from './row-security.ts'
import { anyRows, type Selection, selectSlice, sliceStatement } from './slice.ts'
import type { Window } from './window.ts'

/** Number of rows after which ids are found in blocks. */
const DEEP = 10_000
/** Size of a block: small enough for the smallest cache, large enough for random pages of a million rows. */
const BLOCK = 100_000
/** Bytes of an id in a block. */
const ID_BYTES = 8
/** Maximum number of rows that are sorted at once. */
const FEW = 1_000

type SliceRequest = Selection & { readonly order: Order; readonly window: Window }

/**
 * Ids of the slice's rows, in its order. Finding a slice takes time proportional to the rows before it. Deep within a
 * list, the ids of many slices are therefore found and cached at once: a client that reads page by page, or random pages,
 * needs a query for every block, not for every page. `size`: that of a block.
 */
export async function sliceIds(
  service: Service,
  model: Model,
  slice: SliceRequest,
  size: number = BLOCK,
): Promise<readonly number[]> {
  const { limit, offset, start } = slice.window
  if (start === undefined && areFewUnexpected(service, slice)) {
    const few = await fewIds(service, model, slice)
    if (few) return few.slice(offset, limit === undefined ? undefined : offset + limit)
  }
  const isDeep = start === undefined && limit !== undefined && limit <= size && offset >= DEEP
  if (!isDeep) return await cachedNumbers(service, sliceStatement(model, slice))
  const first = offset - (offset % size)
  const block = await cachedBlock(service, model, slice, { limit: size, offset: first })
  const ids = idsIn(block, offset - first, limit)
  const isCut = ids.length < limit && block.length === size * ID_BYTES
  if (!isCut) return ids
  const next = await cachedBlock(service, model, slice, { limit: size, offset: first + size })
  return [...ids, ...idsIn(next, 0, limit - ids.length)]
}

/** The ids of a block, packed: PostgreSQL joins them faster than it sends as many rows, and they take half the memory. */
async function cachedBlock(service: Service, model: Model, slice: SliceRequest, window: Window): Promise<Buffer> {
  const rows = selectSlice(model, { ...slice, window }, sql`t.id`)
  const statement = sql`select encode(string_agg(int8send(row.id), ''), 'hex') as ids from (${rows}) row`
  return await cachedBytes(service, applyRowSecurity(slice.security, statement))
}

/** Ids of a block from the position on, at most `count`. */
function idsIn(block: Buffer, position: number, count: number): number[] {
  const end = Math.min(block.length, (position + count) * ID_BYTES)
  const ids: number[] = []
  for (let at = position * ID_BYTES; at < end; at += ID_BYTES) ids.push(Number(block.readBigInt64BE(at)))
  return ids
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
