import { type Sql, sql } from '../sql/fragment.ts'
import type { ChoiceSet } from './choices.ts'
import type { ColumnOf } from './path.ts'

/** SQL of a plain text parameter (without a lookup suffix). */
export type TextDefault = 'exact' | 'ie' | 'ic'

interface Common {
  /** Dotted path from the model to the column or relation that is compared. */
  readonly path: string
  /** Only the last of several values counts; `null` has no special meaning. */
  readonly single?: boolean
  /** The lookup `empty` does not exist. */
  readonly withoutEmpty?: boolean
}
/** Twelve lookups of text. `form` determines how values of special columns are converted to text. */
export interface TextFilter extends Common {
  readonly kind: 'text'
  readonly default?: TextDefault
  /** The parameter exists without any lookup suffix. */
  readonly plain?: boolean
}
/** A hardware address, in any spelling; text lookups compare its canonical text. */
export interface HardwareAddressFilter extends Common {
  readonly kind: 'hardwareAddress'
}
export interface ChoiceFilter extends Common {
  readonly kind: 'choice'
  readonly choices: ChoiceSet
}
/** Six lookups: n, lt, lte, gt, gte, empty. */
export interface NumberFilter extends Common {
  readonly kind: 'integer' | 'decimal' | 'date' | 'dateTime'
  /** The parameter exists without any lookup suffix. */
  readonly plain?: boolean
  /** Comparison of the bare parameter, for parameters such as `created_after`. */
  readonly compare?: 'lt' | 'lte' | 'gt' | 'gte'
}
export interface BooleanFilter extends Common {
  readonly kind: 'boolean'
}
/** Boolean parameter: whether the path leads to a value (`inverted`: to none). */
export interface PresenceFilter extends Common {
  readonly kind: 'presence'
  readonly inverted?: boolean
}
/**
 * Related objects identified by one of their columns (id, slug, name, …); an unknown value is refused. In trees
 * (`descendants`) the nodes below count too. Only lookup: n.
 */
export interface RelatedFilter extends Common {
  readonly kind: 'related'
  readonly to: string
  readonly by: string
  readonly descendants?: boolean
}
/** `app.model` names in a text or text[] column. `textLookups`: twelve lookups instead of n. */
export interface ObjectTypeFilter extends Common {
  readonly kind: 'objectType'
  /** Values are ids of object types instead of names. */
  readonly byId?: boolean
  readonly textLookups?: boolean
  /** With `byId`: ids have the lookups of numbers, and unknown ones match nothing. */
  readonly numberLookups?: boolean
}
/** Whether an array column contains the number. */
export interface ListContainsFilter extends Common {
  readonly kind: 'listContains'
  readonly of: 'integer' | 'text'
}
export interface UuidFilter extends Common {
  readonly kind: 'uuid'
}

export type CustomValue = 'text' | 'uuid' | 'integer' | 'boolean' | 'related' | 'choice'
/** Arguments of a custom filter's `where`. */
export interface FilterScope {
  /** SQL of a column of the filtered row, also through foreign keys. */
  readonly column: ColumnOf
  /** SQL of the filtered row's own id. */
  readonly id: Sql
  /** Id of the requesting user; undefined for anonymous requests. */
  readonly user?: number | undefined
  /** SQL of the item, for a filter with `itemOf`. */
  readonly item: Sql
  /** Rows of another model that satisfy the condition, as `select id …`. */
  readonly select: (model: string, where: (column: ColumnOf) => Sql) => Sql
}
/** A parameter whose meaning only a function can express. It has no lookup suffix. */
export interface CustomFilter {
  readonly kind: 'custom'
  readonly value: CustomValue
  /** For `related`: values must exist in this model, as with RelatedFilter; `where` gets the ids. */
  readonly to?: string
  readonly by?: string
  /** All matching values; other values are refused if `value` is `choice`. */
  readonly choices?: ChoiceSet
  readonly multiple: boolean
  /** An example value, for readers of the OpenAPI document. */
  readonly example?: string
  /** Whether GraphQL leaves the value out, as NetBox does there. Without any value the filter is left out too. */
  readonly leavesOut?: (value: string) => boolean
  /** Column with a list of texts: `where` applies to one item of it, the same item for all filters of the column. */
  readonly itemOf?: string
  /** Predicate for all values together (parsed; at least one). `null` in the list means IS NULL. */
  readonly where: (scope: FilterScope, values: readonly (string | number | boolean | null)[]) => Sql
}

/** The meaning of one query parameter of a collection. */
export type FilterDeclaration =
  | TextFilter
  | HardwareAddressFilter
  | ChoiceFilter
  | NumberFilter
  | BooleanFilter
  | PresenceFilter
  | RelatedFilter
  | ObjectTypeFilter
  | ListContainsFilter
  | UuidFilter
  | CustomFilter

type Options<F> = Omit<F, 'kind' | 'path'>

export const textFilter = (path: string, options: Options<TextFilter> = {}): TextFilter => ({
  kind: 'text',
  path,
  ...options,
})
export const choiceFilter = (
  path: string,
  choices: ChoiceSet,
  options: Pick<Common, 'single' | 'withoutEmpty'> = {},
): ChoiceFilter => ({
  kind: 'choice',
  path,
  choices,
  ...options,
})
export const numberFilter = (
  path: string,
  kind: NumberFilter['kind'] = 'integer',
  options: Options<NumberFilter> = {},
): NumberFilter => ({ kind, path, ...options })
export const booleanFilter = (path: string): BooleanFilter => ({ kind: 'boolean', path })
export const hardwareAddressFilter = (path: string): HardwareAddressFilter => ({
  kind: 'hardwareAddress',
  path,
})
export const objectTypeFilter = (path: string, options: Options<ObjectTypeFilter> = {}): ObjectTypeFilter => ({
  kind: 'objectType',
  path,
  ...options,
})
export const listContains = (path: string, of: ListContainsFilter['of']): ListContainsFilter => ({
  kind: 'listContains',
  path,
  of,
})
/** True: the path leads to a value. */
export const present = (path: string): PresenceFilter => ({ kind: 'presence', path })
/** True: the path leads to no value. */
export const absent = (path: string): PresenceFilter => ({ kind: 'presence', path, inverted: true })
export const related = (path: string, to: string, by = 'id', options: Pick<Common, 'single'> = {}): RelatedFilter => ({
  kind: 'related',
  path,
  to,
  by,
  ...options,
})
/** As `related`, including all descendants of the named nodes. */
export const relatedTree = (path: string, to: string, by = 'id'): RelatedFilter => ({
  kind: 'related',
  path,
  to,
  by,
  descendants: true,
})
/** Two filters for the same objects: `<name>_id` by id, and `<name>` by another column (`by`: slug, name, …). */
export const byIdAnd = <const Name extends string>(
  by: string,
  name: Name,
  filter: RelatedFilter,
): { readonly [N in Name | `${Name}_id`]: RelatedFilter } =>
  // TypeScript widens a computed key to string.
  ({ [`${name}_id`]: filter, [name]: { ...filter, by } }) as {
    readonly [N in Name | `${Name}_id`]: RelatedFilter
  }
export const custom = (options: Omit<CustomFilter, 'kind'>): CustomFilter => ({
  kind: 'custom',
  ...options,
})
/** Boolean parameter: whether the predicate is true. A predicate that is null counts as false. */
export const holds = (predicate: (scope: FilterScope) => Sql): CustomFilter =>
  custom({
    value: 'boolean',
    multiple: false,
    where: (scope, [expected]) => {
      const held = predicate(scope)
      return expected ? sql`(${held}) is true` : sql`(${held}) is not true`
    },
  })
