import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
} from 'graphql'
import { filterNameOf, hasRootFields, offeredModels, rootNameOf, typeNameOf } from '../../read/graphql-names.ts'
import type { ChoiceSet } from '../../schema/choices.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { ChoiceEnums } from './enums.ts'
import { lookupInputs } from './lookup-inputs.ts'
import { modelFields } from './model-fields.ts'
import { type FilterField, modelFilter } from './model-filter.ts'
import { listType, type ModelField } from './model-type.ts'

/** A field of the type Query. */
export interface RootField {
  readonly kind: 'one' | 'list' | 'count'
  readonly model: Model
}

/** The schema with the meaning of its fields and inputs. */
export interface Catalogue {
  readonly schema: GraphQLSchema
  readonly roots: ReadonlyMap<string, RootField>
  /** The model of an object type. */
  modelOf(type: string): Model | undefined
  /** Fields of the type of a model. */
  fieldsOf(model: Model): ReadonlyMap<string, ModelField>
  /** Inputs of the filter of a model. */
  inputsOf(model: Model): ReadonlyMap<string, FilterField>
}

/** The types of one schema, created on demand. */
export interface Types {
  readonly registry: Registry
  /** Undefined for a model without a type. */
  object(model: Model): GraphQLObjectType | undefined
  filter(model: Model): GraphQLInputObjectType | undefined
  union(name: string, members: readonly Model[]): GraphQLUnionType
  /** The lookup of a field's choices, or only the enum of their members. */
  choices(model: Model, field: string, choices: ChoiceSet, as?: 'member'): GraphQLInputType
  scalar(name: string): GraphQLScalarType
  colours(): GraphQLInputObjectType
  lookup(name: string): GraphQLInputType
  named(name: 'ContentTypeType' | 'DjangoModelType' | 'DjangoImageType' | 'IPAddressFamilyType'): GraphQLObjectType
  listArguments(model: Model): GraphQLFieldConfigArgumentMap
}

const typesOf = oncePer((registry: Registry) => new SchemaTypes(registry))

/** Builds the schema ahead of its first use, one model at a time; each step takes a few milliseconds, the last one about thirty. */
export function* schemaSteps(registry: Registry): Generator<undefined, undefined> {
  const types = typesOf(registry)
  for (const model of offeredModels(registry)) {
    yield
    types.object(model)?.getFields()
    types.filter(model)?.getFields()
  }
  yield
  catalogueOf(registry)
}

/** The schema of the registry, built once, when it is first used. */
export const catalogueOf = oncePer((registry: Registry): Catalogue => {
  const types = typesOf(registry)
  const roots = new Map<string, RootField>()
  const fields: Record<string, GraphQLFieldConfig<unknown, unknown>> = {}
  for (const model of offeredModels(registry)) {
    const type = types.object(model)
    if (!type || !hasRootFields(model)) continue
    const name = rootNameOf(model)
    const args = types.listArguments(model)
    fields[name] = {
      type: new GraphQLNonNull(type),
      args: { id: { type: new GraphQLNonNull(GraphQLID) } },
    }
    fields[`${name}_list`] = { type: listType(type), args }
    fields[`${name}_count`] = {
      type: new GraphQLNonNull(GraphQLInt),
      args: args.filters ? { filters: args.filters } : {},
    }
    roots.set(name, { kind: 'one', model })
    roots.set(`${name}_list`, { kind: 'list', model })
    roots.set(`${name}_count`, { kind: 'count', model })
  }
  const query = new GraphQLObjectType({ name: 'Query', fields })
  const models = new Map(offeredModels(registry).map((model) => [typeNameOf(model), model]))
  return {
    // graphql-js would check the schema with the first query, which takes a tenth of its time; a test does it instead.
    schema: new GraphQLSchema({ query, assumeValid: true }),
    roots,
    modelOf: (type) => models.get(type),
    fieldsOf: (model) => types.fieldsOf(model),
    inputsOf: (model) => types.inputsOf(model),
  }
})

class SchemaTypes implements Types {
  readonly registry: Registry
  readonly #offered: ReadonlySet<Model>
  readonly #lookups = lookupInputs()
  readonly #enums: ChoiceEnums
  readonly #objects = new Map<Model, GraphQLObjectType>()
  readonly #filters = new Map<Model, GraphQLInputObjectType>()
  readonly #unions = new Map<string, GraphQLUnionType>()
  readonly #fields = new Map<Model, ReadonlyMap<string, ModelField>>()
  readonly #inputs = new Map<Model, ReadonlyMap<string, FilterField>>()
  readonly #named: Readonly<Record<string, GraphQLObjectType>>

