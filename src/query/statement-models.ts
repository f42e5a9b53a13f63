import type { Registry } from '../schema/registry.ts'

/** Texts that are known at most; statements that are built for one batch come only once. */
const KEPT = 2_000
const LONGEST = 20_000

/** Statements whose outcome changes by itself. */
const VOLATILE = /\b(now|random|clock_timestamp|statement_timestamp|nextval|current_\w+|pg_\w+)\b/i

type ModelsOf = (statement: string) => readonly string[]

interface Readers {
  readonly named: ModelsOf
  readonly changed: ModelsOf
  readonly isVolatile: (statement: string) => boolean
}

const NOTHING: readonly string[] = []
const readers = new WeakMap<Registry, Readers>()

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

/** Whether a statement may bring something else although no table has changed. */
export const isVolatile = (registry: Registry, statement: string): boolean =>
  readersOf(registry).isVolatile(statement)

function readersOf(registry: Registry): Readers {
  const known = readers.get(registry)
  if (known) return known
  const tables = modelsByTable(registry)
  const made: Readers = {
    isVolatile: remembered((statement) => VOLATILE.test(statement)),
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

function remembered<T extends {}>(read: (statement: string) => T): (statement: string) => T {
  const kept = new Map<string, T>()
  return (statement) => {
    if (statement.length > LONGEST) return read(statement)
    const known = kept.get(statement)
    if (known !== undefined) return known
    const found = read(statement)
    if (kept.size >= KEPT) kept.clear()
    kept.set(statement, found)
    return found
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
