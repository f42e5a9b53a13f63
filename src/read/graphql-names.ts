import { className } from '../schema/class-name.ts'
import type { GraphqlNames } from '../schema/model.ts'
import type { Model, Registry } from '../schema/registry.ts'
import type { Step } from '../schema/step.ts'
import { isToMany, type ToMany } from './query/to-many.ts'

/** Name of the object type of a model: `SiteType`. */
export const typeNameOf = (model: Model): string => declaredNames(model).type ?? `${classNameIn(model)}Type`

/** Name of the input by which a model's rows are filtered: `SiteFilter`. */
export const filterNameOf = (model: Model): string => `${classNameIn(model)}Filter`

/** Name of the root field of one object of the model: `ip_address`. */
export const rootNameOf = (model: Model): string =>
  declaredNames(model).root ??
  (model.plugin?.pack ? rootOfPackModel(model.app, model.definition.labels) : snakeCase(model.definition.labels[0]))

/** Name of the root field of a model of a pack that declares none: `netbox_bgp_routing_policy`. */
export const rootOfPackModel = (app: string, [label]: readonly [string, string]): string => snakeCase(`${app} ${label}`)

/** Beginning of the names of the model's types. Packs may have models of the same name, such as two communities. */
export const classNameIn = (model: Model): string =>
  model.plugin?.pack ? `${pascalCase(model.app)}${className(model)}` : className(model)

/** `IP addresses` as `ip_addresses`. */
export const snakeCase = (label: string): string => label.toLowerCase().replace(/[^a-z0-9]+/g, '_')

/** A relation of a model under the name that the schema gives it; `key` is that of the step. */
export interface NamedRelation {
  readonly name: string
  readonly key: string
  readonly step: Exclude<Step, { readonly kind: 'column' | 'genericTo' }>
}

/**
 * The relations of a model. An inverse relation without a declared name is called by the plural label of its objects,
 * unless another relation has that name.
 */
export function relationsOf({ steps }: Model): readonly NamedRelation[] {
  const relations = [...steps].flatMap(([key, step]): readonly NamedRelation[] =>
    step.kind === 'column' || step.kind === 'genericTo' ? [] : [{ name: relationNameOf(key, step), key, step }],
  )
  return relations.toSorted((left, right) => Number(isUnnamed(left)) - Number(isUnnamed(right)))
}

const isUnnamed = ({ key, step }: NamedRelation): boolean => isToMany(step) && key === step.to.key

function relationNameOf(key: string, step: Step): string {
  if (!isToMany(step) || key !== step.to.key) return key
  return declaredNames(step.to).back?.[sourceOf(step)] ?? snakeCase(step.to.definition.labels[1])
}

/** The field that an inverse relation belongs to; for a generic one, the name of the relation. */
function sourceOf(step: ToMany): string {
  if (step.kind === 'reverseForeignKey') return step.column.key
  return step.kind === 'reverseGeneric' ? step.typeColumn.key.replace(/_type$/, '') : ''
}

/** `vm_interface` as `VmInterface`: the part of a type's name derived from a field's name. */
export const pascalCase = (name: string): string =>
  name.replace(/(^|_)(\w)/g, (_all, _before, letter: string) => letter.toUpperCase())

/** The names that the model declares. */
export const declaredNames = ({ definition }: Model): GraphqlNames => definition.graphql || {}

/** The models that have a type. */
export const offeredModels = ({ models }: Registry): readonly Model[] =>
  [...models.values()].filter((model) => {
    const { path, definition } = model
    if (definition.graphql === false) return false
    return declaredNames(model).isPart === true || (path !== '' && !definition.private && !definition.internal)
  })

/** Whether the model has root fields. */
export const hasRootFields = (model: Model): boolean => declaredNames(model).isPart !== true
