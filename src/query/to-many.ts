import type { Step } from '../schema/step.ts'
import { identifier, type Sql, sql } from '../sql/fragment.ts'

/** A step that may lead to many rows. */
export type ToMany = Extract<
  Step,
  { readonly kind: 'manyToMany' | 'tags' | 'reverseForeignKey' | 'reverseGeneric' }
>

export const isToMany = (step: Step): step is ToMany =>
  step.kind === 'manyToMany' ||
  step.kind === 'tags' ||
  step.kind === 'reverseForeignKey' ||
  step.kind === 'reverseGeneric'

/** The rows `row` that the step leads to, with the table that joins them where there is one. */
export function relatedRows(step: ToMany, alias: Sql, row: Sql): Sql {
  const table = sql`${identifier(step.to.table)} ${row}`
  if (step.kind === 'manyToMany') {
    const { name, ownColumn, otherColumn } = step.table
    return sql`${identifier(name)} link join ${table} on ${row}.id = link.${identifier(otherColumn)} and link.${identifier(ownColumn)} = ${alias}.id`
  }
  return step.kind === 'tags'
    ? sql`extras_taggeditem link join ${table} on ${row}.id = link.tag_id`
    : table
}

/** Condition on `row` that the step leads there from the row `alias`. */
export function relatedTo(step: ToMany, alias: Sql, row: Sql): Sql {
  switch (step.kind) {
    case 'manyToMany':
      return sql`true`
    case 'tags':
      return sql`link.object_type = ${step.typeName} and link.object_id = ${alias}.id`
    case 'reverseForeignKey':
      return sql`${row}.${identifier(step.column.name)} = ${alias}.id`
    case 'reverseGeneric':
      return sql`${row}.${identifier(step.typeColumn.name)} = ${step.typeName} and ${row}.${identifier(step.idColumn.name)} = ${alias}.id`
  }
}
