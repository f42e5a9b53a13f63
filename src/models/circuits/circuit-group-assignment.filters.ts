import { type CustomFilter, custom } from '../../schema/filter.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'

type Values = readonly (string | number | boolean | null)[]

const named = (by: 'id' | 'cid' | 'slug', values: Values): Sql =>
  by === 'id'
    ? sql`x.id = any(${values}::bigint[])`
    : by === 'cid'
      ? sql`x.cid = any(${values}::text[])`
      : sql`x.slug = any(${values}::text[])`

const member = (
  by: 'id' | 'cid' | 'slug',
  members: readonly (readonly [model: string, ids: (condition: Sql) => Sql])[],
): CustomFilter =>
  custom({
    value: by === 'id' ? 'integer' : 'text',
    multiple: true,
    where: ({ column }, values) =>
      members
        .map(
          ([model, ids]) =>
            sql`(${column('member_type')} = ${model} and ${column('member_id')} in (${ids(named(by, values))}))`,
        )
        .reduce((all, one) => sql`(${all} or ${one})`),
  })

const CIRCUITS = [
  'circuits.circuit',
  (condition: Sql) => sql`select x.id from ${table('circuits.circuit')} x where ${condition}`,
] as const
const VIRTUAL_CIRCUITS = [
  'circuits.virtualcircuit',
  (condition: Sql) =>
    sql`select x.id from ${table('circuits.virtualcircuit')} x where ${condition}`,
] as const
/** A provider's circuits, and the virtual circuits in its networks. */
const OF_PROVIDER = [
  [
    'circuits.circuit',
    (condition: Sql) => sql`
      select c.id from ${table('circuits.circuit')} c
      join ${table('circuits.provider')} x on x.id = c.provider_id
      where ${condition}`,
  ],
  [
    'circuits.virtualcircuit',
    (condition: Sql) => sql`
      select v.id
      from ${table('circuits.virtualcircuit')} v
      join ${table('circuits.providernetwork')} n on n.id = v.provider_network_id
      join ${table('circuits.provider')} x on x.id = n.provider_id
      where ${condition}`,
  ],
] as const

export const memberFilters = {
  circuit: member('cid', [CIRCUITS]),
  circuit_id: member('id', [CIRCUITS]),
  virtual_circuit: member('cid', [VIRTUAL_CIRCUITS]),
  virtual_circuit_id: member('id', [VIRTUAL_CIRCUITS]),
  provider: member('slug', OF_PROVIDER),
  provider_id: member('id', OF_PROVIDER),
}
