import { type ByCacheMode, mapCacheModes } from '../cache-mode.ts'
import type { ComparedRuns } from '../compared-runs.ts'
import { geometricMean } from '../geometric-mean.ts'
import type { Measurement } from '../result.ts'
import { READS } from '../shapes/reads.ts'
import type { Verdict } from './target.ts'

/** Share of PostgreSQL's requests per second that PGlite has to reach. */
const LEAST = 0.5

const READ_NAMES: ReadonlySet<string> = new Set(READS.map(({ name }) => name))

/** Verdicts on reads of PGlite compared with those of PostgreSQL, over one connection. */
export function storageVerdicts(
  { result, measurements }: ComparedRuns,
  others: readonly ComparedRuns[],
): Verdict<ByCacheMode<number>>[] {
  const postgres = others.find((other) => other.result.target === 'postgres')
  if (result.target !== 'pglite' || !postgres) return []
  const shares = mapCacheModes(measurements, (ours, mode) => {
    const found = sharesOf(ours, postgres.measurements[mode] ?? [])
    return found.length === 0 ? undefined : found
  })
  if (Object.keys(shares).length === 0) return []
  const verdict = (
    word: string,
    measure: (numbers: readonly number[]) => number,
  ): Verdict<ByCacheMode<number>> => ({
    sentence: `requests/s of reads over one connection, share of PostgreSQL's: ${word}`,
    wanted: { least: LEAST },
    unit: 'share',
    reached: mapCacheModes(shares, measure),
  })
  return [
    verdict('geometric mean', geometricMean),
    verdict('lowest', (numbers) => Math.min(...numbers)),
  ]
}

function sharesOf(ours: readonly Measurement[], theirs: readonly Measurement[]): number[] {
  const rates = new Map(theirs.filter(isOneRead).map(({ name, rate }) => [name, rate]))
  return ours.filter(isOneRead).flatMap(({ name, rate }) => {
    const other = rates.get(name)
    return other === undefined ? [] : [rate / other]
  })
}

const isOneRead = ({ name, connections }: Measurement): boolean =>
  connections === 1 && READ_NAMES.has(name)
