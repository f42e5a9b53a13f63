import type { Fields } from '../../schema/field.ts'
import type { Definition } from '../../schema/model.ts'
import type { EffectFunction, RowOf } from '../../schema/rule.ts'
import { identifier, join, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table, updateTable } from '../../sql/table.ts'
import { circuitTermination } from '../circuits/circuit-termination.ts'
import type { cable } from './cable.ts'
import { cableTermination } from './cable-termination.ts'
import { refreshCableEndPlaces } from './cabling/cable-end-places.ts'
import type { NamedEnd } from './cabling/cable-ends.ts'
import { type CableEnd, wiresOf } from './cabling/cable-wires.ts'
import { nodeOf } from './cabling/cabled-object.ts'
import { retracePaths } from './cabling/retrace.ts'
import { consolePort, consoleServerPort, frontPort, powerOutlet, powerPort, rearPort } from './components.ts'
import { deviceInterface } from './interface.ts'
import { powerFeed } from './power-feed.ts'

export type CableSide = CableEnd

/** Objects that a body names on one side of a cable; undefined if it does not name the side. */
export function endsOf(row: object, side: CableSide): readonly NamedEnd[] | undefined {
  const list = (row as Record<string, unknown>)[side === 'A' ? 'a_terminations' : 'b_terminations']
  // In stored rows these are the ids of terminations.
  const isNamed = Array.isArray(list) && list.every((entry) => typeof entry !== 'number')
  return isNamed ? (list as readonly NamedEnd[]) : undefined
}

type CableEffect = EffectFunction<typeof cable.fields>
type CableRow = RowOf<typeof cable.fields>

/** Models that a cable can end at, by name. */
const CABLED: ReadonlyMap<string, Definition> = new Map(
  [
    circuitTermination,
    consolePort,
    consoleServerPort,
    frontPort,
    deviceInterface,
    powerFeed,
    powerOutlet,
    powerPort,
    rearPort,
  ].map((model) => [model.name, model as Definition]),
)

interface Stored extends NamedEnd, Record<string, unknown> {
  readonly row: number
  readonly cable: number
  readonly end: CableSide
}
interface RequestedEnd extends NamedEnd {
  readonly cable: number
  readonly end: CableSide
  readonly connector: number | null
  readonly positions: readonly number[] | null
}

/**
 * Makes the terminations match the body: unchanged ones keep their rows, unless the cable's profile has changed.
 * Connected and disconnected objects are updated, with change records.
 */
export const connect: CableEffect = async ({ action, rows, database, write, describe }) => {
  if (action === 'delete') return
  const changed = rows.flatMap(({ previous, next }) => {
    const isNamed = next && (endsOf(next, 'A') ?? endsOf(next, 'B')) !== undefined
    const isForced = previous !== undefined && previous.profile !== next?.profile
    return next && (isNamed || isForced) ? [{ next, isForced }] : []
  })
  if (changed.length === 0) return
  const stored = await storedEnds(
    database,
    changed.map(({ next }) => next.id),
  )
  const requested = changed.flatMap(({ next }) => requestedEnds(next, stored))
  const forced = new Set(changed.flatMap(({ next, isForced }) => (isForced ? next.id : [])))
  const keyOf = ({ cable: id, end, type, id: object }: Stored | RequestedEnd) => `${id} ${end} ${nodeOf(type, object)}`
  const kept = new Set(stored.flatMap((end) => (forced.has(end.cable) ? [] : keyOf(end))))
  const named = new Set(requested.map(keyOf))
  const gone = stored.filter((end) => forced.has(end.cable) || !named.has(keyOf(end)))
  const fresh = requested.filter((end) => !kept.has(keyOf(end)))
  if (gone.length + fresh.length === 0) return
  await saveObjects(write, gone, () => NOT_CABLED)
  if (gone.length > 0) {
    await write.remove(
      cableTermination,
      gone.map(({ row }) => row),
    )
  }
  if (fresh.length > 0) {
    const made = await write.create(
      cableTermination,
      fresh.map((end) => ({
        cable: end.cable,
        cable_end: end.end,
        termination_type: end.type,
        termination_id: end.id,
        connector: end.connector,
        positions: end.positions,
      })),
    )
    await refreshCableEndPlaces(database, sql`t.id = any(${made}::bigint[])`)
  }
  // As in NetBox, the event of a cable shows new ends as not connected.
  await describe()
  await saveObjects(write, fresh, (end) => ({
    cable: end.cable,
    cable_end: end.end,
    cable_connector: end.connector,
    cable_positions: end.positions,
  }))
  const nodes = [...stored, ...fresh].map(({ type, id }) => nodeOf(type, id))
  await retracePaths(database, [...changed.map(({ next }) => nodeOf('dcim.cable', next.id)), ...nodes], nodes)
}

