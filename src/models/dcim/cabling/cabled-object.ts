import { join, type Sql, sql } from '../../../sql/fragment.ts'
import type { Queryable } from '../../../sql/queryable.ts'
import { table } from '../../../sql/table.ts'
import { isPathEndpoint } from './cable-end-types.ts'
import type { CableEnd } from './cable-wires.ts'

/** `app.model:id`, as the steps of paths name objects. */
export type Node = string
export const nodeOf = (type: string, id: number): Node => `${type}:${id}`
export function splitNode(node: Node): { readonly type: string; readonly id: number } {
  const at = node.lastIndexOf(':')
  return { type: node.slice(0, at), id: Number(node.slice(at + 1)) }
}

/** The properties of a cabled object that cables and paths depend on. */
export interface CabledObject {
  readonly node: Node
  readonly type: string
  readonly id: number
  /** The device, power panel or circuit that it is part of. */
  readonly holder: Node
  readonly markConnected: boolean
  readonly cable: number | null
  readonly cableEnd: CableEnd | null
  readonly connector: number | null
  readonly positions: readonly number[]
  /** Type of an interface; null for other objects. */
  readonly kind: string | null
  /** Whether an interface has channels. Paths then start and end at the channels. */
  readonly isChannelized: boolean
  /** The parent interface of a channel. */
  readonly channelOf: Node | null
  readonly wirelessLink: number | null
  /** Number of positions of a front or rear port; 1 for other objects. */
  readonly width: number
  /** Side of a circuit termination, and the object at which it terminates. */
  readonly side: CableEnd | 'Z' | null
  readonly landing: Node | null
}

/** SQL of the columns that not every table has. */
interface Source {
  readonly holder: Sql
  readonly columns?: Readonly<Record<string, Sql>>
}

const inDevice = sql`'dcim.device:' || device_id`
const SOURCES: Readonly<Record<string, Source>> = {
  'circuits.circuittermination': {
    holder: sql`'circuits.circuit:' || circuit_id`,
    columns: { side: sql`term_side`, landing: sql`termination_type || ':' || termination_id` },
  },
  'dcim.consoleport': { holder: inDevice },
  'dcim.consoleserverport': { holder: inDevice },
  'dcim.frontport': {
    holder: inDevice,
    columns: { width: sql`positions::int` },
  },
  'dcim.interface': {
    holder: inDevice,
    columns: {
      kind: sql`type`,
      wireless: sql`wireless_link_id`,
      channelized: sql`channels is not null`,
      channelOf: sql`case when channel_id is not null then 'dcim.interface:' || parent_id end`,
    },
  },
  'dcim.powerfeed': {
    holder: sql`'dcim.powerpanel:' || power_panel_id`,
  },
  'dcim.poweroutlet': { holder: inDevice },
  'dcim.powerport': { holder: inDevice },
  'dcim.rearport': {
    holder: inDevice,
    columns: { width: sql`positions::int` },
  },
}

type Values = readonly [
  type: string,
  id: number,
  holder: string,
  markConnected: boolean,
  cable: number | null,
  cableEnd: CableEnd | null,
  connector: number | null,
  positions: number[] | null,
  kind: string | null,
  wirelessLink: number | null,
  width: number,
  side: CableEnd | 'Z' | null,
  landing: string | null,
  isChannelized: boolean,
  channelOf: string | null,
]

/**
 * The requested objects that exist, or all that may be part of paths: one query. Objects that only start and end paths,
 * such as interfaces, are loaded only if they have a link: there may be millions without one.
 */
export async function loadCabledObjects(
  database: Queryable,
  nodes: Iterable<Node> | 'all',
): Promise<readonly CabledObject[]> {
  const ids = nodes === 'all' ? undefined : Map.groupBy([...nodes].map(splitNode), ({ type }) => type)
  const parts = Object.entries(SOURCES).flatMap(([type, { holder, columns = {} }]) => {
    const list = ids?.get(type)
    if (ids && !list) return []
    const among = list
      ? sql`where id = any(${list.map(({ id }) => id)}::bigint[])`
      : isPathEndpoint(type)
        ? sql`where cable_id is not null${columns.wireless ? sql` or ${columns.wireless} is not null` : sql``}`
        : sql``
    return sql`select ${type}::text, id, ${holder}, mark_connected, cable_id, cable_end,
      cable_connector::int, cable_positions, ${columns.kind ?? sql`null::text`},
      ${columns.wireless ?? sql`null::bigint`}, ${columns.width ?? sql`1`}, ${columns.side ?? sql`null::text`},
      ${columns.landing ?? sql`null::text`}, ${columns.channelized ?? sql`false`}, ${columns.channelOf ?? sql`null::text`} from ${table(type)} ${among}`
  })
  if (parts.length === 0) return []
  const rows = (await database.queryArrays(join(parts, ' union all '))) as unknown as Values[]
  return rows.map(
    ([
      type,
      id,
      holder,
      markConnected,
      cable,
      cableEnd,
      connector,
      positions,
      kind,
      wirelessLink,
      width,
      side,
      landing,
      isChannelized,
      channelOf,
    ]) => ({
      node: nodeOf(type, id),
      type,
      id,
      holder,
      markConnected,
      cable,
      cableEnd,
      connector,
      positions: positions ?? [],
      kind,
      wirelessLink,
      width,
      side,
      landing,
      isChannelized,
      channelOf,
    }),
  )
}
