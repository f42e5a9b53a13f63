import { oncePer } from './once-per.ts'
import type { Model } from './registry.ts'

/** Fields whose values identify an object of a model. */
export interface NaturalKey {
  readonly fields: readonly string[]
  /** Fields that have no value in objects that the key identifies. */
  readonly absent: readonly string[]
}

/** The keys of a model: its unique fields, then its unique combinations, each in the order of their declaration. */
export const naturalKeys = oncePer(({ fields, definition }: Model): readonly NaturalKey[] => {
  const single = [...fields].flatMap(([name, field]) =>
    'unique' in field && field.unique ? [{ fields: [name], absent: [] }] : [],
  )
  const combined = (definition.unique ?? [])
    .filter(({ whereNotNull, whereNotEmpty }) => !whereNotNull && !whereNotEmpty)
    .map((unique) => ({ fields: unique.fields, absent: unique.whereNull ?? [] }))
  return [...single, ...combined]
})

/** Whether the model compares the field without regard to case where it has to be unique. */
export const ignoresCase = ({ definition }: Model, name: string): boolean =>
  (definition.unique ?? []).some(({ ignoreCase }) => ignoreCase?.includes(name))
