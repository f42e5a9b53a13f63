import type { Messages } from '../../base/errors.ts'
import { emptyRecord } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { parseCustomFieldFilter } from './custom-field-filter.ts'
import { parseCustomFilter } from './custom-filter.ts'
import { type Filter, notIf } from './filter.ts'
import { parseJsonKeyFilter } from './json-key-filter.ts'
import { lookupOf } from './lookups.ts'
import { parseListFilter, parseNumberFilter } from './number-filter.ts'
import { parseObjectTypeFilter } from './object-type-filter.ts'
import type { Parameter, ParameterFilter, ParameterKind } from './parameters.ts'
import { parametersOf } from './parameters.ts'
import { parseBoolean, parseUuid } from './parse-value.ts'
import { RefusedValue } from './refused-value.ts'
import { parsePresenceFilter, parseRelatedFilter, parseTagFilter } from './relation-filter.ts'
import { parseRequestFilter } from './request-filter.ts'
import { lastParameterValue, parameterValues, type RequestParameter } from './request-parameter.ts'
import { parseSearchFilter } from './search-filter.ts'
import { parseChoiceFilter, parseHardwareAddressFilter, parseTextFilter } from './text-filter.ts'

/** The filters of a request's parameters. */
interface ParsedFilters {
  /** By parameter; all of them must match. */
  readonly filters: ReadonlyMap<string, Filter>
  /** Messages by parameter, for values that can't be used. */
  readonly refused: Readonly<Record<string, Messages>>
}

/**
 * The filters for parameters of the model's collection. Values of one parameter are alternatives; parameters that the
 * model does not have and values that do not filter are left out. `customFields`: parameters of custom fields.
 */
export function parseFilters(
  registry: Registry,
  model: Model,
  search: URLSearchParams,
  customFields: ReadonlyMap<string, Parameter> = new Map(),
): ParsedFilters {
  const parameters = parametersOf(registry, model)
  const filters = new Map<string, Filter>()
  const refused = emptyRecord<Messages>()
  for (const name of new Set(search.keys())) {
    const parameter = parameters.get(name) ?? customFields.get(name)
    const values = search.getAll(name)
    try {
      const filter = parameter
        ? parseFilter(parameter, { ...parameter, registry, model, values })
        : parseJsonKeyFilter(model, name, values.at(-1) ?? '')
      if (filter) filters.set(name, filter)
    } catch (error) {
      if (!(error instanceof RefusedValue)) throw error
      refused[name] = [error.message]
    }
  }
  return { filters, refused }
}

/** The filter of one parameter by the kind of its declaration; undefined if its values do not filter. */
const PARSERS: {
  readonly [K in ParameterKind]: (
    filter: Extract<ParameterFilter, { readonly kind: K }>,
    parameter: RequestParameter,
  ) => Filter | undefined
} = {
  text: parseTextFilter,
  choice: parseChoiceFilter,
  hardwareAddress: parseHardwareAddressFilter,
  integer: parseNumberFilter,
  decimal: parseNumberFilter,
  date: parseNumberFilter,
  dateTime: parseNumberFilter,
  listContains: parseListFilter,
  related: parseRelatedFilter,
  presence: parsePresenceFilter,
  tag: parseTagFilter,
  dynamicGroup: ({ by }, { values, lookup }) =>
    notIf(lookupOf(lookup).negated, { kind: 'dynamicGroup', by, names: [...new Set(values)] }),
  objectType: parseObjectTypeFilter,
  custom: parseCustomFilter,
  search: (_filter, parameter) => parseSearchFilter(parameter),
  request: parseRequestFilter,
  customField: parseCustomFieldFilter,
  boolean: ({ path }, parameter) => {
    const value = parseBoolean(lastParameterValue(parameter))
    return value === undefined ? undefined : { kind: 'boolean', path, value }
  },
  uuid: ({ path }, parameter) => {
    const [value] = parameterValues(parameter)
    return value === undefined ? undefined : { kind: 'uuid', path, value: parseUuid(value) }
  },
}

function parseFilter({ filter }: Parameter, parameter: RequestParameter): Filter | undefined {
  // The table is keyed by the kind of the declaration with which it is called.
  const parse = PARSERS[filter.kind] as (filter: ParameterFilter, parameter: RequestParameter) => Filter | undefined
  return parse(filter, parameter)
}
