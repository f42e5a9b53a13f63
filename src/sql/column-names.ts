import { LRUCache } from 'lru-cache'
import type { Sql } from './fragment.ts'

/** Statements whose columns are cached, by their texts; most statements differ only in their values. */
const MOST_TEXTS = 2_000
/** Statements of this length are built for one batch of values and rarely repeat. */
const LONGEST = 20_000

/** The columns of its tables that a statement may read. */
export interface ReadColumns {
  /** The words of its text, which include the names of all columns that it uses. */
  readonly names: ReadonlySet<string>
  /** Whether it may read columns that it does not name: `t.*`, natural joins. */
  readonly isAll: boolean
}

const byText = new LRUCache<string, ReadColumns>({ max: MOST_TEXTS })

/** The columns that a statement may read, and sometimes more: every word of its text that is the name of a column. */
export function readColumns({ text }: Pick<Sql, 'text'>): ReadColumns {
  const cached = byText.get(text)
  if (cached) return cached
  const columns = {
    names: new Set(text.match(/[a-z_]\w*/gi)),
    isAll: /(?<!\bcount\()\*|\bnatural\b/i.test(text),
  }
  if (text.length <= LONGEST) byText.set(text, columns)
  return columns
}

/** Whether a statement may read the column. `id`, which never changes, is always read. */
export const isColumnRead = ({ names, isAll }: ReadColumns, column: string): boolean =>
  isAll || column === 'id' || names.has(column)
