import type { Registry } from '../schema/registry.ts'

/** Texts whose models are kept at most; statements that are built for one batch come only once. */
const KEPT = 2_000
const LONGEST = 20_000

type ModelsOf = (statement: string) => readonly string[]

const NOTHING: readonly string[] = []
const readers = new WeakMap<Registry, { readonly named: ModelsOf; readonly changed: ModelsOf }>()

/**
 * Names of the models whose tables (or join tables) a statement names. Reading them out of the text
 * also finds what a declaration's own SQL asks for; a word that only looks like a table costs nothing
 * but a needless reload.
 */
export const modelsNamedIn = (registry: Registry, statement: string): readonly string[] =>
  readersOf(registry).named(statement)

/** Names of the models whose tables (or join tables) a statement inserts into, updates or deletes from. */
export const modelsChangedBy = (registry: Registry, statement: string): readonly string[] =>
  readersOf(registry).changed(statement)

function readersOf(registry: Registry) {
  const known = readers.get(registry)
  if (known) return known
  const tables = modelsByTable(registry)
  const made = {
    named: remembered((statement) => modelsAt(tables, statement.match(/\w+/g) ?? [])),
    changed: remembered((statement) =>
      modelsAt(
        tables,
        [...statement.matchAll(CHANGE)].map(([, table = '']) => table),
      ),
    ),
  }
  readers.set(registry, made)
  return made
}

/** Where a statement, or a part of it, says what it changes. `for update of t` names no table. */
const CHANGE =
  /\b(?:insert\s+into|update(?:\s+only)?|delete\s+from|truncate(?:\s+table)?)\s+"?(\w+)/gi

function modelsAt(
  tables: ReadonlyMap<string, string>,
  words: readonly string[],
): readonly string[] {
  const models = new Set<string>()
  for (const word of words) {
    const model = tables.get(word)
    if (model !== undefined) models.add(model)
  }
  return models.size === 0 ? NOTHING : [...models]
}

function remembered(read: ModelsOf): ModelsOf {
  const kept = new Map<string, readonly string[]>()
  return (statement) => {
    if (statement.length > LONGEST) return read(statement)
    const known = kept.get(statement)
    if (known) return known
    const models = read(statement)
    if (kept.size >= KEPT) kept.clear()
    kept.set(statement, models)
    return models
  }
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
