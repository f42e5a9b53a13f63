import type { JoinTable, Model, Registry } from '../schema/registry.ts'

/** A table in which rows may be hidden: a model's own, or one that joins two models. */
export type SightTable =
  | { readonly kind: 'model'; readonly model: Model }
  | {
      readonly kind: 'join'
      readonly joined: JoinTable
      readonly ends: readonly { readonly column: string; readonly to: Model }[]
    }

const known = new WeakMap<Registry, ReadonlyMap<string, SightTable>>()

/** All tables of the registry by their names in the database. */
export function sightTables(registry: Registry): ReadonlyMap<string, SightTable> {
  const tables = known.get(registry) ?? collectTables(registry)
  known.set(registry, tables)
  return tables
}

function collectTables(registry: Registry): ReadonlyMap<string, SightTable> {
  const tables = new Map<string, SightTable>()
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
}
