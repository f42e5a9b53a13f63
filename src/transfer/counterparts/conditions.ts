import { isJsonObject, type Json } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { PlacedRow } from '../insert.ts'
import type { Counterparts } from './counterparts.ts'

/** A row whose conditions contain ids that could not be replaced. */
export interface UnclearRow {
  readonly model: Model
  readonly name: string
  readonly isDisabled: boolean
}

/**
 * The rows with the ids here in their conditions: constraints of permissions, parameters of saved filters, filters of
 * custom fields. A permission whose constraints cannot be understood is disabled, because it would select other
 * objects.
 */
export function withConditions(
  counterparts: Counterparts,
  registry: Registry,
  model: Model,
  rows: readonly PlacedRow[],
): { readonly rows: readonly PlacedRow[]; readonly unclear: readonly UnclearRow[] } {
  const place = PLACES.get(model.name)
  if (!place || counterparts.areAllNew) return { rows, unclear: [] }
  const unclear: UnclearRow[] = []
  const next = rows.map((placed) => {
    const { row } = placed
    const models = [row[place.types]].flat().flatMap((name) => registry.models.get(String(name)) ?? [])
    const conditions = new Conditions(counterparts, models)
    const value = conditions.redirected((row[place.conditions] ?? null) as Json) // a column of JSON
    if (conditions.isClear) return { ...placed, row: { ...row, [place.conditions]: value } }
    const isDisabled = model.name === SYSTEM.objectPermission
    unclear.push({ model, name: String(row.name), isDisabled })
    return isDisabled ? { ...placed, row: { ...row, enabled: false } } : placed
  })
  return { rows: next, unclear }
}

/** Where models have conditions, and the types of the objects that these select. */
const PLACES: ReadonlyMap<string, { readonly conditions: string; readonly types: string }> = new Map([
  [SYSTEM.objectPermission, { conditions: 'constraints', types: 'object_types' }],
  [SYSTEM.savedFilter, { conditions: 'parameters', types: 'object_types' }],
  [SYSTEM.customField, { conditions: 'related_object_filter', types: 'related_object_type' }],
])

/** Names after which a value is compared with ids as a whole. */
const LOOKUPS: ReadonlySet<string> = new Set(['in', 'exact', 'n', 'isnull'])

class Conditions {
  isClear = true
  readonly #counterparts: Counterparts
  readonly #models: readonly Model[]

  constructor(counterparts: Counterparts, models: readonly Model[]) {
    this.#counterparts = counterparts
    this.#models = models
  }

  redirected(value: Json): Json {
    if (Array.isArray(value)) return value.map((item: Json) => this.redirected(item))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([path, expected]) => [path, this.#condition(path, expected)]))
  }

  #condition(path: string, expected: Json): Json {
    const targets = new Set(this.#models.map((model) => targetOf(model, path)))
    const [target] = targets
    if (targets.size === 1 && target) return this.#ids(target, expected)
    const looksLikeId = /(^|_)(id|pk)(_|$)/.test(path)
    if ((targets.size > 1 || looksLikeId) && hasNumber(expected)) this.isClear = false
    return expected
  }

  #ids(model: Model, value: Json): Json {
    if (Array.isArray(value)) return value.map((item: Json) => this.#ids(model, item))
    const id =
      typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value)) ? Number(value) : undefined
    if (id === undefined) return value
    const local = this.#counterparts.local(model.name, id)
    if (local === undefined) {
      this.isClear = false
      return value
    }
    return typeof value === 'number' ? local : String(local)
  }
}

/** The model whose ids a condition compares; undefined for conditions on other values. */
function targetOf(model: Model, path: string): Model | undefined {
  const names = path.split('__')
  const last = names.at(-1)
  if (last !== undefined && names.length > 1 && LOOKUPS.has(last)) names.pop()
  let at = model
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1
    if (isLast && (name === 'id' || name === 'pk')) return at
    const step = at.steps.get(name) ?? (isLast ? at.steps.get(name.replace(/_id$/, '')) : undefined)
    if (step?.kind !== 'foreignKey') return undefined
    at = step.to
  }
  return at
}

const hasNumber = (value: Json): boolean =>
  Array.isArray(value)
    ? value.some(hasNumber)
    : typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))

/** A sentence about a row with ids that could not be replaced. */
export const unclearText = ({ model, name, isDisabled }: UnclearRow): string =>
  isDisabled
    ? `The permission ${name} is disabled: its constraints contain ids of the source. Adapt them, then enable it.`
    : `The ${model.definition.labels[0]} ${name} contains ids of the source: check it.`
