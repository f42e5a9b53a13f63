import type { Field } from '../../schema/field.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import { isJsonObject, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Desired } from './document.ts'

/** A field that refers to objects of another model in the document. */
interface Dependency {
  readonly field: string
  readonly to: Model
  /** Objects can be created without it. */
  readonly isOptional: boolean
}

/** The objects of one model, to be written together. */
export interface Pass {
  readonly model: Model
  readonly bodies: readonly JsonObject[]
  /** Fields that are left out because their objects come later; a second pass writes them. */
  readonly postponed: readonly string[]
}

/**
 * The objects in the order in which they can be written: each model after the models that it refers to. If models refer
 * to one another in a cycle, such as devices and their addresses, optional fields are postponed. Throws if none is
 * optional.
 */
export function inOrder(registry: Registry, desired: Desired): readonly Pass[] {
  const waiting = new Map(
    [...desired].map(([model, bodies]) => [model, dependenciesOf(registry, model, bodies, desired)]),
  )
  const passes: Pass[] = []
  while (waiting.size > 0) {
    const isLater = ({ to }: Dependency) => waiting.has(to)
    const next =
      [...waiting].find(([, needs]) => !needs.some(isLater)) ??
      [...waiting].find(([, needs]) => !needs.some((need) => isLater(need) && !need.isOptional))
    if (!next) throw new Error(`No order for ${[...waiting.keys()].map(({ name }) => name)}`)
    const [model, needs] = next
    waiting.delete(model)
    const bodies = desired.get(model) ?? []
    const later = needs.filter(isLater).map(({ field }) => field)
    passes.push({ model, bodies, postponed: [...new Set([...later, ...referring(model, bodies)])] })
  }
  return passes
}

function dependenciesOf(
  registry: Registry,
  model: Model,
  bodies: readonly JsonObject[],
  desired: Desired,
): readonly Dependency[] {
  return [...model.fields].flatMap(([name, field]): Dependency[] => {
    if (field.kind === 'foreignKey' || field.kind === 'manyToMany') {
      const to = registry.model(field.to)
      const isOptional = field.kind === 'manyToMany' || field.nullable === true
      return to !== model && desired.has(to) && bodies.some((body) => isGiven(body[name]))
        ? [{ field: name, to, isOptional }]
        : []
    }
    const needed = NEEDED_BY_KIND.get(field.kind)
    if (needed !== undefined) {
      const to = registry.models.get(needed)
      const isNeeded = to && to !== model && desired.has(to)
      return isNeeded && bodies.some((body) => isGiven(body[name])) ? [{ field: name, to, isOptional: true }] : []
    }
    const keys = field.kind === 'genericForeignKey' ? genericKeys(name, field) : undefined
    const types = new Set(keys ? bodies.map((body) => body[keys.type]) : bodies.flatMap((body) => typesIn(body[name])))
    return [...types].flatMap((type) => {
      const to = typeof type === 'string' ? registry.models.get(type) : undefined
      const isOptional = field.kind === 'computed' && field.joins !== undefined
      return to && to !== model && desired.has(to) ? [{ field: keys?.id ?? name, to, isOptional }] : []
    })
  })
}

/**
 * The custom fields of a body if they refer to other objects: these can be of any type, so all of them must exist
 * before.
 */
const referring = ({ fields }: Model, bodies: readonly JsonObject[]): readonly string[] =>
  [...fields].flatMap(([name, { kind }]) =>
    kind === 'customFields' && bodies.some((body) => namesObjects(body[name])) ? [name] : [],
  )

const namesObjects = (values: unknown): boolean =>
  isJsonObject(values) && Object.values(values).some((value) => [value].flat().some(isJsonObject))

/** Models that the values of other kinds of fields refer to. */
const NEEDED_BY_KIND: ReadonlyMap<Field['kind'], string> = new Map([
  ['tags', SYSTEM.tag],
  ['customFields', SYSTEM.customField],
])

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)

/** Types of the objects in a list such as the ends of a cable. */
const typesIn = (value: unknown): readonly unknown[] =>
  Array.isArray(value)
    ? value.flatMap((item: unknown) =>
        typeof item === 'object' && item !== null && 'object_type' in item ? [item.object_type] : [],
      )
    : []
