import { isStored } from '../../schema/column.ts'
import type { CustomFieldDefinition } from '../../schema/custom-value.ts'
import type { Field } from '../../schema/field.ts'
import { isBlank } from '../../schema/fields/kind.ts'
import { genericKeys, genericPart } from '../../schema/generic-keys.ts'
import { isJsonObject, type Json, type JsonObject, objectsIn } from '../../schema/json.ts'
import { keyOfObject } from '../../schema/natural-key.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { isRequired, isSecret, isWritable } from '../../schema/writable.ts'
import { isApplied } from '../../write/apply/document.ts'
import { identifyingEnds } from '../../write/apply/objects-by-ends.ts'
import type { IdentifiedObjects } from './read-inventory.ts'

/** Attributes that identify the objects of an inventory, in the form of document references. */
class NaturalNames {
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
const idOf = (value: Json): number => Number(isJsonObject(value) ? value.id : value)

/** The value of a choice without its label; any other value as it is. */
const plainValue = (value: Json): Json =>
  isJsonObject(value) && 'value' in value && 'label' in value ? (value.value ?? null) : value

/** Definitions of custom fields by model. */
type CustomFields = ReadonlyMap<Model, readonly CustomFieldDefinition[]>

/** Whether documents list objects of the model: the API can write them, and they need no passwords or files. */
export const isExported = (model: Model): boolean =>
  isApplied(model) &&
  model.definition.inDocuments !== false &&
  !model.definition.hasSecrets &&
  ![...model.fields.values()].some(
    (field) => isStored(field) && (field.writeOnly || (field.kind === 'file' && isRequired(field))),
  )

/** Whether a body may have the value: null also represents an empty value that bodies leave out. */
const isSendable = (field: Field, value: Json): boolean =>
  value !== null || isBlank(field) || ('nullable' in field && field.nullable === true)

/** The bodies of documents for the objects of an inventory. */
export class ObjectBodies {
  readonly #registry: Registry
  readonly #inventory: IdentifiedObjects
  readonly #customFields: CustomFields
  readonly #names: NaturalNames
  readonly #bodies = new Map<string, JsonObject | undefined>()

  constructor(registry: Registry, inventory: IdentifiedObjects, customFields: CustomFields) {
    this.#registry = registry
    this.#inventory = inventory
    this.#customFields = customFields
    this.#names = new NaturalNames(registry, inventory)
  }

  /** The body of an object; undefined if it, or an object that it needs, cannot be identified. */
  find(model: Model, id: number): JsonObject | undefined {
    const key = `${model.name} ${id}`
    if (!this.#bodies.has(key)) {
      this.#bodies.set(key, {}) // while it is computed: objects in a cycle depend on one another
      this.#bodies.set(key, this.#compute(model, id))
    }
    return this.#bodies.get(key)
  }

  #compute(model: Model, id: number): JsonObject | undefined {
    const object = this.#inventory.get(model.name)?.get(id)
    const hasEnds = identifyingEnds(model, this.#registry) !== undefined
    if (!object || !(hasEnds || this.#names.find(model.name, id))) return undefined
    const keyNames = new Set(hasEnds ? [] : keyOfObject(model, object))
    const body: Record<string, Json> = {}
    for (const [name, field] of model.fields) {
      // A derived value repeats that of another field.
      if (!isWritable(field) || isSecret(field) || field.kind === 'derived') continue
      const values = this.#valuesOf(model, name, field, object)
      if (values) Object.assign(body, values)
      else if (isRequired(field) || keyNames.has(name) || field.kind === 'computed') {
        return undefined
      }
    }
    return body
  }

  /** Values of a field by their names in the body; undefined if a related object cannot be named. */
  #valuesOf(model: Model, name: string, field: Field, object: JsonObject): JsonObject | undefined {
    const value = object[name] ?? null
    switch (field.kind) {
      case 'foreignKey': {
        if (value === null) return { [name]: null }
        const to = field.write === 'id' ? undefined : this.#reference(field.to, idOf(value))
        if (!to) return undefined
        return { [name]: field.write === 'slug' ? (to.slug ?? null) : to }
      }
      case 'manyToMany':
        return field.write === 'id' ? undefined : this.#list(name, field.to, value)
      case 'tags':
        return this.#list(name, SYSTEM.tag, value)
      case 'genericForeignKey': {
        const keys = genericKeys(name, field)
        const type = object[keys.type] ?? null
        const id = object[keys.id] ?? null
        if (typeof type !== 'string' || id === null) return { [keys.type]: type, [keys.id]: null }
        const to = this.#reference(type, Number(id))
        return to && { [keys.type]: type, [keys.id]: to }
      }
      case 'customFields':
        return { [name]: this.#customValues(model, isJsonObject(value) ? value : {}) }
      case 'computed':
        return this.#ends(model, name, value)
      case 'file':
        return {}
      case 'objectTypes':
        return { [name]: Array.isArray(value) ? value.toSorted() : value } // in no particular order
      default:
        return isSendable(field, value)
          ? { [name]: Array.isArray(value) ? value.map(plainValue) : plainValue(value) }
          : {}
    }
  }

  /** Attributes of an object that documents contain too. */
  #reference(type: string, id: number): JsonObject | undefined {
    const model = this.#registry.model(type)
    const isThere = isExported(model) && this.find(model, id) !== undefined
    return isThere ? this.#names.find(type, id) : undefined
  }

  #list(name: string, type: string, value: Json): JsonObject {
    const references = (Array.isArray(value) ? value : []).map((entry: Json) => this.#reference(type, idOf(entry)))
    return references.every((reference) => reference !== undefined) ? { [name]: inOrderOfText(references) } : {}
  }

  #customValues(model: Model, values: JsonObject): JsonObject {
    const body: Record<string, Json> = {}
    for (const { name, relatedType } of this.#customFields.get(model) ?? []) {
      const value = plainValue(values[name] ?? null)
      if (relatedType === null || value === null) {
        body[name] = value
        continue
      }
      const parts = [value].flat().map((entry) => this.#reference(relatedType, idOf(entry)))
      if (parts.some((reference) => reference === undefined)) continue
      const references = parts.flatMap((reference) => reference ?? [])
      body[name] = Array.isArray(value) ? references : (references[0] ?? null)
    }
    return body
  }

  /**
   * The ends of one side of an object such as a cable, by type and attributes; undefined if there are none, or one cannot be
   * named. Other computed values are not part of documents.
   */
  #ends(model: Model, name: string, value: Json): JsonObject | undefined {
    if (!identifyingEnds(model, this.#registry)) return {}
    const ends = objectsIn(value).map(({ object_type: type, object_id: id }) => {
      const to = this.#reference(String(type), Number(id))
      return to && { object_type: type ?? null, object_id: to }
    })
    // Without an end on each side it can be neither found nor created.
    return ends.length > 0 && ends.every((end) => end !== undefined) ? { [name]: ends } : undefined
  }
}

/** The values in an order that does not depend on ids. */
export const inOrderOfText = <T extends Json>(values: readonly T[]): readonly T[] =>
  values
    .map((value) => ({ value, text: JSON.stringify(value) }))
    .toSorted((left, right) => (left.text < right.text ? -1 : 1))
    .map(({ value }) => value)
