import type { Model } from '../../schema/registry.ts'
import { Sql } from '../../sql/fragment.ts'
import { table, tableOfTypes } from '../../sql/table.ts'

/** Predicate: the column, which contains an object type, contains one of these types. */
export class TypePredicate extends Sql {
  readonly column: string
  readonly types: readonly string[]

  /** `value`: the column with the alias of its rows. */
  constructor(value: Sql, column: string, types: readonly string[]) {
    super(['', ' = any(', '::text[])'], [value, types])
    this.column = column
    this.types = types
  }
}

/** Predicates that must all hold. There is at least one. */
export class Conjunction extends Sql {
  readonly predicates: readonly Sql[]

  constructor(predicates: readonly Sql[]) {
    super(['', ...Array<string>(predicates.length - 1).fill(' and '), ''], predicates)
    this.predicates = predicates
  }
}

/**
 * The table of the model, for reading only the rows for which the predicate holds. If it restricts the object types,
 * row-level security handles only these: a generic relation may lead to objects of a hundred models, and the visible
 * rows of each would have to be planned.
 */
export function filteredTable(model: Model, where: Sql | undefined): Sql {
  const predicates = where instanceof Conjunction ? where.predicates : []
  const ofTypes = predicates.find((predicate) => predicate instanceof TypePredicate)
  return ofTypes ? tableOfTypes(model, ofTypes.column, ofTypes.types) : table(model)
}
