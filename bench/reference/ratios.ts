import { type ByCacheMode, mapCacheModes } from '../cache-mode.ts'
import type { ComparedRuns } from '../compared-runs.ts'
import type { Measurement } from '../result.ts'
import { READS } from '../shapes/reads.ts'
import { WRITES } from '../shapes/writes.ts'
import type { ReferenceRow } from './table.ts'

/** Kind of a row, which decides its target. */
export type RowKind = 'root' | 'read' | 'write' | 'bulk write'

/** Requests per second of reads, milliseconds of writes; and how many times faster than the reference. */
export interface Ours {
  readonly figure: number
  readonly ratio: number
}

/** A row of the reference's table with our own measurements, by mode. Writes are always distinct. */
export interface Ratio {
  readonly name: string
  readonly kind: RowKind
  readonly reference: number
  readonly ours: ByCacheMode<Ours>
}

export const isWrite = ({ kind }: Ratio): boolean => kind === 'write' || kind === 'bulk write'

/** Our shapes by the names in the reference's table. */
const OURS: ReadonlyMap<string, string> = new Map(
  [...READS, ...WRITES.flatMap(({ steps }) => steps)].flatMap(({ reference, name }) =>
    reference === undefined ? [] : [[reference, name]],
  ),
)

/** Number of connections at which the reference's requests per second were measured. */
const CONNECTIONS = 8

/** Ratios of the rows that both tables have, in the order of the reference's table. */
export const ratiosOf = (
  rows: readonly ReferenceRow[],
  { measurements }: Pick<ComparedRuns, 'measurements'>,
): Ratio[] =>
  rows.flatMap((row): Ratio[] => {
    const ours = mapCacheModes(measurements, (each) => oursOf(row, each))
    if (Object.keys(ours).length === 0) return []
    const { name, milliseconds, rate } = row
    return [{ name, kind: kindOf(row), reference: rate ?? milliseconds, ours }]
  })

function oursOf(
  { name, milliseconds, rate }: ReferenceRow,
  measurements: readonly Measurement[],
): Ours | undefined {
  const over = (connections: number) =>
    measurements.find((each) => each.name === OURS.get(name) && each.connections === connections)
  if (rate === undefined) {
    const figure = over(1)?.median
    return figure === undefined ? undefined : { figure, ratio: milliseconds / figure }
  }
  const figure = over(CONNECTIONS)?.rate
  return figure === undefined ? undefined : { figure, ratio: figure / rate }
}

function kindOf({ name, rate }: ReferenceRow): RowKind {
  if (rate === undefined) return name.startsWith('bulk ') ? 'bulk write' : 'write'
  return name === 'API root' ? 'root' : 'read'
}

/** Rows of the reference's table that were not measured. */
export const missingRows = (rows: readonly ReferenceRow[], ratios: readonly Ratio[]): string[] =>
  rows.map(({ name }) => name).filter((name) => !ratios.some((ratio) => ratio.name === name))
