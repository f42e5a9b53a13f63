import { isScalar, kindOf } from '../../schema/field.ts'
import { type ChoiceFilter, type FilterDeclaration, related, relatedTree } from '../../schema/filter.ts'
import type { Feature } from '../../schema/model.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { type FilterableField, lookupFamily } from './filterable-field.ts'
import { type LookupName, lookupsOf } from './lookups.ts'

/** The filter of a parameter: a declared one, or one from a feature of the model. */
export type ParameterFilter =
  | FilterDeclaration
  /** `q`. */
  | { readonly kind: 'search' }
  /** Objects that have all of the tags. */
  | { readonly kind: 'tag'; readonly to: string; readonly by: 'id' | 'slug' }
  /** Objects that a request wrote, by its id. */
  | { readonly kind: 'request'; readonly actions: readonly ('create' | 'update')[] }
  /** Members of dynamic groups. */
  | { readonly kind: 'dynamicGroup'; readonly by: 'id' | 'slug' }
  /** `cf_<name>`. */
  | { readonly kind: 'customField'; readonly field: FilterableField }

export type ParameterKind = ParameterFilter['kind']

/** One query parameter of a collection. */
export interface Parameter {
  /** As in the URL: `name__ic`. */
  readonly name: string
  /** Without the lookup: `name`. */
  readonly base: string
  readonly lookup: LookupName
  readonly filter: ParameterFilter
  /** Several values are allowed. If not, the last one counts. */
  readonly multiple: boolean
}

const TEXT = lookupsOf('text')
const NUMBER = lookupsOf('number')
const withoutEmpty = (names: readonly LookupName[]) => names.filter((name) => name !== 'empty')
const FAMILIES = { text: TEXT, number: NUMBER, none: [] }

/** Suffixes that a filter offers in addition to its bare name. */
function suffixesOf(filter: ParameterFilter): readonly LookupName[] {
  switch (filter.kind) {
    case 'text':
      if (filter.plain) return []
      return filter.withoutEmpty ? withoutEmpty(TEXT) : TEXT
    case 'choice':
      return filter.withoutEmpty || typeof filter.choices.list[0]?.value === 'number' ? withoutEmpty(TEXT) : TEXT
    case 'hardwareAddress':
      return withoutEmpty(TEXT)
    case 'integer':
    case 'decimal':
    case 'date':
    case 'dateTime':
      if (filter.plain || filter.compare) return []
      return filter.withoutEmpty ? withoutEmpty(NUMBER) : NUMBER
    case 'listContains':
      return NUMBER
    case 'related':
    case 'dynamicGroup':
      return ['n']
    case 'objectType':
      if (filter.numberLookups) return NUMBER
      return filter.textLookups ? withoutEmpty(TEXT) : ['n']
    case 'tag':
      return ['n', 'any']
    case 'customField':
      return FAMILIES[lookupFamily(filter.field)]
    case 'boolean':
    case 'presence':
    case 'uuid':
    case 'custom':
    case 'search':
    case 'request':
      return []
  }
}

/** Whether a lookup of a choice compares values that need not be choices. */
export const takesAnyValue = (filter: ChoiceFilter, lookup: LookupName): boolean =>
  filter.single === true && !['exact', 'n', 'empty'].includes(lookup)

/** Whether the parameter may be repeated. */
function isMultiple(filter: ParameterFilter, lookup: LookupName): boolean {
  if (lookup === 'empty') return false
  switch (filter.kind) {
    case 'boolean':
    case 'presence':
    case 'uuid':
    case 'search':
    case 'request':
      return false
    case 'custom':
      return filter.multiple
    case 'tag':
    case 'dynamicGroup':
      return true
    case 'customField':
      return filter.field.type !== 'boolean'
    case 'choice':
      return filter.single !== true || takesAnyValue(filter, lookup)
    default:
      return filter.single !== true
  }
}

/** Whether dynamic groups can contain objects of the model: it has a list with filters. */
const hasDynamicGroups = (model: Model): boolean => model.path !== '' && model.definition.private !== true

const GROUP_FILTERS = {
  dynamic_group_id: { kind: 'dynamicGroup', by: 'id' },
  dynamic_group: { kind: 'dynamicGroup', by: 'slug' },
} as const

