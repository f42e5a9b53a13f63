import { SYSTEM } from '../../schema/system-models.ts'
import { type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { Condition, Filter } from './filter.ts'
import type { FilterContext } from './filter-context.ts'
import type { ParameterFilter } from './parameters.ts'
import { parseUuid } from './parse-value.ts'
import { parameterValues, type RequestParameter } from './request-parameter.ts'

/** Objects that a request created or changed. */
export function parseRequestFilter(
  { actions }: Extract<ParameterFilter, { readonly kind: 'request' }>,
  parameter: RequestParameter,
): Filter | undefined {
  const [value] = parameterValues(parameter)
  return value === undefined ? undefined : { kind: 'request', actions, request: parseUuid(value) }
}

/** Predicate: a change record of the request names the object. */
export const compileRequest = (
  { actions, request }: Extract<Condition, { readonly kind: 'request' }>,
  { registry, model, alias }: FilterContext,
): Sql => {
  const changes = table(registry.model(SYSTEM.objectChange))
  return sql`${alias}.id in (select c.changed_object_id from ${changes} c where c.changed_object_type = ${model.name} and c.request_id = ${request}::uuid and c.action = any(${actions}::text[]))`
}
