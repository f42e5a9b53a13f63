import { type Sql, sql } from '../sql/fragment.ts'
import { filterCustomField } from './custom-field-filter.ts'
import { filterCustom } from './custom-filter.ts'
import { type FilterCall, givenValues } from './filter-call.ts'
import { filterListContains, filterNumber } from './number-filter.ts'
import { filterObjectType } from './object-type-filter.ts'
import type { ParameterFilter, ParameterKind } from './parameters.ts'
import { parseBoolean, parseUuid } from './parse-value.ts'
import { reaches } from './reach.ts'
import { filterPresence, filterRelated, filterTag } from './relation-filter.ts'
import { filterRequest } from './request-filter.ts'
import { filterSearch } from './search-filter.ts'
import { filterChoice, filterHardwareAddress, filterText } from './text-filter.ts'

type Answer = Sql | undefined | Promise<Sql | undefined>

/** What each kind of filter makes of a parameter; undefined: nothing is asked for. */
const APPLY: {
  readonly [K in ParameterKind]: (
    filter: Extract<ParameterFilter, { readonly kind: K }>,
    call: FilterCall,
  ) => Answer
} = {
  text: filterText,
  choice: filterChoice,
  hardwareAddress: filterHardwareAddress,
  integer: filterNumber,
  decimal: filterNumber,
  date: filterNumber,
  dateTime: filterNumber,
  listContains: filterListContains,
  related: filterRelated,
  presence: filterPresence,
  tag: filterTag,
  objectType: filterObjectType,
  custom: filterCustom,
  search: (_filter, call) => filterSearch(call),
  request: filterRequest,
  customField: filterCustomField,
  boolean: ({ path }, { model, alias, values }) => {
    const wanted = parseBoolean(values.at(-1) ?? '')
    if (wanted === undefined) return undefined
    return reaches(model, alias, path, (column) => sql`${column} = ${wanted}`)
  },
  uuid: ({ path }, call) => {
    const [given] = givenValues(call)
    if (given === undefined) return undefined
    const uuid = parseUuid(given)
    return reaches(call.model, call.alias, path, (column) => sql`${column} = ${uuid}::uuid`)
  },
}

/** Predicate of one parameter. Throws RefusedValue for a value that can't be used. */
export async function applyFilter(
  filter: ParameterFilter,
  call: FilterCall,
): Promise<Sql | undefined> {
  // The table is keyed by the kind of the very filter that it is called with.
  const apply = APPLY[filter.kind] as (filter: ParameterFilter, call: FilterCall) => Answer
  return await apply(filter, call)
}
