import type { Node } from '../../models/dcim/cabling/cabled-object.ts'
import { splitNode } from '../../models/dcim/cabling/cabled-object.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'

type Steps = readonly (readonly Node[])[]

/** A segment of a path: near ends, link, far ends; empty lists where the path is not connected. */
export type Segment = readonly [near: readonly Node[], link: readonly Node[], far: readonly Node[]]

/** Maximum number of bridges to follow; more are a loop or an error. */
const MOST_BRIDGES = 50

/**
 * The path from an endpoint, continued across the bridge of an interface where it ends at a single one. NetBox 4.6.8
 * dcim/models/device_components.py, PathEndpoint.trace.
 */
export async function followPath(database: Queryable, origin: Node): Promise<readonly Segment[]> {
  const segments: Segment[] = []
  const crossed = new Set<Node>()
  let next: Node | undefined = origin
  while (next !== undefined && !crossed.has(next) && crossed.size <= MOST_BRIDGES) {
    crossed.add(next)
    const path = await pathFrom(database, next)
    if (!path) break
    segments.push(...segmentsOf(path.steps))
    next = path.isComplete ? await bridgeOf(database, path.steps.at(-1) ?? []) : undefined
  }
  return segments
}

/**
 * Groups the steps by three. A path that ends at a pass-through port has an open last segment; one that ends at a
 * circuit has a segment without a link.
 */
export function segmentsOf(steps: Steps): readonly Segment[] {
  const segments: Segment[] = []
  for (let at = 0; at < steps.length; at += 3) {
    const [near = [], second, third] = steps.slice(at, at + 3)
    // The far end of a circuit follows its termination directly. As in the reference, a cable without far ends is
    // placed there too.
    if (third === undefined) segments.push([near, [], second ?? []])
    else segments.push([near, second ?? [], third])
  }
  return segments
}

async function pathFrom(
  database: Queryable,
  origin: Node,
): Promise<{ readonly steps: Steps; readonly isComplete: boolean } | undefined> {
  const { type, id } = splitNode(origin)
  const [row] = await database.query<{ path: string; complete: boolean }>(sql`
    select p.path, p.is_complete as complete
    from ${table(type)} t join ${table('dcim.cablepath')} p on p.id = t._path_id
    where t.id = ${id}::bigint`)
  return row && { steps: JSON.parse(row.path) as Steps, isComplete: row.complete }
}

async function bridgeOf(database: Queryable, ends: readonly Node[]): Promise<Node | undefined> {
  const [end] = ends
  if (ends.length !== 1 || !end?.startsWith('dcim.interface:')) return undefined
  const [row] = await database.query<{ bridge: number | null }>(sql`
    select bridge_id as bridge from ${table('dcim.interface')} where id = ${splitNode(end).id}::bigint`)
  return row?.bridge ? `dcim.interface:${row.bridge}` : undefined
}
