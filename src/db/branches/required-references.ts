import { oncePer } from '../../schema/once-per.ts'
import { needsTarget, type Registry } from '../../schema/registry.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type BranchedTable, branchedTables } from './branch-tables.ts'

/** A reference without whose target a row cannot exist: it is required, or the row is deleted with its target. */
export interface RequiredReference {
  readonly from: BranchedTable
  readonly column: string
  /** The column with the name of the model, for a generic relation. */
  readonly type?: string
  readonly to: BranchedTable
}

/** The required references between tables of which each branch has its own rows. */
export const requiredReferences = oncePer((registry: Registry): readonly RequiredReference[] => {
  const tables = branchedTables(registry)
  return [...registry.models.values()].flatMap((target) =>
    target.referrers.flatMap((referrer): readonly RequiredReference[] => {
      const [from, to] = [tables.get(referrer.model.table), tables.get(target.table)]
      if (!from || !to || referrer.kind === 'manyToMany' || !needsTarget(referrer)) return []
      return referrer.kind === 'foreignKey'
        ? [{ from, column: referrer.column.name, to }]
        : [{ from, column: referrer.idColumn.name, type: referrer.typeColumn.name, to }]
    }),
  )
})

/**
 * What decides, besides the rows of a model, which of them a branch has: the references of everything that they need.
 * By the name of the model, as a statement that is never run: it names the tables and columns that matter.
 */
export const neededReads = oncePer((registry: Registry): ReadonlyMap<string, Sql> => {
  const references = Map.groupBy(requiredReferences(registry), ({ from }) => from.model)
  return new Map(
    [...references.keys()].map((start) => {
      const needed = new Set([start])
      for (const model of needed) for (const { to } of references.get(model) ?? []) needed.add(to.model)
      const parts = [...needed].map((model) => {
        const columns = (references.get(model) ?? []).flatMap(({ column, type }) => [column, ...(type ? [type] : [])])
        return sql`select ${join(['id', ...columns].map((column) => sql`t.${identifier(column)}`))} from ${table(model)} t`
      })
      return [start, join(parts, ' union all ')]
    }),
  )
})
