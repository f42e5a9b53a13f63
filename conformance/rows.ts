import type { Difference } from './difference.ts'
import { short } from './json.ts'

/** The recorded result of a list request: all rows in order, not only the first page. */
export interface RecordedRows {
  readonly count: number
  readonly ids: readonly number[]
  /** Ranges [start, end) of `ids` whose relative order is undefined. */
  readonly ties?: readonly (readonly [number, number])[]
  /** It is unknown whether the order is defined. */
  readonly ties_unknown?: boolean
  /** `ids` contains some row twice. Returning it once is correct too. */
  readonly dups?: boolean
}

/** The server's result: its count, and the ids of all pages. */
export interface GivenRows {
  readonly count: number
  readonly ids: readonly number[]
}

/** Differences between a result and the recorded one: other rows, duplicate rows, another order, or another count. */
export function compareRows(recorded: RecordedRows, given: GivenRows): Difference[] {
  const wanted = [...new Set(recorded.ids)]
  const got = [...new Set(given.ids)]
  const missing = without(wanted, got)
  const extra = without(got, wanted)

  if (missing.length > 0 || extra.length > 0) {
    return [
      {
        cause: 'ids differ',
        expected: `${wanted.length} rows${missing.length > 0 ? `, not given: ${short(missing)}` : ''}`,
        actual: `${got.length} rows${extra.length > 0 ? `, too many: ${short(extra)}` : ''}`,
      },
    ]
  }
  if (got.length !== given.ids.length && !repeatsRows(recorded)) {
    return [{ cause: 'a row is given twice', expected: short(wanted), actual: short(given.ids) }]
  }
  const differences: Difference[] = []
  if (!sameOrder(recorded, wanted, got)) {
    differences.push({ cause: 'order differs', expected: short(wanted), actual: short(got) })
  }
  if (!admissibleCounts(recorded).has(given.count)) {
    differences.push({
      cause: 'count differs',
      expected: String(recorded.count),
      actual: String(given.count),
    })
  }
  return differences
}

const without = (from: readonly number[], others: readonly number[]): number[] => {
  const known = new Set(others)
  return from.filter((id) => !known.has(id))
}

/** A recording with a duplicate row may lack the flag for it. */
const repeatsRows = (recorded: RecordedRows): boolean =>
  recorded.dups === true || new Set(recorded.ids).size < recorded.ids.length

function admissibleCounts(recorded: RecordedRows): Set<number> {
  const counts = new Set([recorded.count])
  if (repeatsRows(recorded)) counts.add(new Set(recorded.ids).size).add(recorded.ids.length)
  return counts
}

function sameOrder(recorded: RecordedRows, wanted: readonly number[], got: readonly number[]): boolean {
  if (recorded.ties_unknown === true) return true
  const [first, second] = [[...wanted], [...got]]
  // Ranges are positions in the recorded list, so they are invalid after duplicates are removed.
  if (wanted.length === recorded.ids.length) {
    for (const [start, end] of recorded.ties ?? []) {
      sortRange(first, start, end)
      sortRange(second, start, end)
    }
  }
  return first.every((id, index) => id === second[index])
}

function sortRange(ids: number[], start: number, end: number): void {
  const sorted = ids.slice(start, end).sort((a, b) => a - b)
  ids.splice(start, end - start, ...sorted)
}
