import { anyOf, type Filter, not } from '../../read/query/filter.ts'
import { parametersOf } from '../../read/query/parameters.ts'
import { parseFilters } from '../../read/query/parse-filters.ts'
import { parseInteger } from '../../read/query/parse-value.ts'
import { RefusedValue } from '../../read/query/refused-value.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { splitPath } from '../../schema/step.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Catalogue } from './catalogue.ts'
import { jsonFilter } from './json-filter.ts'
import { type LookupValues, lookupFilter } from './lookup-filter.ts'
import { conjuncts } from './repeated-rows.ts'
import type { FilterSource } from './source.ts'

/** A coerced value of a filter input. */
export type InputValues = Readonly<Record<string, unknown>>

const ALL: Filter = { kind: 'and', filters: [] }

/** The filter for coerced values. Throws RefusedValue for values that cannot be used. */
export function filterOf(catalogue: Catalogue, registry: Registry, model: Model, values: InputValues): Filter {
  const inputs = catalogue.inputsOf(model)
  let filter: Filter | undefined
  const add = (more: Filter) => {
    filter = filter ? and(filter, more) : more
  }
  for (const [name, { source }] of inputs) {
    if (isFilterOfReferenceMethod(registry, model, source)) continue
    const value = values[name]
    if (value === undefined || value === null) continue
    add(conditionOf(catalogue, registry, model, source, value))
  }
  const nested = (name: string): Filter | undefined => {
    const value = values[name]
    return value === undefined || value === null
      ? undefined
      : filterOf(catalogue, registry, model, value as InputValues)
  }
  const [both, either, neither] = [nested('AND'), nested('OR'), nested('NOT')]
  if (both && !isAll(both)) add(both)
  if (either && !isAll(either)) filter = filter ? anyOf([filter, either]) : either
  if (neither && !isAll(neither)) add(not(neither))
  for (const [name, { source }] of inputs) {
    if (!isFilterOfReferenceMethod(registry, model, source)) continue
    const value = values[name]
    if (value !== undefined && value !== null) {
      add(conditionOf(catalogue, registry, model, source, value))
    }
  }
  return filter ?? ALL
}

/** Filters without conditions match everything, and are left out if others are combined with them. */
export const isAll = (filter: Filter): boolean => filter.kind === 'and' && filter.filters.every(isAll)

/**
 * They come last, after OR, as in NetBox. Conditions on the items of a list are the exception, because they are
 * like lookups.
 */
function isFilterOfReferenceMethod(registry: Registry, model: Model, source: FilterSource): boolean {
  if (source.kind !== 'parameter') return source.kind === 'family'
  const filter = parametersOf(registry, model).get(source.name)?.filter
  return filter?.kind !== 'custom' || filter.itemOf === undefined
}

const and = (...filters: readonly Filter[]): Filter => ({ kind: 'and', filters })

function conditionOf(
  catalogue: Catalogue,
  registry: Registry,
  model: Model,
  source: FilterSource,
  value: unknown,
): Filter {
  switch (source.kind) {
    case 'lookup':
      return lookupFilter(source.path, source.type, value as LookupValues)
    case 'member':
      return { kind: 'text', path: source.path, comparison: 'exact', values: [String(value)] }
    case 'id':
      return idFilter(source.path, value)
    case 'tree': {
      const { id, match_type: match } = value as { id: string; match_type: string }
      const { path, to } = source
      const node = digitsOfId(id, 'id')
      return { kind: 'treeMatch', path, tree: to.name, id: node, match }
    }
    case 'relation': {
      const inner = filterOf(catalogue, registry, source.to, value as InputValues)
      if (isAll(inner)) return ALL
      return related(splitPath(source.step), inner)
    }
    case 'objectType': {
      const types = registry.model(SYSTEM.objectType)
      const inner = filterOf(catalogue, registry, types, value as InputValues)
      return isAll(inner) ? ALL : { kind: 'ofType', path: source.path, filter: inner }
    }
    case 'objectTypeId':
      return { kind: 'ofType', path: source.path, filter: idFilter('id', value) }
    case 'json':
      return jsonFilter(source.column, value as never)
    case 'family': {
      const family = String(value).replace('FAMILY_', '')
      return {
        kind: 'number',
        type: 'integer',
        path: source.path,
        comparison: 'exact',
        values: [family],
      }
    }
    case 'parameter':
      return parameterFilter(registry, model, source.name, value)
  }
}

/**
 * Objects with a related object that meets the filter. A negated condition applies to all related objects: it must not
 * be true for any of them.
 */
function related(steps: readonly string[], filter: Filter): Filter {
  const [step = '', ...remaining] = steps
  const through = (inner: Filter): Filter => ({ kind: 'through', step, filter: inner })
  if (remaining.length > 0) return through(related(remaining, filter))
  if (filter.kind !== 'and') return filter.kind === 'not' ? not(through(filter.filter)) : through(filter)
  const flat = conjuncts(filter)
  const positive = flat.filter(({ kind }) => kind !== 'not')
  const negative = flat.flatMap((inner) => (inner.kind === 'not' ? [not(through(inner.filter))] : []))
  return and(...(positive.length > 0 ? [through(and(...positive))] : []), ...negative)
}

function idFilter(path: string, value: unknown): Filter {
  const id = digitsOfId(value, 'id')
  return { kind: 'number', type: 'integer', path, comparison: 'exact', values: [id] }
}

/** Digits of an id. */
export function digitsOfId(value: unknown, field: string): string {
  try {
    return String(parseInteger(String(value)))
  } catch {
    throw new RefusedValue(`Field '${field}' expected a number but got '${value}'.`)
  }
}

function parameterFilter(registry: Registry, model: Model, name: string, value: unknown): Filter {
  const filter = parametersOf(registry, model).get(name)?.filter
  if (!filter) return ALL
  const isCustom = filter.kind === 'custom'
  const values = [value].flat().map(String)
  const used = values.filter((item) => !(isCustom && filter.leavesOut?.(item)))
  if (used.length === 0) return ALL
  const isOne = isCustom && !filter.multiple
  const lists = isOne ? used.map((item) => [item]) : [used]
  return anyOf(lists.map((list) => parsed(registry, model, name, list)))
}

function parsed(registry: Registry, model: Model, name: string, values: readonly string[]): Filter {
  const search = new URLSearchParams(values.map((item): [string, string] => [name, item]))
  const { filters, refused } = parseFilters(registry, model, search)
  const [messages] = Object.values(refused)
  if (messages) throw new RefusedValue([messages].flat().map(String).join(' '))
  return filters.get(name) ?? ALL
}
