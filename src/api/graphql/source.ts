import type { ToMany } from '../../read/query/to-many.ts'
import type { ComputedField, CustomFieldsField } from '../../schema/field.ts'
import type { LookupType, ToText } from '../../schema/fields/kind.ts'
import type { Model } from '../../schema/registry.ts'
import type { Sql } from '../../sql/fragment.ts'

/** The source of a field of an object type. */
export type Source =
  /** A value of the row `t`; `text` writes it unless it is null. */
  | { readonly kind: 'value'; readonly select: Sql; readonly text: ToText }
  | { readonly kind: 'display' }
  /** The same for all objects of the type, as JSON text. */
  | { readonly kind: 'constant'; readonly text: string }
  /** The object whose id is in the row. */
  | { readonly kind: 'toOne'; readonly to: Model; readonly id: Sql }
  | { readonly kind: 'toMany'; readonly step: ToMany; readonly single?: boolean }
  /** The object that the row refers to, of any of several models. */
  | {
      readonly kind: 'generic'
      readonly type: Sql
      readonly id: Sql
      readonly to: readonly Model[]
    }
  /** Objects of several models that a declaration computes. */
  | { readonly kind: 'objectList'; readonly field: ObjectList; readonly to: readonly Model[] }
  | { readonly kind: 'computed'; readonly field: ComputedField }
  /** The stored values of custom fields, null if there is none. */
  | { readonly kind: 'customFields'; readonly field: CustomFieldsField }
  /** Object types in the row: one, or a list. */
  | { readonly kind: 'objectTypes'; readonly names: Sql; readonly isList: boolean }
  /** An object whose fields are derived from one value of the row; null if the value is null or empty. */
  | {
      readonly kind: 'parts'
      readonly select: Sql
      readonly parts: ValueParts
      readonly typeName: string
    }

/** What computes the objects of a list. */
type ObjectList = Pick<ComputedField, 'queries' | 'load'>

/** JSON texts of the fields of a value that is shown as an object. */
export type ValueParts = Readonly<Record<string, (value: unknown) => string>>

/** What a filter input refers to: a field, a relation or a lookup. */
export type FilterSource =
  | { readonly kind: 'lookup'; readonly path: string; readonly type: LookupType }
  /** A choice by itself, without a lookup. */
  | { readonly kind: 'member'; readonly path: string }
  /** A filter over the objects at the end of a path. */
  | { readonly kind: 'relation'; readonly step: string; readonly to: Model }
  | { readonly kind: 'id'; readonly path: string }
  | { readonly kind: 'tree'; readonly path: string; readonly to: Model }
  | { readonly kind: 'objectType'; readonly path: string }
  | { readonly kind: 'objectTypeId'; readonly path: string }
  | { readonly kind: 'json'; readonly column: string }
  | { readonly kind: 'family'; readonly path: string }
  /** The same filter as the REST API's parameter of this name. */
  | { readonly kind: 'parameter'; readonly name: string }
