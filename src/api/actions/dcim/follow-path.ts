import { type Node, splitNode } from '../../../models/dcim/cabling/cabled-object.ts'
import { sql } from '../../../sql/fragment.ts'
import type { Queryable } from '../../../sql/queryable.ts'
import { table } from '../../../sql/table.ts'

type Steps = readonly (readonly Node[])[]

/** A segment of a path: near ends, link, far ends; empty lists if the path is not connected. */
export type Segment = readonly [near: readonly Node[], link: readonly Node[], far: readonly Node[]]

/** A path from an endpoint, and how it ends. */
export interface FollowedPath {
  readonly segments: readonly Segment[]
  /** It ends at an endpoint. */
  readonly isComplete: boolean
  /** It continues from several ports at once, so the rest of it is unknown. */
  readonly isSplit: boolean
  /** All of its cables are connected. */
  readonly isActive: boolean
}

/** Maximum number of bridges to follow; more are a loop or an error. */
const MOST_BRIDGES = 50

/**
 * The path from an endpoint, continued across the bridge of an interface if it ends at a single interface. NetBox 4.6.8
 * dcim/models/device_components.py, PathEndpoint.trace.
 */
export async function followPath(database: Queryable, origin: Node): Promise<FollowedPath> {
  const segments: Segment[] = []
  const crossed = new Set<Node>()
  let next: Node | undefined = origin
  let last: Omit<StoredPath, 'steps'> = { isComplete: false, isSplit: false, isActive: false }
  while (next !== undefined && !crossed.has(next) && crossed.size <= MOST_BRIDGES) {
    crossed.add(next)
    const path = await pathFrom(database, next)
    if (!path) break
    last = path
    segments.push(...segmentsOf(path.steps))
    next = path.isComplete ? await bridgeOf(database, path.steps.at(-1) ?? []) : undefined
  }
  const { isComplete, isSplit, isActive } = last
  return { segments, isComplete, isSplit, isActive }
}

/**
 * Groups the steps by three. A path that ends at a pass-through port has an open last segment; one that ends at a
 * circuit has a segment without a link.
 */
export function segmentsOf(steps: Steps): readonly Segment[] {
  const segments: Segment[] = []
  for (let at = 0; at < steps.length; at += 3) {
    const [near = [], second, third] = steps.slice(at, at + 3)
    // The far end of a circuit follows its termination directly. As in NetBox, a cable without far ends is
    // listed there too.
    if (third === undefined) segments.push([near, [], second ?? []])
    else segments.push([near, second ?? [], third])
  }
  return segments
}

interface StoredPath extends Omit<FollowedPath, 'segments'> {
  readonly steps: Steps
}

async function pathFrom(database: Queryable, origin: Node): Promise<StoredPath | undefined> {
  const { type, id } = splitNode(origin)
  const [row] = await database.query<{
    path: string
    isComplete: boolean
    isSplit: boolean
    isActive: boolean
  }>(sql`
    select p.path, p.is_complete as "isComplete", p.is_split as "isSplit", p.is_active as "isActive"
    from ${table(type)} t join ${table('dcim.cablepath')} p on p.id = t._path_id
    where t.id = ${id}::bigint`)
  if (!row) return undefined
  const { path, ...end } = row
  return { ...end, steps: JSON.parse(path) as Steps }
}

async function bridgeOf(database: Queryable, ends: readonly Node[]): Promise<Node | undefined> {
  const [end] = ends
  if (ends.length !== 1 || !end?.startsWith('dcim.interface:')) return undefined
  const [row] = await database.query<{ bridge: number | null }>(sql`
    select bridge_id as bridge from ${table('dcim.interface')} where id = ${splitNode(end).id}::bigint`)
  return row?.bridge ? `dcim.interface:${row.bridge}` : undefined
}
