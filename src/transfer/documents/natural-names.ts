import { genericPart } from '../../schema/generic-keys.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import { keyOfObject } from '../../schema/natural-key.ts'
import type { Registry } from '../../schema/registry.ts'
import type { IdentifiedObjects } from './read-inventory.ts'

/** Attributes that identify the objects of an inventory, in the form of document references. */
export class NaturalNames {
  readonly #registry: Registry
  readonly #inventory: IdentifiedObjects
  readonly #attributes = new Map<string, JsonObject | undefined>()
  /** Attributes that several objects of a model have. */
  readonly #ambiguous = new Map<string, ReadonlySet<string>>()

  constructor(registry: Registry, inventory: IdentifiedObjects) {
    this.#registry = registry
    this.#inventory = inventory
  }

  /** The attributes that only this object has; undefined if there are none. */
  find(type: string, id: number): JsonObject | undefined {
    const attributes = this.#attributesOf(type, id)
    return attributes && !this.#sharedOf(type).has(JSON.stringify(attributes)) ? attributes : undefined
  }

  #attributesOf(type: string, id: number): JsonObject | undefined {
    const key = `${type} ${id}`
    if (!this.#attributes.has(key)) {
      this.#attributes.set(key, undefined) // while it is computed: an object cannot identify itself
      this.#attributes.set(key, this.#compute(type, id))
    }
    return this.#attributes.get(key)
  }

  #compute(type: string, id: number): JsonObject | undefined {
    const object = this.#inventory.get(type)?.get(id)
    const names = object && keyOfObject(this.#registry.model(type), object)
    if (!names) return undefined
    const attributes: Record<string, Json> = {}
    for (const name of names) {
      const value = this.#valueOf(type, object, name)
      if (value === undefined) return undefined
      attributes[name] = value
    }
    return attributes
  }

  #valueOf(type: string, object: JsonObject, name: string): Json | undefined {
    const model = this.#registry.model(type)
    const value = object[name] ?? null
    const field = model.fields.get(name)
    if (value === null) return null
    if (field?.kind === 'foreignKey') return this.#attributesOf(field.to, idOf(value))
    const generic = genericPart(model, name)
    if (generic?.part !== 'id') return plainValue(value)
    const target = object[generic.keys.type]
    return typeof target === 'string' ? this.#attributesOf(target, Number(value)) : undefined
  }

  #sharedOf(type: string): ReadonlySet<string> {
    const cached = this.#ambiguous.get(type)
    if (cached) return cached
    const seen = new Set<string>()
    const shared = new Set<string>()
    for (const id of this.#inventory.get(type)?.keys() ?? []) {
      const text = JSON.stringify(this.#attributesOf(type, id))
      if (seen.has(text)) shared.add(text)
      seen.add(text)
    }
    this.#ambiguous.set(type, shared)
    return shared
  }
}

/** The id of a related object, which responses show as a document or as its id. */
export const idOf = (value: Json): number => Number(isJsonObject(value) ? value.id : value)

/** The value of a choice without its label; any other value as it is. */
export const plainValue = (value: Json): Json =>
  isJsonObject(value) && 'value' in value && 'label' in value ? (value.value ?? null) : value
