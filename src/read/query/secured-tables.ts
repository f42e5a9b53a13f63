import { oncePer } from '../../schema/once-per.ts'
import type { JoinTable, Model, Registry } from '../../schema/registry.ts'

/** A table in which rows may be hidden: a model's own, or one that joins two models. */
export type SecuredTable =
  | { readonly kind: 'model'; readonly model: Model }
  | {
      readonly kind: 'join'
      readonly joined: JoinTable
      readonly ends: readonly { readonly column: string; readonly to: Model }[]
    }

/** All tables of the registry by their names in the database. */
export const securedTables = oncePer((registry: Registry): ReadonlyMap<string, SecuredTable> => {
  const tables = new Map<string, SecuredTable>()
  for (const model of registry.models.values()) {
    tables.set(model.table, { kind: 'model', model })
    for (const [name, field] of model.fields) {
      if (field.kind !== 'manyToMany') continue
      const joined = registry.joinTable(model, name, field)
      tables.set(joined.table, {
        kind: 'join',
        joined,
        ends: [
          { column: joined.ownColumn, to: model },
          { column: joined.otherColumn, to: registry.model(field.to) },
        ],
      })
    }
  }
  return tables
})
