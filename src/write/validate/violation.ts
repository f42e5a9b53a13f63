import { ApiError, invalid } from '../../base/errors.ts'
import type { ConstraintViolation } from '../../db/failures.ts'
import type { RowSecurity } from '../../read/query/row-security.ts'
import { constraintNames } from '../../schema/constraint-names.ts'
import type { Registry } from '../../schema/registry.ts'
import { duplicate, unusable } from './unique.ts'

/** SQLSTATEs of class 23 that a client can cause. */
const UNIQUE = '23505'
/** The second one since PostgreSQL 18, if a row that still refers to another prevents its deletion. */
const FOREIGN_KEY: readonly string[] = ['23503', '23001']

/**
 * The refusal for a violated database constraint, in the form of the pipeline's own checks: concurrent writers get
 * the same error as consecutive ones, and conflicts with hidden rows are not revealed. Undefined for internal errors.
 */
export function refusalOf(
  { registry, visibleRows }: RowSecurity,
  { code, constraint = '', table = '' }: ConstraintViolation,
): ApiError | undefined {
  const model = [...registry.models.values()].find((candidate) => candidate.table === table)
  if (FOREIGN_KEY.includes(code)) {
    const label = model?.definition.labels[0] ?? 'object'
    const detail =
      table !== '' && isForeignTable(registry, table)
        ? referredByAbsent(table)
        : `The ${label} refers to an object that has been deleted in the meantime.`
    return new ApiError({ kind: 'inUse', detail })
  }
  if (code !== UNIQUE || !model) return undefined
  const unique = constraintNames(model).get(constraint)
  if (!unique) return undefined
  const { place, sentence } = duplicate(model, unique)
  return invalid({ [place]: [visibleRows(model) === 'all' ? sentence : unusable(unique)] })
}

/** Why an object cannot be deleted while rows of a plugin that is not loaded refer to it. */
export const referredByAbsent = (table: string): string =>
  `The object cannot be deleted: rows of the table ${table}, whose plugin is not loaded, refer to it.`

/** Whether the table belongs to no model of the program, but to a plugin that is not loaded. */
const isForeignTable = ({ models, joinTable }: Registry, table: string): boolean =>
  [...models.values()].every(
    (model) =>
      model.table !== table &&
      [...model.fields].every(
        ([name, field]) => field.kind !== 'manyToMany' || joinTable(model, name, field).table !== table,
      ),
  )
