import type { Model } from '../../schema/registry.ts'
import { Sql } from '../../sql/fragment.ts'
import { table, tableOfTypes } from '../../sql/table.ts'

/** Predicate: the column, which holds a type of objects, holds one of these types. */
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

/** Predicates that all have to hold. There is at least one. */
export class Conjunction extends Sql {
  readonly predicates: readonly Sql[]

  constructor(predicates: readonly Sql[]) {
    super(['', ...Array<string>(predicates.length - 1).fill(' and '), ''], predicates)
    this.predicates = predicates
  }
}

/**
 * The table of the model, for reading the rows for which the predicate holds and no others. If it asks for some types of objects alone, row-level
 * security asks for no other: generic relations may lead to objects of a hundred models, the visible rows of each of which are planned.
 */
export function filteredTable(model: Model, where: Sql | undefined): Sql {
  const predicates = where instanceof Conjunction ? where.predicates : []
  const ofTypes = predicates.find((each) => each instanceof TypePredicate)
  return ofTypes ? tableOfTypes(model, ofTypes.column, ofTypes.types) : table(model)
}