/** Updates the active state of paths through a cable, which depends on the cable's status. */
export const followStatus: CableEffect = async ({ action, rows, database }) => {
  const changed = rows.flatMap(({ previous, next }) =>
    previous && next && previous.status !== next.status ? nodeOf('dcim.cable', next.id) : [],
  )
  if (action === 'update' && changed.length > 0) await retracePaths(database, changed)
}

const NOT_CABLED = { cable: null, cable_end: null, cable_connector: null, cable_positions: null }

const storedEnds = (database: Queryable, cables: readonly number[]): Promise<Stored[]> =>
  database.query<Stored>(sql`
    select id as row, cable_id as cable, cable_end as end, termination_type as type,
      termination_id as id
    from ${table('dcim.cabletermination')} where cable_id = any(${cables}::bigint[])
    order by cable_id, cable_end, connector, id`)

/** Ends of a cable after the write: those of the body, otherwise the stored ones. */
function requestedEnds(row: CableRow, stored: readonly Stored[]): RequestedEnd[] {
  const wires = wiresOf(row.profile)
  return (['A', 'B'] as const).flatMap((end) => {
    const ends: readonly NamedEnd[] =
      endsOf(row, end) ?? stored.filter((termination) => termination.cable === row.id && termination.end === end)
    return ends.map(({ type, id }, index) => {
      const positions = wires?.connectors[end][index]
      return {
        cable: row.id,
        end,
        type,
        id,
        connector: wires ? index + 1 : null,
        positions: positions ? Array.from({ length: positions }, (_, at) => at + 1) : null,
      }
    })
  })
}

/** Saves the cable columns of the objects: one batch for each type. */
async function saveObjects<End extends NamedEnd>(
  write: Parameters<CableEffect>[0]['write'],
  ends: readonly End[],
  values: (end: End) => Readonly<Record<string, unknown>>,
): Promise<void> {
  for (const [type, list] of Map.groupBy(ends, (end) => end.type)) {
    const model = CABLED.get(type)
    if (!model) continue
    const changes = list.map((end) => ({ id: end.id, ...values(end) }))
    // All cabled models have these columns.
    await write.update(model, changes as (Partial<RowOf<Fields>> & { readonly id: number })[])
  }
}

/** Stores the columns of restored cables in the objects at their ends. */
export const reconnect: EffectFunction<typeof cableTermination.fields> = async ({ action, rows, database }) => {
  if (action !== 'restore') return
  const ends = rows.flatMap(({ next }) => next ?? [])
  for (const [type, list] of Map.groupBy(ends, ({ termination_type }) => termination_type)) {
    await database.execute(sql`
      ${updateTable(type)} t set cable_id = e.cable_id, cable_end = e.cable_end,
        cable_connector = e.connector, cable_positions = e.positions
      from ${table('dcim.cabletermination')} e
      where e.id = any(${list.map(({ id }) => id)}::bigint[]) and t.id = e.termination_id`)
  }
  await refreshCableEndPlaces(database, sql`t.id = any(${ends.map(({ id }) => id)}::bigint[])`)
  const objects = ends.map((end) => nodeOf(end.termination_type, end.termination_id))
  await retracePaths(database, [...ends.map(({ cable: id }) => nodeOf('dcim.cable', id)), ...objects], objects)
}

/** Disconnects the ends of cables whose rows were deleted together with their object or their cable. */
export const disconnect: EffectFunction<typeof cableTermination.fields> = async ({ action, rows, database }) => {
  if (action !== 'delete') return
  const gone = rows.flatMap(({ previous }) => previous ?? [])
  const types = [...Map.groupBy(gone, ({ termination_type }) => termination_type)]
  const updates = types.map(([type, list], index) => {
    const ids = list.map(({ termination_id }) => termination_id)
    const cables = list.map(({ cable: id }) => id)
    return sql`${identifier(`u${index}`)} as (
      ${updateTable(type)} t
      set cable_id = null, cable_end = null, cable_connector = null, cable_positions = null
      from unnest(${ids}::bigint[], ${cables}::bigint[]) as q(id, cable)
      where t.id = q.id and coalesce(t.cable_id, q.cable) = q.cable)`
  })
  if (updates.length > 0) await database.execute(sql`with ${join(updates)} select 1`)
  const objects = gone.map((end) => nodeOf(end.termination_type, end.termination_id))
  await retracePaths(database, [...gone.map(({ cable: id }) => nodeOf('dcim.cable', id)), ...objects], objects)
}
