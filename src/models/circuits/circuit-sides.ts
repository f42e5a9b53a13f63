import type { EffectFunction, Normalizer, Rule } from '../../schema/rule.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table, updateTable } from '../../sql/table.ts'
import { scopePlaces } from '../dcim/scope.rules.ts'
import type { circuitTermination } from './circuit-termination.ts'

type Fields = typeof circuitTermination.fields

/** Refuses a termination without a place. */
export const landsSomewhere: Rule<Fields> = ({ next }) =>
  next.termination_type === null || next.termination_id === null
    ? { __all__: 'A circuit lands at a place or in a provider network.' }
    : undefined

/** Copies the termination's places and network into columns of their own, for filters. */
export const fillPlaces: Normalizer<Fields> = async ({ next, read }) => {
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
export const tellCircuit: EffectFunction<Fields> = async ({ action, rows, database }) => {
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
export async function fillSides(database: Queryable, circuits?: readonly number[]): Promise<void> {
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