/** The filters that a feature adds to its models. */
const FEATURE_FILTERS: Readonly<Partial<Record<Feature, Readonly<Record<string, ParameterFilter>>>>> = {
  changeLogging: {
    created_by_request: { kind: 'request', actions: ['create'] },
    updated_by_request: { kind: 'request', actions: ['update'] },
    modified_by_request: { kind: 'request', actions: ['create', 'update'] },
  },
  contacts: {
    contact: related('contacts.contact', SYSTEM.contact),
    contact_role: related('contacts.role', SYSTEM.contactRole),
    contact_group: relatedTree('contacts.contact.groups', SYSTEM.contactGroup),
  },
}

/** Filters of a model by their bare names, automatic ones first. */
function filtersOf(registry: Registry, model: Model): ReadonlyMap<string, ParameterFilter> {
  const filters = new Map<string, ParameterFilter>([['id', { kind: 'integer', path: 'id' }]])
  const add = (more: Readonly<Record<string, ParameterFilter | null>> = {}) => {
    for (const [name, filter] of Object.entries(more)) {
      if (filter) filters.set(name, filter)
      else filters.delete(name)
    }
  }
  for (const [name, field] of model.fields) {
    if (field.kind === 'foreignKey') add(field.filters)
    if ('filter' in field && field.filter === false) continue
    if (field.kind !== 'tags' && 'hidden' in field && field.hidden) continue
    if ('writeOnly' in field && field.writeOnly) continue
    if (field.kind === 'counter') filters.set(name, { kind: 'integer', path: name })
    else if (field.kind === 'foreignKey') {
      const target = registry.model(field.to)
      const isParent = model.definition.tree?.parent === name
      const descendants = target.definition.tree !== undefined && !isParent
      const filter = { kind: 'related', path: name, to: field.to, descendants } as const
      filters.set(`${name}_id`, { ...filter, by: 'id' })
      if (target.fields.has('slug')) filters.set(name, { ...filter, by: 'slug' })
    } else if (field.kind === 'genericForeignKey') {
      const { typeField = `${name}_type`, idField = `${name}_id` } = field
      filters.set(typeField, { kind: 'objectType', path: typeField })
      filters.set(idField, { kind: 'integer', path: idField })
    } else if (field.kind === 'tags') {
      filters.set('tag', { kind: 'tag', to: SYSTEM.tag, by: 'slug' })
      filters.set('tag_id', { kind: 'tag', to: SYSTEM.tag, by: 'id' })
    } else if (isScalar(field)) {
      const filter = kindOf(field).filter?.(name, field)
      if (filter) filters.set(name, filter)
    }
  }
  const { search, tree } = model.definition
  if (tree && model.fields.has('slug')) {
    filters.set('ancestor_id', relatedTree(tree.parent, model.name))
    filters.set('ancestor', relatedTree(tree.parent, model.name, 'slug'))
  }
  if (search) filters.set('q', { kind: 'search' })
  if (hasDynamicGroups(model)) add(GROUP_FILTERS)
  for (const feature of model.definition.features ?? []) add(FEATURE_FILTERS[feature])
  add(model.definition.filters)
  return filters
}

/** The parameters of one filter: its bare name and those with a suffix. */
export function parametersOfFilter(name: string, filter: ParameterFilter): readonly Parameter[] {
  return (['exact', ...suffixesOf(filter)] as const).map((lookup) => ({
    name: lookup === 'exact' ? name : `${name}__${lookup}`,
    base: name,
    lookup,
    filter,
    multiple: isMultiple(filter, lookup),
  }))
}

/**
 * Every filter parameter of a model's collection, lookups included, by name. Not included: parameters of custom fields,
 * which depend on data, saved filters (`filter`, `filter_id`), and the parameters for fields, order and pages.
 */
export const parametersOf = (registry: Registry, model: Model): ReadonlyMap<string, Parameter> =>
  parametersByModel(model, registry)

const parametersByModel = oncePer((model: Model, registry: Registry) => {
  const all = new Map<string, Parameter>()
  for (const [name, filter] of filtersOf(registry, model)) {
    for (const parameter of parametersOfFilter(name, filter)) {
      // A declared name wins over one built with a suffix: created__before is a separate filter.
      const isDeclared = model.definition.filters?.[parameter.name] !== undefined
      if (parameter.lookup === 'exact' || !isDeclared) all.set(parameter.name, parameter)
    }
  }
  return all
})
