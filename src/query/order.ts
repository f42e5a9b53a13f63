import type { OrderTerm } from '../schema/model.ts'
import type { Model, Registry } from '../schema/registry.ts'
import type { Sql } from '../sql/fragment.ts'
import { T } from './alias.ts'
import { OrderTerms } from './order-terms.ts'

/** An order of the rows `t`: joins that its terms need, to stand behind `from … t`, and the terms. */
export interface Order {
  readonly joins: Sql
  readonly terms: Sql
}

/**
 * The order that `ordering` asks for: fields of the answer, `-` in front for descending; a relation
 * sorts by the related model's own order. Names that are none are left out; if none is left, the
 * model's own order. Rows that it leaves equal stand in the order of ids, so that pages are stable.
 */
export function compileOrder(
  { registry }: { readonly registry: Registry },
  model: Model,
  ordering: string | undefined,
): Order {
  const terms = new OrderTerms(registry)
  const asked = (ordering ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => isOrderable(model, name.replace(/^-/, '')))
  if (asked.length === 0) terms.addDefault(model, T, ownOrder(model), false)
  for (const name of asked) {
    terms.add(model, T, SOURCES[name.replace(/^-/, '')] ?? name.replace(/^-/, ''), {
      descending: name.startsWith('-'),
    })
  }
  terms.add(model, T, 'id', { descending: false })
  return terms.order()
}

/** Names under which clients know fields that are called otherwise here. */
const SOURCES: Readonly<Record<string, string>> = {
  pk: 'id',
  custom_field_data: 'custom_fields',
  level: '_level',
}

function isOrderable(model: Model, name: string): boolean {
  const source = SOURCES[name] ?? 'id'
  if (name === 'id' || name in SOURCES) return model.columns.has(source)
  if (!model.answer.includes(name)) return false
  const step = model.steps.get(name)
  if (step) return step.kind !== 'genericTo'
  const kind = model.fields.get(name)?.kind
  return kind === 'relatedCount' || kind === 'derived' || name === '_depth'
}

const ownOrder = ({ definition }: Model): readonly OrderTerm[] =>
  definition.endpointOrder ?? definition.order
