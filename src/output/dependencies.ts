import type { Registry } from '../schema/registry.ts'
import { type Sql, text } from '../sql/fragment.ts'

const tablesOf = new WeakMap<Registry, ReadonlyMap<string, string>>()

/**
 * Names of the models whose tables (or join tables) a statement names. Reading them out of the text
 * also finds what a declaration's own SQL asks for; a word that only looks like a table costs nothing
 * but a needless reload.
 */
export function modelsNamedIn(registry: Registry, statements: readonly Sql[]): ReadonlySet<string> {
  const tables = tablesOf.get(registry) ?? modelsByTable(registry)
  tablesOf.set(registry, tables)
  const models = new Set<string>()
  for (const statement of statements) {
    for (const [word] of text(statement).matchAll(/\w+/g)) {
      const model = tables.get(word)
      if (model !== undefined) models.add(model)
    }
  }
  return models
}

/** Model by table; a join table belongs to the model that declares the relation. */
function modelsByTable(registry: Registry): ReadonlyMap<string, string> {
  const tables = new Map<string, string>()
  for (const model of registry.models.values()) {
    tables.set(model.table, model.name)
    for (const [name, field] of model.fields) {
      if (field.kind !== 'manyToMany' || field.inverse !== undefined) continue
      tables.set(registry.joinTable(model, name, field).name, model.name)
    }
  }
  return tables
}
