import { ApiError } from '../../../base/errors.ts'
import { sql } from '../../../sql/fragment.ts'
import { numberedInsert } from '../../../sql/predicted-ids.ts'
import type { Queryable } from '../../../sql/queryable.ts'
import { deleteFrom, insertInto, table, updateTable } from '../../../sql/table.ts'
import { isPathEndpoint, PATH_ENDPOINTS } from './cable-end-types.ts'
import { lockCabling } from './cabled.ts'
import { type CabledObject, type Node, splitNode } from './cabled-object.ts'
import { mirrorCables } from './channel-cables.ts'
import { linkOf, type Path, tracePath, UnsupportedTopology } from './trace-path.ts'
import { loadAllWiring, type Wiring, walkWiring } from './wiring.ts'

interface StoredPath extends Record<string, unknown> {
  readonly id: number
  readonly origins: readonly Node[]
}

/**
 * Recomputes the paths through any of the nodes, and those that start at any of the objects or their channels, from the
 * current cabling. Throws ApiError for cabling that cannot be traced.
 */
export async function retracePaths(
  database: Queryable,
  through: readonly Node[],
  objects: readonly Node[] = [],
): Promise<void> {
  await lockCabling(database)
  const mirrors = await mirrorCables(database, objects)
  const nodes = [...through, ...mirrors]
  const crossed = await selectPaths(database, nodes)
  const ends = [...objects, ...mirrors].filter((node) => isPathEndpoint(splitNode(node).type))
  const candidates = new Set([...crossed.flatMap(({ origins }) => origins), ...ends])
  if (candidates.size === 0) return
  const { groups, paths, unsupported } = await walkWiring(database, (wiring) =>
    traceAll(wiring, groupOrigins(wiring, candidates)),
  )
  if (unsupported) throw new ApiError({ kind: 'malformed', detail: unsupported.message })
  const origins = new Set([...candidates, ...groups.flatMap((group) => group.map(({ node }) => node))])
  const stored = await selectPaths(database, [...nodes, ...origins], origins)
  await storePaths(database, origins, stored, paths)
}

/** Recomputes all paths. */
export async function rebuildPaths(database: Queryable): Promise<void> {
  await mirrorCables(database, 'all')
  const wiring = await loadAllWiring(database)
  const origins = new Set(
    [...wiring.objects.values()].flatMap((object) =>
      isPathEndpoint(object.type) && linkOf(object) ? object.node : [],
    ),
  )
  for (const name of PATH_ENDPOINTS) {
    await database.execute(sql`
      ${updateTable(name)} set _path_id = null where _path_id is not null`)
  }
  await database.execute(sql`${deleteFrom('dcim.cablepath')}`)
  // Cabling that the API would have refused has no path.
  const { paths } = traceAll(wiring, groupOrigins(wiring, origins))
  await storePaths(database, origins, [], paths)
}

/** Paths with any of the nodes; `origins` restricts them to those that start at one of these. */
async function selectPaths(
  database: Queryable,
  nodes: readonly Node[],
  origins?: ReadonlySet<Node>,
): Promise<readonly StoredPath[]> {
  if (nodes.length === 0) return []
  const stored = table('dcim.cablepath')
  // Node by node: for a search for any of many nodes, the index takes time quadratic in their number.
  const paths = await database.query<{ id: number; origins: string }>(sql`
    select id, (path -> 0)::text as origins from ${stored} where id = any(array(
      select through.id from unnest(${[...new Set(nodes)]}::text[]) node
      cross join lateral (select id from ${stored} where _nodes @> array[node]) through
    )) order by id`)
  return paths
    .map(({ id, origins: text }) => ({ id, origins: JSON.parse(text ?? '[]') as Node[] }))
    .filter((path) => !origins || path.origins.some((node) => origins.has(node)))
}

/** Origins grouped by shared path: those at the same connector of the same end of a cable. */
function groupOrigins(wiring: Wiring, candidates: ReadonlySet<Node>): readonly CabledObject[][] {
  const groups = new Map<string, CabledObject[]>()
  for (const node of candidates) {
    const object = wiring.objects.get(node)
    if (!object || !linkOf(object) || object.isChannelized) continue
    const termination =
      object.cable === null ? undefined : wiring.cables.get(object.cable)?.terminations.find((end) => end.node === node)
    if (!termination) groups.set(node, [object])
    else {
      const members = wiring.cables
        .get(termination.cable)
        ?.terminations.filter(({ end, connector }) => end === termination.end && connector === termination.connector)
      groups.set(
        `${termination.cable} ${termination.end} ${termination.connector}`,
        (members ?? [])
          .flatMap((end) => wiring.objects.get(end.node) ?? [])
          .filter(({ isChannelized }) => !isChannelized),
      )
    }
  }
  return [...groups.values()]
}

