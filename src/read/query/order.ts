import type { ApiVersion } from '../../base/api-version.ts'
import { ownValue } from '../../schema/json.ts'
import type { OrderTerm } from '../../schema/model.ts'
import { oncePerText } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { Sql } from '../../sql/fragment.ts'
import { T } from './alias.ts'
import { OrderTerms } from './order-terms.ts'
import { allVisible, type VisibleRows } from './row-predicate.ts'

/** An order of the rows `t`: the joins that its terms need, to follow `from … t`, and the terms. */
export interface Order {
  readonly joins: Sql
  readonly terms: Sql
}

interface OrderOptions {
  /** Whether an empty choice sorts like null, or before all others. */
  readonly choices?: 'stored' | 'emptyAsNull'
  /** Foreign key of the model that has the same value in all ordered rows. */
  readonly constant?: string | undefined
}

/** Clients choose the values of `ordering`, so the number of cached orders is limited. */
const CACHED_ORDERS = 100

/**
 * The order for `ordering`: fields of the response, with a leading `-` for descending; a relation sorts by the related
 * model's own order. Unknown names are left out; if none is left, the model's own order applies. Rows that compare as
 * equal are ordered by id, so that pages are stable. `visibleRows` is that of the statement that will contain it.
 */
export function compileOrder(
  { registry }: { readonly registry: Registry },
  model: Model,
  ordering: string | undefined,
  visibleRows: VisibleRows = allVisible,
  options?: OrderOptions,
): Order {
  const requested = ordering ?? ''
  if (visibleRows !== allVisible || options) {
    return newOrder(registry, model, requested, visibleRows, options)
  }
  return wholeOrder(model, requested, registry)
}

/** The order for users who may see everything. */
const wholeOrder = oncePerText(
  CACHED_ORDERS,
  (model: Model, ordering, registry: Registry): Order => newOrder(registry, model, ordering, allVisible),
)

function newOrder(
  registry: Registry,
  model: Model,
  ordering: string,
  visibleRows: VisibleRows,
  { choices = 'stored', constant }: OrderOptions = {},
): Order {
  const terms = new OrderTerms(registry, visibleRows, { choices, constant })
  const requested = ordering
    .split(',')
    .map((name) => name.trim())
    .map((term) => ({ name: term.replace(/^-/, ''), descending: term.startsWith('-') }))
    .filter(({ name }) => isOrderable(registry, model, name))
  if (requested.length === 0) terms.addDefault(model, T, ownOrder(model), false)
  for (const { name, descending } of requested) {
    terms.add(model, T, fieldNamed(model, name), { descending })
  }
  terms.add(model, T, 'id', { descending: false })
  return terms.order()
}

/** Names by which clients know fields that have another name here. */
const SOURCES: Readonly<Record<string, string>> = { pk: 'id', level: '_level' }

/** The field that a client means: by its name, or by the name of its column. */
function fieldNamed(model: Model, name: string): string {
  if (model.answer.includes(name)) return name
  const kept = [...model.columns.values()].find((column) => column.name === name && column.field.kind !== 'foreignKey')
  return ownValue(SOURCES, name) ?? (kept && model.answer.includes(kept.key) ? kept.key : name)
}

/** Whether trees can be sorted by the depth of their nodes; version 4.7 of the API ignores these names. */
const SORTS_BY_DEPTH: Readonly<Record<ApiVersion, boolean>> = { '4.6': true, '4.7': false }
const DEPTHS: ReadonlySet<string> = new Set(['level', '_depth'])

/** Whether `ordering` may name it. */
export function isOrderable({ version }: Pick<Registry, 'version'>, model: Model, requested: string): boolean {
  if (DEPTHS.has(requested) && !SORTS_BY_DEPTH[version]) return false
  const name = fieldNamed(model, requested)
  if (name === 'id' || Object.hasOwn(SOURCES, requested)) return model.columns.has(name)
  if (!model.answer.includes(name)) return false
  const step = model.steps.get(name)
  if (step) return step.kind !== 'genericTo'
  const kind = model.fields.get(name)?.kind
  return kind === 'relatedCount' || kind === 'derived' || name === '_depth'
}

const ownOrder = ({ definition }: Model): readonly OrderTerm[] => definition.endpointOrder ?? definition.order
