import { type CustomFilter, custom } from '../../schema/filter.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { serviceProtocol } from './choices.ts'

type Values = Parameters<CustomFilter['where']>[1]
type Condition = (mapping: Sql, values: Values) => Sql

const hasProtocol: Condition = (mapping, values) => sql`split_part(${mapping}, '/', 1) = any(${values}::text[])`

const hasPort =
  (operator: Sql): Condition =>
  (mapping, values) =>
    sql`split_part(${mapping}, '/', 2)::int ${operator} any(${values}::bigint[])`

/** The same mapping must satisfy the conditions of several such filters. */
const ofMapping = (value: 'text' | 'integer', condition: Condition): CustomFilter =>
  custom({ value, multiple: true, itemOf: 'port_mappings', where: ({ item }, values) => condition(item, values) })

const ofNoMapping = (value: 'text' | 'integer', condition: Condition): CustomFilter =>
  custom({
    value,
    multiple: true,
    where: ({ column }, values) => sql`
      not exists (select from unnest(${column('port_mappings')}) item(value) where ${condition(sql`item.value`, values)})`,
  })

const isMapping: Condition = (mapping, values) => sql`${mapping} = any(${values}::text[])`

export const portFilters = {
  port_mappings: custom({
    value: 'text',
    multiple: true,
    where: ({ column }, values) => sql`${column('port_mappings')} && ${values}::text[]`,
  }),
  port_mappings__n: ofNoMapping('text', isMapping),
  protocol: { ...ofMapping('text', hasProtocol), choices: serviceProtocol },
  protocol__n: ofNoMapping('text', hasProtocol),
  port: ofMapping('integer', hasPort(sql`=`)),
  port__n: ofNoMapping('integer', hasPort(sql`=`)),
  port__gt: ofMapping('integer', hasPort(sql`>`)),
  port__gte: ofMapping('integer', hasPort(sql`>=`)),
  port__lt: ofMapping('integer', hasPort(sql`<`)),
  port__lte: ofMapping('integer', hasPort(sql`<=`)),
}
