import type { Registry } from '../../src/schema/registry.ts'
import { columnsIn, type Sql } from '../../src/sql/fragment.ts'

/**
 * Columns that the text of a statement names and none of its fragments does, each as `table.column`, of the tables on which a
 * cached result would depend by columns. A change of them would leave the result in the cache.
 */
export function undeclaredColumns(registry: Registry, fragment: Sql): readonly string[] {
  const { reads, wholeReads, tables, isOpaque, text } = fragment.statement
  if (isOpaque) return []
  const declared = columnsIn(fragment)
  const named = new Set(wordsOf(text))
  const models = new Set(reads.filter((name) => !wholeReads.includes(name)))
  return tables.flatMap((table) => {
    const columns = columnsOf(registry, table, models)
    return columns
      .filter((column) => column !== 'id' && named.has(column) && !declared.has(column))
      .map((column) => `${table}.${column}`)
  })
}

/** Columns of a table that belongs to one of the models. */
function columnsOf(
  registry: Registry,
  table: string,
  models: ReadonlySet<string>,
): readonly string[] {
  for (const name of models) {
    const model = registry.model(name)
    if (model.table === table) return [...model.columns.values()].map((column) => column.name)
    for (const [key, field] of model.fields) {
      if (field.kind !== 'manyToMany') continue
      const joined = registry.joinTable(model, key, field)
      if (joined.table === table) return [joined.ownColumn, joined.otherColumn]
    }
  }
  return []
}

/** A function as a table, with names for its columns: `with ordinality w(word, position)`. */
const FUNCTION_TABLE = /\b(?:as|ordinality)\s+(?:as\s+)?(\w+)\s*\([\w, ]+\)/g

/** Words outside of quotes that may be columns of a table. */
function wordsOf(text: string): readonly string[] {
  const unquoted = text.replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g, ' ')
  const functions = new Set([...unquoted.matchAll(FUNCTION_TABLE)].map(([, alias]) => alias))
  return (
    unquoted
      .replace(FUNCTION_TABLE, ' ')
      .replace(/\b(\w+)\.\w+/g, (name, alias) => (functions.has(alias) ? ' ' : name))
      .replace(/\bas \w+|\bgroup by\b/g, ' ')
      .match(/\b[a-z_]\w*\b(?!\()/g) ?? []
  )
}
