import { boundedName } from './bounded-name.ts'
import type { ForeignKeyField } from './field.ts'
import type { Unique } from './model.ts'
import { oncePer } from './once-per.ts'
import type { Model } from './registry.ts'

/**
 * The model's unique constraints by their database names: those of single fields first, then the declared ones. If
 * two have the same fields, the name of the later one includes its condition.
 */
export function constraintNames(model: Model): ReadonlyMap<string, Unique> {
  const names = new Map<string, Unique>()
  const single = [...model.fields]
    .filter(([, field]) => 'unique' in field && field.unique)
    .map(([name]): Unique => ({ fields: [name] }))
  for (const unique of [...single, ...(model.definition.unique ?? [])]) {
    const name = boundedName(model.table, ...unique.fields, 'unique')
    const free = names.has(name) ? boundedName(model.table, ...humanize(unique), 'unique') : name
    if (names.has(free)) throw new Error(`${model.name}: the constraint ${free} is declared twice`)
    names.set(free, unique)
  }
  return names
}

/** Columns with foreign key constraints and their fields, by constraint name. */
export const foreignKeysOf = oncePer(
  (model: Model): ReadonlyMap<string, { readonly column: string; readonly field: ForeignKeyField<unknown> }> =>
    new Map(
      [...model.columns.values()].flatMap(({ field, name }) =>
        field.kind === 'foreignKey' && field.repeats === undefined
          ? [[foreignKeyName(model.table, name), { column: name, field }]]
          : [],
      ),
    ),
)

/** Database name of the foreign key constraint of a column. */
export const foreignKeyName = (table: string, column: string): string => boundedName(table, column, 'fkey')

const humanize = (unique: Unique): readonly string[] => [
  ...unique.fields,
  ...(unique.ignoreCase ? ['case', ...unique.ignoreCase] : []),
  ...(unique.whereNull ? ['null', ...unique.whereNull] : []),
  ...(unique.whereNotNull ? ['set', ...unique.whereNotNull] : []),
  ...(unique.whereNotEmpty ? ['filled', ...unique.whereNotEmpty] : []),
  ...(unique.nullsEqual ? ['equal'] : []),
]
