import type { Difference } from './difference.ts'
import { short } from './json.ts'

/** The recorded result of a list request: all rows in order, not only the first page. */
export interface RecordedRows {
  readonly count: number
  readonly ids: readonly number[]
  /** Ranges [start, end) of `ids` whose inner order nothing decides. */
  readonly ties?: readonly (readonly [number, number])[]
  /** The order is not known to be decided anywhere. */
  readonly ties_unknown?: boolean
  /** `ids` names some row twice. Answering it once is right too. */
  readonly dups?: boolean
}

/** What the server gave: its own count, and the ids of all pages one after the other. */
export interface GivenRows {
  readonly count: number
  readonly ids: readonly number[]
}

/** How a result differs from the recorded one: other rows, a row twice, another order, or another count. */
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

/** A recording with a row twice need not carry the flag that says so. */
const repeatsRows = (recorded: RecordedRows): boolean =>
  recorded.dups === true || new Set(recorded.ids).size < recorded.ids.length

function admissibleCounts(recorded: RecordedRows): Set<number> {
  const counts = new Set([recorded.count])
  if (repeatsRows(recorded)) counts.add(new Set(recorded.ids).size).add(recorded.ids.length)
  return counts
}

function sameOrder(
  recorded: RecordedRows,
  wanted: readonly number[],
  got: readonly number[],
): boolean {
  if (recorded.ties_unknown === true) return true
  const [first, second] = [[...wanted], [...got]]
  // Ranges are positions in the recorded list, so they mean nothing once repeated rows are taken out of it.
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
