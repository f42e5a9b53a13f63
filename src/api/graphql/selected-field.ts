import type { FieldNode } from 'graphql'
import type { PlanBuilder } from '../../read/serialise/plan-builder.ts'
import type { Model } from '../../schema/registry.ts'
import type { Sql } from '../../sql/fragment.ts'
import type { Execution } from './execution.ts'

/** Texts of objects by id; VOID for an object that lacks a value promised by its type. */
export type ObjectTexts = ReadonlyMap<number, string>

/** Reads the objects of one level in the form of the selection. */
export interface ObjectPlan {
  readonly model: Model
  read(ids: readonly number[]): Promise<ObjectTexts>
  /** Texts of the rows of a statement, in its order. `statementOf` builds it from the columns to select. */
  readList(statementOf: (select: Sql) => Sql): Promise<readonly string[]>
  /** As `readList`, by the id after the columns of each row. */
  readLists(statementOf: (select: Sql) => Sql): Promise<ReadonlyMap<number, readonly string[]>>
}

/** One field of a selection. */
export interface SelectedField {
  readonly execution: Execution
  readonly builder: PlanBuilder
  readonly nodes: readonly FieldNode[]
  readonly args: Readonly<Record<string, unknown>>
  /** Plans the objects of a model under the nodes. */
  readonly plan: (model: Model) => ObjectPlan
}
