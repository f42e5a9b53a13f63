import type { Step } from '../../schema/step.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import { table, tableOfTypes } from '../../sql/table.ts'

/** A step to another model. */
export type Relation = Exclude<Step, { readonly kind: 'column' }>

/** How a step leads from a row to related objects. */
export interface StepJoin {
  /** Id of the related object: in the joined rows, or in the row itself. */
  readonly id: Sql
  /** Condition in addition to equal ids: the type of the object in a generic relation. */
  readonly condition: Sql | undefined
  /** Rows that refer to the row at the start of the step; undefined if that row itself refers to the related object. */
  readonly joined: JoinedRows | undefined
}

export interface JoinedRows {
  /** `table alias`. */
  readonly rows: Sql
  /** Id of the row at the start of the step. */
  readonly owner: Sql
  /** Whether they are the related objects; otherwise they only contain their ids. */
  readonly areRelated: boolean
}

/** The step from the row `from`. `alias` names the joined rows, if there are any. */
export function joinStep(step: Relation, from: Sql, alias: Sql): StepJoin {
  const at = (row: Sql, column: { readonly name: string }): Sql => sql`${row}.${identifier(column.name)}`
  const isOf = (type: Sql, name: string): Sql => sql`${type} = ${name}`
  switch (step.kind) {
    case 'foreignKey':
      return { id: at(from, step.column), condition: undefined, joined: undefined }
    case 'genericTo':
      return {
        id: at(from, step.idColumn),
        condition: isOf(at(from, step.typeColumn), step.to.name),
        joined: undefined,
      }
    case 'reverseForeignKey':
      return {
        id: sql`${alias}.id`,
        condition: undefined,
        joined: {
          rows: sql`${table(step.to)} ${alias}`,
          owner: at(alias, step.column),
          areRelated: true,
        },
      }
    case 'reverseGeneric':
      return {
        id: sql`${alias}.id`,
        condition: isOf(at(alias, step.typeColumn), step.typeName),
        joined: {
          rows: sql`${tableOfTypes(step.to, step.typeColumn.name, [step.typeName])} ${alias}`,
          owner: at(alias, step.idColumn),
          areRelated: true,
        },
      }
    case 'manyToMany':
      return {
        id: at(alias, { name: step.table.otherColumn }),
        condition: undefined,
        joined: {
          rows: sql`${table(step.table)} ${alias}`,
          owner: at(alias, { name: step.table.ownColumn }),
          areRelated: false,
        },
      }
    case 'tags':
      return {
        id: at(alias, { name: 'tag_id' }),
        condition: isOf(at(alias, { name: 'object_type' }), step.typeName),
        joined: {
          rows: sql`${tableOfTypes(SYSTEM.taggedItem, 'object_type', [step.typeName])} ${alias}`,
          owner: at(alias, { name: 'object_id' }),
          areRelated: false,
        },
      }
  }
}

/** The defined predicates, joined by `and`. */
export const allOf = (...predicates: readonly (Sql | undefined)[]): Sql =>
  join(
    predicates.filter((predicate) => predicate !== undefined),
    ' and ',
  )
