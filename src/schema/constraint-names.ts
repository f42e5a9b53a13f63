import { boundedName } from './bounded-name.ts'
import type { Unique } from './model.ts'
import { oncePerModel } from './once-per-model.ts'
import type { Model } from './registry.ts'

/**
 * The model's unique constraints by their names in the database: those of single fields first, then
 * the declared ones. Of two on the same fields the later one is named for its condition too.
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

/** The columns of references that the database keeps whole, with their targets, by the names of what keeps them so. */
export const foreignKeysOf = oncePerModel(
  (model): ReadonlyMap<string, { readonly column: string; readonly to: string }> =>
    new Map(
      [...model.columns.values()].flatMap(({ field, name }) =>
        field.kind === 'foreignKey' && field.repeats === undefined
          ? [[foreignKeyName(model.table, name), { column: name, to: field.to }]]
          : [],
      ),
    ),
)

/** The name in the database of what keeps the references in a column whole. */
export const foreignKeyName = (table: string, column: string): string =>
  boundedName(table, column, 'fkey')

const humanize = (unique: Unique): readonly string[] => [
  ...unique.fields,
  ...(unique.ignoreCase ? ['case', ...unique.ignoreCase] : []),
  ...(unique.whereNull ? ['null', ...unique.whereNull] : []),
  ...(unique.whereNotNull ? ['set', ...unique.whereNotNull] : []),
  ...(unique.whereNotEmpty ? ['filled', ...unique.whereNotEmpty] : []),
  ...(unique.nullsEqual ? ['equal'] : []),
]
