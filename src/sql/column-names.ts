import { LRUCache } from 'lru-cache'
import { columnsIn, type Sql } from './fragment.ts'

/** Statements whose columns are kept, by their texts; most statements differ in their values alone. */
const MOST_TEXTS = 2_000
/** Statements of this length are built for one batch of values; their text will hardly come twice. */
const LONGEST = 20_000

const byText = new LRUCache<string, ReadonlySet<string>>({ max: MOST_TEXTS })

/**
 * Names of all columns that the fragments of a statement name. Entries of the cache share one set for each text. (Statements of
 * this program use no views, no functions of their own, no natural joins and no rows as values.)
 */
export function columnNames(statement: Sql): ReadonlySet<string> {
  const { text } = statement
  const cached = byText.get(text)
  if (cached) return cached
  const columns = columnsIn(statement)
  if (text.length <= LONGEST) byText.set(text, columns)
  return columns
}

/** Tells of each model which columns of its tables the statement may read: those that it names, or all. `id` is always read. */
export function readColumns(statement: Sql): (model: string) => (column: string) => boolean {
  const { isOpaque, wholeReads } = statement.statement
  let names: ReadonlySet<string> | undefined
  return (model) => {
    if (isOpaque || wholeReads.includes(model)) return () => true
    // Once for all tables: a statement under row-level security has many fragments.
    names ??= columnNames(statement)
    const named = names
    return (column) => column === 'id' || named.has(column)
  }
}
