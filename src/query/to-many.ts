import type { Step } from '../schema/step.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { identifier, type Sql, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'

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
  const related = sql`${table(step.to)} ${row}`
  if (step.kind === 'manyToMany') {
    const { ownColumn, otherColumn } = step.table
    return sql`${table(step.table)} link join ${related} on ${row}.id = link.${identifier(otherColumn)} and link.${identifier(ownColumn)} = ${alias}.id`
  }
  return step.kind === 'tags'
    ? sql`${table(SYSTEM.taggedItem)} link join ${related} on ${row}.id = link.tag_id`
    : related
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
