import type { Column } from '../../schema/column.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'

/** SQL of a column of the row `rows` in a form that can be compared: JSON stored as text is parsed. */
export function storedValue(rows: Sql, { name, type }: Column): Sql {
  const stored = sql`${rows}.${identifier(name)}`
  return type === 'json' ? sql`(${stored}::jsonb)` : stored
}
