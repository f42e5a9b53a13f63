import { type Sql, sql } from '../sql/fragment.ts'
import type { ChoiceSet } from './choices.ts'
import type { ColumnOf } from './path.ts'

/** Which SQL a plain text parameter (without a lookup suffix) stands for. */
export type TextDefault = 'exact' | 'ie' | 'ic'

interface Common {
  /** Dotted path from the model to the column or relation that is compared. */
  readonly path: string
  /** Only the last of several values counts; `null` is no token. */
  readonly single?: boolean
  /** The lookup `empty` does not exist. */
  readonly withoutEmpty?: boolean
}
/** Twelve lookups of text. `form` says how values of special columns are brought into text. */
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
  /** What the bare parameter means; a fixed one for parameters such as `created_after`. */
  readonly compare?: 'lt' | 'lte' | 'gt' | 'gte'
}
export interface BooleanFilter extends Common {
  readonly kind: 'boolean'
}
/** Boolean parameter: whether the path leads to anything (`inverted`: to nothing). */
export interface PresenceFilter extends Common {
  readonly kind: 'presence'
  readonly inverted?: boolean
}
/**
 * Related objects named by a column of theirs (id, slug, name, …); a value that names none is
 * refused. In trees (`descendants`) the objects below count too. Only lookup: n.
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
  /** With `byId`: ids are compared as any number is, and unknown ones match nothing. */
  readonly numberLookups?: boolean
}
/** Whether an array column holds the number. */
export interface ListContainsFilter extends Common {
  readonly kind: 'listContains'
  readonly of: 'integer' | 'text'
}
export interface UuidFilter extends Common {
  readonly kind: 'uuid'
}

export type CustomValue = 'text' | 'uuid' | 'integer' | 'boolean' | 'related' | 'choice'
/** What a custom filter's `where` may use. */
export interface FilterScope {
  /** SQL of a column of the filtered row, also through foreign keys. */
  readonly column: ColumnOf
  /** SQL of the filtered row's own id. */
  readonly id: Sql
  /** Id of the user who asks; undefined for nobody. */
  readonly user?: number | undefined
  /** Rows of another model that satisfy parsed parameters, as `select id …`; for delegation. */
  readonly select: (model: string, where: (column: ColumnOf) => Sql) => Sql
}
/** A parameter whose meaning only a function can say. It has no lookup suffix. */
export interface CustomFilter {
  readonly kind: 'custom'
  readonly value: CustomValue
  /** For `related`: values must exist there, as with RelatedFilter; `where` gets the ids. */
  readonly to?: string
  readonly by?: string
  readonly choices?: ChoiceSet
  readonly multiple: boolean
  /** Predicate for all values together (already parsed; at least one). `null` in the list: IS NULL token. */
  readonly where: (scope: FilterScope, values: readonly (string | number | boolean | null)[]) => Sql
}

export type Filter =
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
export const objectTypeFilter = (
  path: string,
  options: Options<ObjectTypeFilter> = {},
): ObjectTypeFilter => ({ kind: 'objectType', path, ...options })
export const listContains = (path: string, of: ListContainsFilter['of']): ListContainsFilter => ({
  kind: 'listContains',
  path,
  of,
})
/** True: the path leads to something. */
export const present = (path: string): PresenceFilter => ({ kind: 'presence', path })
/** True: the path leads to nothing. */
export const absent = (path: string): PresenceFilter => ({ kind: 'presence', path, inverted: true })
export const related = (
  path: string,
  to: string,
  by = 'id',
  options: Pick<Common, 'single'> = {},
): RelatedFilter => ({
  kind: 'related',
  path,
  to,
  by,
  ...options,
})
/** As `related`, with everything below the named nodes. */
export const relatedTree = (path: string, to: string, by = 'id'): RelatedFilter => ({
  kind: 'related',
  path,
  to,
  by,
  descendants: true,
})
/**
 * Two filters for the same objects: `<name>_id` by their ids, and `<name>` by another column of theirs
 * (`by`: slug, name, …).
 */
export const byIdAnd = <const Name extends string>(
  by: string,
  name: Name,
  filter: RelatedFilter,
): { readonly [N in Name | `${Name}_id`]: RelatedFilter } =>
  // A computed name widens to any text.
  ({ [`${name}_id`]: filter, [name]: { ...filter, by } }) as {
    readonly [N in Name | `${Name}_id`]: RelatedFilter
  }
export const custom = (options: Omit<CustomFilter, 'kind'>): CustomFilter => ({
  kind: 'custom',
  ...options,
})
/** Boolean parameter: whether the predicate holds. A predicate that is null does not hold. */
export const holds = (predicate: (scope: FilterScope) => Sql): CustomFilter =>
  custom({
    value: 'boolean',
    multiple: false,
    where: (scope, [wanted]) => {
      const held = predicate(scope)
      return wanted ? sql`(${held}) is true` : sql`(${held}) is not true`
    },
  })