interface Traced {
  readonly groups: readonly CabledObject[][]
  readonly paths: readonly Path[]
  /** The reason why some of the groups have no path. */
  readonly unsupported: UnsupportedTopology | undefined
}

function traceAll(wiring: Wiring, groups: readonly CabledObject[][]): Traced {
  let unsupported: UnsupportedTopology | undefined
  const paths = groups.flatMap((group) => {
    try {
      return tracePath(wiring, group) ?? []
    } catch (error) {
      if (!(error instanceof UnsupportedTopology)) throw error
      unsupported = error
      return []
    }
  })
  return { groups, paths, unsupported }
}

/** Stores the paths. A path keeps its id as long as it keeps at least one origin. One statement per kind of change. */
async function storePaths(
  database: Queryable,
  origins: ReadonlySet<Node>,
  stored: readonly StoredPath[],
  traced: readonly Path[],
): Promise<void> {
  const free = new Set(stored)
  const byOrigin = new Map(
    // In reverse, so that the earliest of several paths is kept.
    stored.toReversed().flatMap((path) => path.origins.map((node) => [node, path] as const)),
  )
  const pairs = traced.map((path) => {
    const candidates = (path.steps[0] ?? []).flatMap((node) => byOrigin.get(node) ?? [])
    const match = candidates.find((candidate) => free.has(candidate))
    if (match) free.delete(match)
    return { path, id: match?.id }
  })
  const fresh = pairs.filter(({ id }) => id === undefined)
  const kept = pairs.flatMap(({ path, id }) => (id === undefined ? [] : [{ path, id }]))
  if (kept.length > 0) {
    await database.execute(sql`
      ${updateTable('dcim.cablepath')} t set path = q.path, is_active = q.is_active,
        is_complete = q.is_complete, is_split = q.is_split, _nodes = ${NODES}
      from (select * from ${rowsOf(kept.map(({ path }) => path))}) q
      join unnest(${kept.map(({ id }) => id)}::bigint[]) with ordinality as i(id, position)
        on i.position = q.position
      where t.id = i.id`)
  }
  const made =
    fresh.length === 0
      ? []
      : await insertPaths(
          database,
          fresh.map(({ path }) => path),
        )
  const ids = new Map<Node, number>()
  for (const { path, id } of kept) for (const node of path.steps[0] ?? []) ids.set(node, id)
  fresh.forEach(({ path }, index) => {
    for (const node of path.steps[0] ?? []) ids.set(node, made[index] ?? 0)
  })
  await tellOrigins(database, origins, ids)
  if (free.size > 0) {
    const gone = [...free].map(({ id }) => id)
    await database.execute(sql`${deleteFrom('dcim.cablepath')} where id = any(${gone}::bigint[])`)
  }
}

const NODES = sql`array(
  select n from jsonb_array_elements(q.path) s, jsonb_array_elements_text(s) n)`

const rowsOf = (paths: readonly Path[]) => sql`
  unnest(${paths.map(({ steps }) => JSON.stringify(steps))}::jsonb[],
    ${paths.map(({ isActive }) => isActive)}::boolean[],
    ${paths.map(({ isComplete }) => isComplete)}::boolean[],
    ${paths.map(({ isSplit }) => isSplit)}::boolean[])
    with ordinality as q(path, is_active, is_complete, is_split, position)`

async function insertPaths(database: Queryable, paths: readonly Path[]): Promise<number[]> {
  const id = numberedInsert(database, 'dcim.cablepath', paths.length, sql`q.position`)
  const rows = await database.query<{ id: number }>(sql`
    ${insertInto('dcim.cablepath')} (${id.column}path, is_active, is_complete, is_split, _nodes)
    select ${id.value}q.path, q.is_active, q.is_complete, q.is_split, ${NODES}
    from ${rowsOf(paths)} order by q.position returning id`)
  // Ids are taken from the sequence in the order of the rows.
  return rows.map(({ id }) => id).sort((left, right) => left - right)
}

/** Stores in each endpoint the path that starts there. */
async function tellOrigins(
  database: Queryable,
  origins: ReadonlySet<Node>,
  ids: ReadonlyMap<Node, number>,
): Promise<void> {
  const pairs = [...origins].map((node) => ({ ...splitNode(node), path: ids.get(node) ?? null }))
  for (const [type, list] of Map.groupBy(pairs, (pair) => pair.type)) {
    await database.execute(sql`
      ${updateTable(type)} t set _path_id = q.path
      from unnest(${list.map(({ id }) => id)}::bigint[], ${list.map(({ path }) => path)}::bigint[])
        as q(id, path)
      where t.id = q.id and t._path_id is distinct from q.path`)
  }
}