  constructor(registry: Registry) {
    this.registry = registry
    this.#enums = new ChoiceEnums(registry)
    this.#offered = new Set(offeredModels(registry))
    const text = { type: new GraphQLNonNull(GraphQLString) }
    const id = { type: new GraphQLNonNull(GraphQLID) }
    const whole = { type: new GraphQLNonNull(GraphQLInt) }
    this.#named = {
      ContentTypeType: new GraphQLObjectType({
        name: 'ContentTypeType',
        fields: { id, app_label: text, model: text },
      }),
      DjangoModelType: new GraphQLObjectType({ name: 'DjangoModelType', fields: { pk: id } }),
      DjangoImageType: new GraphQLObjectType({
        name: 'DjangoImageType',
        fields: { name: text, path: text, url: text },
      }),
      IPAddressFamilyType: new GraphQLObjectType({
        name: 'IPAddressFamilyType',
        fields: { value: whole, label: text },
      }),
    }
  }

  object(model: Model): GraphQLObjectType | undefined {
    if (!this.#offered.has(model)) return undefined
    return remembered(this.#objects, model, () => {
      const name = typeNameOf(model)
      const fields = () => configsOf(this.fieldsOf(model))
      return new GraphQLObjectType({ name, fields })
    })
  }

  filter(model: Model): GraphQLInputObjectType | undefined {
    if (!this.#offered.has(model) && model.name !== SYSTEM.objectType) return undefined
    return remembered(this.#filters, model, () => this.#createFilter(model))
  }

  #createFilter(model: Model): GraphQLInputObjectType {
    const name = model.name === SYSTEM.objectType ? 'ContentTypeFilter' : filterNameOf(model)
    const fields = (): GraphQLInputFieldConfigMap => ({
      ...configsOf(this.inputsOf(model)),
      AND: { type: self },
      OR: { type: self },
      NOT: { type: self },
      DISTINCT: { type: GraphQLBoolean },
    })
    const self: GraphQLInputObjectType = new GraphQLInputObjectType({ name, fields })
    return self
  }

  fieldsOf(model: Model): ReadonlyMap<string, ModelField> {
    return remembered(this.#fields, model, () => modelFields(this, model))
  }

  inputsOf(model: Model): ReadonlyMap<string, FilterField> {
    return remembered(this.#inputs, model, () => modelFilter(this, model))
  }

  union(name: string, members: readonly Model[]): GraphQLUnionType {
    return remembered(this.#unions, name, () => {
      const types = () =>
        members
          .flatMap((member) => this.object(member) ?? [])
          .toSorted((left, right) => (left.name < right.name ? -1 : 1))
      return new GraphQLUnionType({ name, types })
    })
  }

  choices(model: Model, field: string, choices: ChoiceSet, as?: 'member'): GraphQLInputType {
    return as === 'member' ? this.#enums.members(model, field, choices) : this.#enums.lookup(model, field, choices)
  }

  colours(): GraphQLInputObjectType {
    return this.#enums.colours
  }

  scalar(name: string): GraphQLScalarType {
    return this.#lookups(name) as GraphQLScalarType
  }

  lookup(name: string): GraphQLInputType {
    if (name !== 'ContentTypeFilter') return this.#lookups(name)
    const filter = this.filter(this.registry.model(SYSTEM.objectType))
    if (!filter) throw new Error('Object types have no filter')
    return filter
  }

  named(name: string): GraphQLObjectType {
    const type = this.#named[name]
    if (!type) throw new Error(`No type is named ${name}`)
    return type
  }

  listArguments(model: Model): GraphQLFieldConfigArgumentMap {
    const filters = this.filter(model)
    const order = new GraphQLList(new GraphQLNonNull(GraphQLString))
    return {
      ...(filters && { filters: { type: filters } }),
      pagination: { type: this.lookup('OffsetPaginationInput') },
      order_by: { type: order },
    }
  }
}

function remembered<K, V>(cache: Map<K, V>, key: K, make: () => V): V {
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const made = make()
  cache.set(key, made)
  return made
}

const configsOf = <T>(fields: ReadonlyMap<string, { readonly config: T }>): Record<string, T> =>
  Object.fromEntries([...fields].map(([name, { config }]) => [name, config]))
