import type { RepeatedTexts } from '../output/read-source.ts'
import type { Written } from '../output/written.ts'
import type { Transaction } from '../storage/database.ts'
import { uncommittedVersion } from './uncommitted-version.ts'

/** Objects of larger writes are read again instead of being held until the response is written. */
const MOST_ROWS = 1_000

/**
 * Texts of objects that a transaction has read, for a second reader: the events of a write and its response often show the same. They
 * are valid until the transaction changes any row that another object may show.
 */
export function repeatedTexts(transaction: Pick<Transaction, 'uncommitted'>): RepeatedTexts {
  const rowsOf = new Map<string, Map<number, { readonly row: Written; readonly version: number }>>()
  return {
    find: (projection, ids) => {
      const rows = rowsOf.get(projection)
      if (!rows) return undefined
      const version = uncommittedVersion(transaction)
      const found = ids.flatMap((id) => {
        const entry = rows.get(id)
        return entry?.version === version ? [entry.row] : []
      })
      return found.length === ids.length ? found : undefined
    },
    keep: (projection) => {
      const version = uncommittedVersion(transaction)
      return (read) => {
        const rows = rowsOf.get(projection) ?? new Map()
        if (rows.size + read.length > MOST_ROWS) return
        for (const row of read) rows.set(Number(row.row[0]), { row, version })
        rowsOf.set(projection, rows)
      }
    },
  }
}
