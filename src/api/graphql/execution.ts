import type { FieldNode } from 'graphql'
import type { RelatedValues } from '../../read/query/related-values.ts'
import type { RowSecurity } from '../../read/query/row-security.ts'
import type { Reader } from '../../read/serialise/plan.ts'
import type { Service } from '../../service.ts'
import type { Queryable } from '../../sql/queryable.ts'
import type { Catalogue } from './catalogue.ts'
import type { QueryProblem } from './errors.ts'
import type { QueryParts } from './selection.ts'

/** State shared by all parts of one response. */
export interface Execution {
  readonly service: Service
  readonly catalogue: Catalogue
  readonly parts: QueryParts
  readonly security: RowSecurity
  /** Id of the user, for filters of users' own objects. */
  readonly user: number | undefined
  /** The database as the user may see it: every statement is restricted. */
  readonly database: Queryable
  /** Reads objects as the user may see them. */
  readonly reader: Reader
  /** Reads the parts of a visible object, even if the user may not view them separately. */
  readonly whole: Reader
  readonly related: RelatedValues
  readonly problems: QueryProblem[]
  /** Notes rows that were read; throws when they are too many. */
  readonly count: (rows: number) => void
  /** Notes the length of text that becomes part of another; throws if the total is too long. */
  readonly grow: (length: number) => void
}

/**
 * Represents an object that cannot be shown because it lacks a value promised by its type. No JSON text contains the
 * character.
 */
export const VOID = '\u0000'

export const placeOf = (node: FieldNode | undefined): Pick<QueryProblem, 'locations'> => {
  const start = node?.loc?.startToken
  return start ? { locations: [{ line: start.line, column: start.column }] } : {}
}
