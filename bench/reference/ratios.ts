import { geometricMean } from '../geometric-mean.ts'
import type { Measurement } from '../result.ts'
import { READS } from '../shapes/reads.ts'
import { WRITES } from '../shapes/writes.ts'
import type { ReferenceRow } from './table.ts'

/** What kind of a bar a row has to reach. */
export type RowKind = 'root' | 'read' | 'write' | 'bulk write'

/** How many times sooner than the reference. */
export interface Ratio {
  readonly name: string
  readonly kind: RowKind
  /** Requests a second for reads, milliseconds for writes. */
  readonly reference: number
  /** The same request again and again, which a memory of answers may serve. */
  readonly same: number
  readonly sameRatio: number
  /** Every request another. */
  readonly varied: number
  readonly variedRatio: number
}

/** A bar over several ratios, and what was reached. */
export interface Verdict {
  readonly sentence: string
  readonly bar: number
  readonly same: number
  readonly varied: number
}

/** Our shapes by the names that the reference's table has for them. */
const OURS: ReadonlyMap<string, string> = new Map(
  [...READS, ...WRITES.flatMap(({ steps }) => steps)].flatMap(({ reference, name }) =>
    reference === undefined ? [] : [[reference, name]],
  ),
)

/** Connections over which the reference's requests a second were counted. */
const CONNECTIONS = 8

/** Ratios of the rows that both tables have, in the order of the reference's. */
export function ratiosOf(
  rows: readonly ReferenceRow[],
  measurements: readonly Measurement[],
): Ratio[] {
  return rows.flatMap(({ name, milliseconds, rate }): Ratio[] => {
    const ours = measurements.filter((each) => each.name === OURS.get(name))
    if (rate === undefined) {
      const median = ours.find(({ connections }) => connections === 1)?.median
      if (median === undefined) return []
      const kind = name.startsWith('bulk ') ? 'bulk write' : 'write'
      const ratio = milliseconds / median
      // No two writes are the same.
      const both = { same: median, sameRatio: ratio, varied: median, variedRatio: ratio }
      return [{ name, kind, reference: milliseconds, ...both }]
    }
    const loaded = ours.filter(({ connections }) => connections === CONNECTIONS)
    const same = loaded.find(({ varied }) => !varied)?.rate
    const varied = loaded.find((each) => each.varied)?.rate
    if (same === undefined || varied === undefined) return []
    const kind = name === 'API root' ? 'root' : 'read'
    const both = { same, sameRatio: same / rate, varied, variedRatio: varied / rate }
    return [{ name, kind, reference: rate, ...both }]
  })
}

/** Rows of the reference's table that were not measured. */
export const missingRows = (rows: readonly ReferenceRow[], ratios: readonly Ratio[]): string[] =>
  rows.map(({ name }) => name).filter((name) => !ratios.some((ratio) => ratio.name === name))

interface Bar {
  readonly sentence: string
  readonly bar: number
  readonly measure: (numbers: readonly number[]) => number
  readonly of: (ratio: Ratio) => boolean
}

const least = (numbers: readonly number[]): number => Math.min(...numbers)

const isKind =
  (wanted: RowKind) =>
  ({ kind }: Ratio): boolean =>
    kind === wanted

/** How many times sooner than the reference the service has to be. */
const BARS: readonly Bar[] = [
  {
    sentence: 'lists and details, geometric mean',
    bar: 100,
    measure: geometricMean,
    of: isKind('read'),
  },
  { sentence: 'slowest of lists and details', bar: 30, measure: least, of: isKind('read') },
  { sentence: 'API root', bar: 10, measure: least, of: isKind('root') },
  { sentence: 'slowest of single writes', bar: 15, measure: least, of: isKind('write') },
  {
    sentence: 'bulk writes, geometric mean',
    bar: 50,
    measure: geometricMean,
    of: isKind('bulk write'),
  },
  {
    sentence: 'slower of creating and deleting devices with components',
    bar: 100,
    measure: least,
    of: ({ name }) => /^bulk (create|delete) .*devices/.test(name),
  },
]

/** The bars, and what was reached; those without any row are left out. */
export const verdictsOf = (ratios: readonly Ratio[]): Verdict[] =>
  BARS.flatMap(({ sentence, bar, measure, of }) => {
    const rows = ratios.filter(of)
    if (rows.length === 0) return []
    const same = measure(rows.map(({ sameRatio }) => sameRatio))
    const varied = measure(rows.map(({ variedRatio }) => variedRatio))
    return [{ sentence, bar, same, varied }]
  })
