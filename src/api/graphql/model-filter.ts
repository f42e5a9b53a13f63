import {
  GraphQLBoolean,
  GraphQLID,
  type GraphQLInputFieldConfig,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from 'graphql'
import { declaredNames, relationsOf, snakeCase } from '../../read/graphql-names.ts'
import { type ParameterFilter, parametersOf } from '../../read/query/parameters.ts'
import { isToMany } from '../../read/query/to-many.ts'
import { type DerivedType, type Field, isScalar, kindOf, type ScalarField } from '../../schema/field.ts'
import type { LookupType } from '../../schema/fields/kind.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import type { Model } from '../../schema/registry.ts'
import type { Types } from './catalogue.ts'
import { ORDERED_COUNTS, PLAIN_DECIMALS } from './reference-names.ts'
import type { FilterSource } from './source.ts'

/** An input of a model's filter, with its meaning. */
export interface FilterField {
  readonly config: GraphQLInputFieldConfig
  readonly source: FilterSource
}

type Add = (name: string, type: GraphQLInputType | undefined, source: FilterSource) => undefined

/** The inputs of a model's filter, besides the logical ones. */
export function modelFilter(types: Types, model: Model): Map<string, FilterField> {
  const inputs = new Map<string, FilterField>()
  const add: Add = (name, type, source) => {
    if (type && !inputs.has(name)) inputs.set(name, { config: { type }, source })
  }
  add('id', types.lookup('IDComparisonFilterLookup'), lookup('id', 'integer'))
  for (const [name, type] of Object.entries(declaredNames(model).lookups ?? {})) {
    const path = model.fields.has(name) ? name : name.replace(/_id$/, '')
    add(name, types.lookup(type), lookup(path, type === 'StrFilterLookup' ? 'text' : 'integer'))
  }
  for (const [name, field] of model.fields) addField(types, model, name, field, add)
  for (const { name, key, step } of relationsOf(model)) {
    const relation: FilterSource = { kind: 'relation', step: key, to: step.to }
    // Fields copied from the place of another object have the names of that place's fields.
    add(name.replace(/^_/, ''), types.filter(step.to), relation)
    const plural = snakeCase(step.to.definition.labels[1])
    // Inverse relations have names without underscores, but most of their filters have names with them.
    if (isToMany(step) && plural.replaceAll('_', '') === name) {
      add(plural, types.filter(step.to), relation)
    }
  }
  for (const [name, of] of Object.entries(declaredNames(model).filters ?? {})) {
    const step = model.steps.get(of)
    if (!step || step.kind === 'column') continue
    add(name, types.filter(step.to), { kind: 'relation', step: of, to: step.to })
  }
  for (const { name, base, lookup: suffix, filter } of parametersOf(types.registry, model).values()) {
    if (suffix !== 'exact' || name !== base) continue
    addParameter(types, model, name, filter, add)
  }
  return inputs
}

const lookup = (path: string, type: LookupType): FilterSource => ({ kind: 'lookup', path, type })

/** How computed fields are compared, by the type of their value. */
const COMPUTED_LOOKUPS: Readonly<Partial<Record<DerivedType, readonly [input: string, compared: LookupType]>>> = {
  text: ['StrFilterLookup', 'text'],
  integer: ['IntComparisonFilterLookup', 'integer'],
  decimal: ['FloatLookup', 'decimal'],
  boolean: ['BoolFilterLookup', 'boolean'],
  date: ['DateFilterLookup', 'date'],
  dateTime: ['DatetimeFilterLookup', 'dateTime'],
}

/** Whether no response shows the value: filters must not reveal it either. */
const isSecret = (field: Field): boolean =>
  ('writeOnly' in field && field.writeOnly === true) ||
  (field.kind === 'text' && field.hidden === true) ||
  (field.kind === 'json' && field.hidden === true && (field.verbatim || field.filter === false))

function addField(types: Types, model: Model, name: string, field: Field, add: Add): undefined {
  if (isSecret(field)) return
  switch (field.kind) {
    case 'foreignKey': {
      const to = types.registry.model(field.to)
      const offered = name.replace(/^_/, '')
      add(offered, types.filter(to), { kind: 'relation', step: name, to })
      add(`${offered}_id`, ...idInput(types, model, name, to))
      return
    }
    case 'genericForeignKey': {
      const keys = genericKeys(name, field)
      add(keys.type, types.lookup('ContentTypeFilter'), { kind: 'objectType', path: keys.type })
      add(`${keys.type}_id`, GraphQLID, { kind: 'objectTypeId', path: keys.type })
      add(keys.id, GraphQLID, { kind: 'id', path: keys.id })
      return
    }
    case 'customFields':
      return add('custom_field_data', types.lookup('JSONFilter'), {
        kind: 'json',
        column: 'custom_field_data',
      })
    case 'counter':
      return add(
        name,
        types.lookup(ORDERED_COUNTS.has(name) ? 'IntComparisonFilterLookup' : 'IntFilterLookup'),
        lookup(name, 'integer'),
      )
    case 'derived':
      if (field.expression !== undefined) {
        const [input, compared] = COMPUTED_LOOKUPS[field.type] ?? []
        if (input !== undefined && compared !== undefined) add(name, types.lookup(input), lookup(name, compared))
      } else if (name === 'family') {
        add(name, types.lookup('IPAddressFamilyEnum'), { kind: 'family', path: name })
      } else if (field.type === 'integer' && !name.startsWith('_')) {
        add(name, types.lookup('IntComparisonFilterLookup'), lookup(name, 'integer'))
      }
      return
    default:
      return isScalar(field) ? addScalar(types, model, name, field, add) : undefined
  }
}

function addScalar(types: Types, model: Model, name: string, field: ScalarField, add: Add): undefined {
  switch (field.kind) {
    case 'choice':
      // A filter of the REST API that is declared for the field replaces its own.
      if (parametersOf(types.registry, model).get(name)?.filter.kind === 'custom') return
      if (declaredNames(model).members?.includes(name)) {
        const members = types.choices(model, name, field.choices, 'member')
        return add(name, members, { kind: 'member', path: name })
      }
      return add(name, types.choices(model, name, field.choices), lookup(name, 'choice'))
    case 'json':
      // A filter of the REST API that is declared for the field replaces that of JSON.
      if (parametersOf(types.registry, model).get(name)?.filter.kind === 'custom') return
      return add(name, types.lookup('JSONFilter'), {
        kind: 'json',
        column: model.columns.get(name)?.name ?? name,
      })
    case 'objectType':
    case 'objectTypes':
      return add(name, types.lookup('ContentTypeFilter'), { kind: 'objectType', path: name })
  }
  const offered = kindOf(field).graphql.lookup?.(field)
  if (!offered) return
  const [input, compared] = offered
  if (compared === 'colour') return add(name, types.colours(), lookup(name, compared))
  const isPlain = compared === 'decimal' && PLAIN_DECIMALS.has(name)
  return add(name, types.lookup(isPlain ? 'FloatFilterLookup' : input), lookup(name, compared))
}

/** The id of a related object, in some trees with a match type. */
const idInput = (types: Types, model: Model, path: string, to: Model): [GraphQLInputType, FilterSource] =>
  declaredNames(to).matchesNodes && to !== model
    ? [types.lookup('TreeNodeFilter'), { kind: 'tree', path, to }]
    : [GraphQLID, { kind: 'id', path }]

/** Filters of the REST API that do not come from a field. */
function addParameter(types: Types, model: Model, name: string, filter: ParameterFilter, add: Add): undefined {
  const source: FilterSource = { kind: 'parameter', name }
  const texts = new GraphQLList(new GraphQLNonNull(GraphQLString))
  switch (filter.kind) {
    case 'related': {
      if (filter.by !== 'id' || !name.endsWith('_id')) return
      const to = types.registry.model(filter.to)
      add(name, ...idInput(types, model, filter.path, to))
      const step = filter.path
      return add(name.slice(0, -3), types.filter(to), { kind: 'relation', step, to })
    }
    case 'presence':
    case 'boolean':
      return add(name, GraphQLBoolean, source)
    case 'dynamicGroup':
      return add(name, texts, source)
    case 'search':
      return add(name, GraphQLString, source)
    case 'custom': {
      if (filter.choices) {
        const member = types.choices(model, name, filter.choices, 'member')
        const isList = filter.multiple && model.fields.has(name)
        return add(name, isList ? new GraphQLList(new GraphQLNonNull(member)) : member, source)
      }
      const single = { integer: GraphQLInt, boolean: GraphQLBoolean, text: GraphQLString }
      const { value } = filter
      // NetBox takes ids as texts.
      if (filter.multiple && value === 'integer' && !name.endsWith('_id')) {
        return add(name, new GraphQLList(new GraphQLNonNull(GraphQLInt)), source)
      }
      const type = value === 'integer' || value === 'boolean' ? single[value] : GraphQLString
      if (value === 'related' && filter.by === 'id') {
        return add(name, new GraphQLList(new GraphQLNonNull(GraphQLID)), source)
      }
      if (value === 'text' || value === 'related' || filter.multiple) return add(name, texts, source)
      return add(name, type, source)
    }
    default:
      return
  }
}
