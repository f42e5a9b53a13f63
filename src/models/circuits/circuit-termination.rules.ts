import { behaviour, type EffectFunction, type Normalizer, type Rule } from '../../schema/rule.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table, updateTable } from '../../sql/table.ts'
import { nodeOf } from '../dcim/cabling/cabled-object.ts'
import { retracePaths } from '../dcim/cabling/retrace.ts'
import { cableOrMark } from '../dcim/component.ts'
import { scopePlaces } from '../dcim/scope.ts'
import { circuitTermination } from './circuit-termination.ts'

/** Recomputes the paths through a circuit after its sides have changed. */
const retraceCircuit: EffectFunction<typeof circuitTermination.fields> = async ({ rows, database }) => {
  const changed = rows.flatMap(({ next, previous }) => [next ?? [], previous ?? []].flat())
  const circuits = changed.map(({ circuit }) => circuit)
  const sides = await database.query<{ id: number }>(sql`
    select id from ${table('circuits.circuittermination')} where circuit_id = any(${circuits}::bigint[])`)
  const ids = new Set([...changed, ...sides].map(({ id }) => id))
  await retracePaths(
    database,
    [...ids].map((id) => nodeOf(circuitTermination.name, id)),
  )
}

type Fields = typeof circuitTermination.fields

/** Refuses a termination without a place. */
const landsSomewhere: Rule<Fields> = ({ next }) =>
  next.termination_type === null || next.termination_id === null
    ? { __all__: 'A circuit termination needs a place or a provider network.' }
    : undefined

/** Copies the termination's places and network into columns of their own, for filters. */
const fillPlaces: Normalizer<Fields> = async ({ next, read }) => {
  const { termination_type: type, termination_id: id } = next
  return {
    ...(await scopePlaces(read, type, id)),
    _provider_network: type === 'circuits.providernetwork' ? id : null,
  }
}

const SIDES = [
  { side: 'A', column: 'termination_a_id' },
  { side: 'Z', column: 'termination_z_id' },
] as const

/** Stores in a circuit the terminations of its two sides. */
const tellCircuit: EffectFunction<Fields> = async ({ action, rows, database }) => {
  if (action === 'delete') return
  const circuits = rows.flatMap(({ next, previous }) =>
    previous?.circuit === next?.circuit && previous?.term_side === next?.term_side
      ? []
      : [next, previous].flatMap((row) => row?.circuit ?? []),
  )
  if (circuits.length === 0) return
  await fillSides(database, [...new Set(circuits)])
}

/** Recomputes the two columns of the given circuits, or of all circuits. */
async function fillSides(database: Queryable, circuits?: readonly number[]): Promise<void> {
  const chosen = circuits ? sql`c.id = any(${circuits}::bigint[])` : sql`true`
  for (const { side, column } of SIDES) {
    const termination = sql`(
      select t.id from ${table('circuits.circuittermination')} t
      where t.circuit_id = c.id and t.term_side = ${side})`
    await database.execute(sql`
      ${updateTable('circuits.circuit')} c set ${identifier(column)} = ${termination}
      where ${chosen} and ${identifier('c', column)} is distinct from ${termination}`)
  }
}

/** Copies the provider network of terminations into a column of its own, for filters. */
const rebuildProviderNetworks = (database: Queryable): Promise<number> =>
  database.execute(sql`
    ${updateTable('circuits.circuittermination')} t
    set _provider_network_id =
      case when termination_type = 'circuits.providernetwork' then termination_id end
    where _provider_network_id is distinct from
      case when termination_type = 'circuits.providernetwork' then termination_id end`)

export const circuitTerminationBehaviour = behaviour(circuitTermination, {
  serializerRules: [landsSomewhere],
  modelRules: [cableOrMark],
  beforeSave: [fillPlaces],
  afterWrite: [tellCircuit, retraceCircuit],
  rebuild: async (database) => {
    await rebuildProviderNetworks(database)
    await fillSides(database)
  },
})
