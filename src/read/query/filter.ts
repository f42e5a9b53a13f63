import type { FilterableField } from './filterable-field.ts'
import type { NumberComparison, TextComparison } from './lookups.ts'

/**
 * The wanted rows of a model, as plain data: it can be stored, sent and combined, and contains neither SQL nor anything
 * about the user. Values are texts in the form that PostgreSQL reads; several values of one condition are alternatives.
 */
export type Filter = Combination | Condition

type Combination =
  | { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] }
  /** Rows that the filter does not match, including those with no value to compare. */
  | { readonly kind: 'not'; readonly filter: Filter }
  /** A single related object, to which the step of the model leads, meets the whole filter. */
  | { readonly kind: 'through'; readonly step: string; readonly filter: Filter }
  /** A column with one or several names of object types names one that meets the filter. */
  | { readonly kind: 'ofType'; readonly path: string; readonly filter: Filter }

/** One comparison of the value at the end of a path, or of the row as a whole. */
export type Condition =
  | {
      readonly kind: 'text'
      readonly path: string
      readonly comparison: TextComparison
      readonly values: readonly string[]
    }
  | {
      readonly kind: 'number'
      readonly type: NumberType
      readonly path: string
      readonly comparison: NumberComparison
      readonly values: readonly string[]
    }
  | { readonly kind: 'boolean'; readonly path: string; readonly value: boolean }
  | { readonly kind: 'uuid'; readonly path: string; readonly value: string }
  | { readonly kind: 'hardwareAddress'; readonly path: string; readonly values: readonly string[] }
  /** Any element of a list compares with any of the values. */
  | {
      readonly kind: 'list'
      readonly of: 'integer' | 'text'
      readonly path: string
      readonly comparison: NumberComparison
      readonly values: readonly string[]
    }
  /**
   * The path leads to an object whose column `by` has one of the names, in trees (`descendants`) also to a node below
   * it.
   */
  | {
      readonly kind: 'related'
      readonly path: string
      readonly to: string
      readonly by: string
      readonly names: readonly string[]
      readonly descendants?: boolean
    }
  /** `present`: the path leads to a value. `lacking`: at least one end of the path has no value. */
  | { readonly kind: 'present' | 'lacking'; readonly path: string }
  /** A value that is not empty. */
  | { readonly kind: 'filled'; readonly path: string; readonly of: 'text' | 'list' }
  | ObjectTypeCondition
  /**
   * A filter of the model that a function defines, by its name; its values are in the form that the function expects,
   * related objects by name.
   */
  | {
      readonly kind: 'custom'
      readonly name: string
      readonly values: readonly (string | number | boolean | null)[]
    }
  /** The text is found in one of the places that the model searches. */
  | { readonly kind: 'search'; readonly text: string }
  /** Objects that the request created or changed, by its id. */
  | {
      readonly kind: 'request'
      readonly actions: readonly ('create' | 'update')[]
      readonly request: string
    }
  | DynamicGroupCondition
  | {
      readonly kind: 'customField'
      readonly field: FilterableField
      readonly comparison: TextComparison | NumberComparison | 'filled' | 'lacking'
      readonly values: readonly string[]
    }
  | JsonKeyCondition
  | JsonTimestampCondition
  | TimePartCondition
  | ListCondition
  | TreeMatchCondition

/** The row is a member of one of the dynamic groups, which `by` names. */
export interface DynamicGroupCondition {
  readonly kind: 'dynamicGroup'
  readonly by: 'id' | 'slug'
  readonly names: readonly string[]
}

/** A part of a date or time, as a whole number; `date` and `time` as themselves. Without values: the value exists. */
export interface TimePartCondition {
  readonly kind: 'timePart'
  readonly path: string
  readonly part: string
  readonly comparison: NumberComparison
  readonly values: readonly string[]
}

/** A list as a whole: `contains`, `contained_by` and `overlap` take a list, `length` a number. */
export interface ListCondition {
  readonly kind: 'listCompare'
  readonly path: string
  readonly comparison: string
  readonly values: unknown
}

/** The path leads to a node in this relation (`DESCENDANTS`, …) to the node with the id. */
export interface TreeMatchCondition {
  readonly kind: 'treeMatch'
  readonly path: string
  /** Name of the tree's model. */
  readonly tree: string
  readonly id: string
  readonly match: string
}

export type NumberType = 'integer' | 'decimal' | 'date' | 'dateTime'

/** The type of an object, in a column of one name or of a list of names. */
export type ObjectTypeCondition = { readonly kind: 'objectType'; readonly path: string } & (
  | { readonly by: 'name'; readonly values: readonly string[] }
  /** By the ids of types that must exist. */
  | { readonly by: 'id'; readonly values: readonly string[] }
  | {
      readonly by: 'number'
      readonly comparison: NumberComparison
      readonly values: readonly string[]
    }
  | {
      readonly by: 'text'
      readonly comparison: TextComparison
      readonly values: readonly string[]
    }
)

/** The place of a value within a JSON column. */
export interface JsonPlace {
  /** Name of the column. */
  readonly column: string
  readonly keys: readonly string[]
}

/**
 * A part of a date or time that is a text within a JSON column, as a whole number. Without values: the value exists.
 */
export interface JsonTimestampCondition extends JsonPlace {
  readonly kind: 'jsonTimestamp'
  readonly part: string
  readonly comparison: NumberComparison
  readonly values: readonly string[]
}

/** A key of a JSON column. Texts compare with texts; otherwise `value` is JSON and compares with values of its own type. */
export interface JsonKeyCondition extends JsonPlace {
  readonly kind: 'jsonKey'
  readonly comparison: TextComparison | NumberComparison
  readonly value: string
}

/** The filter that matches no row. */
export const NO_MATCH: Filter = { kind: 'or', filters: [] }

export const anyOf = (filters: readonly Filter[]): Filter =>
  filters.length === 1 && filters[0] ? filters[0] : { kind: 'or', filters }

export const not = (filter: Filter): Filter => ({ kind: 'not', filter })

export const notIf = (isNegated: boolean | undefined, filter: Filter): Filter => (isNegated ? not(filter) : filter)
