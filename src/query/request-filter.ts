import { SYSTEM } from '../schema/system-models.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { type FilterCall, givenValues } from './filter-call.ts'
import type { ParameterFilter } from './parameters.ts'
import { parseUuid } from './parse-value.ts'

/** Objects that a request created or changed, as the change records tell. */
export function filterRequest(
  filter: Extract<ParameterFilter, { readonly kind: 'request' }>,
  call: FilterCall,
): Sql | undefined {
  const [given] = givenValues(call)
  if (given === undefined) return undefined
  const request = parseUuid(given)
  const changes = table(call.registry.model(SYSTEM.objectChange))
  return sql`${call.alias}.id in (select c.changed_object_id from ${changes} c where c.changed_object_type = ${call.model.name} and c.request_id = ${request}::uuid and c.action = any(${filter.actions}::text[]))`
}
