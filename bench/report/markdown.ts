import { type ByCacheMode, CACHE_MODE_LABELS, CACHE_MODES } from '../cache-mode.ts'
import type { ComparedRuns } from '../compared-runs.ts'
import { growthOf } from '../growth-of.ts'
import { missingRows, ratiosOf } from '../reference/ratios.ts'
import type { ReferenceRow } from '../reference/table.ts'
import type { GrowthRow, Measurement, MixedLoad, Result } from '../result.ts'
import { limitVerdicts } from '../targets/limit-targets.ts'
import { referenceVerdicts } from '../targets/reference-targets.ts'
import { pastRows, relativeVerdicts } from '../targets/relative-targets.ts'
import { runVerdicts } from '../targets/run-targets.ts'
import { storageVerdicts } from '../targets/storage-targets.ts'
import { limitTable } from './limit-table.ts'
import { loadLabel } from './load-label.ts'
import { figure, markdownTable } from './number-format.ts'
import { ratioTable } from './ratio-table.ts'
import { runVerdictTable, wayVerdictTable } from './verdict-table.ts'

/** Optional parts of a section, besides the run's own metrics. */
export interface Surroundings {
  /** Measurements of the reference; adds the table of ratios. */
  readonly reference?: readonly ReferenceRow[] | undefined
  /** All sections of the document, to compare storages with each other. */
  readonly reports?: readonly ComparedRuns[]
  /** File of the chart. */
  readonly picture?: string | undefined
}

/** A section with everything about a run. */
export const reportSection = (runs: ComparedRuns, surroundings: Surroundings): string =>
  textOf([...summaryOf(runs, surroundings), ...tablesOf(runs, surroundings)])

/** A section with machine, date and data of a run, its chart and targets, and a link to `tables`. */
export const summarySection = (
  runs: ComparedRuns,
  surroundings: Surroundings,
  tables: string,
): string => textOf([...summaryOf(runs, surroundings), `[All measurements of this run](${tables})`])

const textOf = (parts: readonly string[]): string => [...parts, ''].join('\n\n')

function summaryOf(
  runs: ComparedRuns,
  { reference, reports = [], picture }: Surroundings,
): readonly string[] {
  const { result } = runs
  const ratios = reference ? ratiosOf(reference, runs) : []
  const verdicts = [
    ...referenceVerdicts(ratios, result.target),
    ...limitVerdicts(runs),
    ...storageVerdicts(runs, reports),
    ...relativeVerdicts(runs),
  ]
  const ofRun = runVerdicts(result)
  return [
    `## ${titleOf(result)}`,
    circumstances(result),
    ...(picture === undefined ? [] : [`![Requests per second](${picture})`]),
    ...(verdicts.length === 0 ? [] : [wayVerdictTable(verdicts)]),
    ...(ofRun.length === 0 ? [] : [runVerdictTable(ofRun)]),
  ]
}

function tablesOf(runs: ComparedRuns, { reference }: Surroundings): readonly string[] {
  const { result } = runs
  const ratios = reference ? ratiosOf(reference, runs) : []
  const missing = reference && ratios.length > 0 ? missingRows(reference, ratios) : []
  return [
    ...(ratios.length === 0 ? [] : [ratioTable(ratios)]),
    ...(missing.length === 0 ? [] : [`Not measured: ${missing.join('; ')}.`]),
    ...(Object.keys(runs.limit).length === 0
      ? []
      : ['### Compared with a bare server', limitTable(runs.limit)]),
    ...(result.mixed === undefined ? [] : ['### Reads beside a writer', mixedTable(result.mixed)]),
    ...(Object.values(runs.measurements).every((rows) => pastRows(rows).length === 0)
      ? []
      : ['### As of a time in the past', pastTable(runs.measurements)]),
    ...(result.growth.length === 0 ? [] : ['### Growth', growthTable(result.growth)]),
    ...(Object.keys(runs.measurements).length === 0
      ? []
      : ['### All requests', measurementTable(runs.measurements)]),
  ]
}

/** Storage or address, and the cache mode. */
export const titleOf = ({ target, nothingKept }: Result): string =>
  nothingKept ? `${target}, caches off` : target

function circumstances({ date, machine, versions, counts, coldStart, memory }: Result): string {
  const version = Object.entries(versions).map(([name, value]) => `${name} ${value}`)
  const objects = Object.entries(counts).map(
    ([name, count]) => `${count.toLocaleString('en')} ${name}`,
  )
  const sentences = [
    `${date}; ${[machine, ...version].join(', ')}.`,
    ...(objects.length === 0 ? [] : [`Data: ${objects.join(', ')}.`]),
    ...(coldStart === null
      ? []
      : [`From the start of the process to the first answer: ${figure(coldStart)} ms.`]),
    ...(memory === null
      ? []
      : [
          `Resident memory after all requests: ${memory.server} MB (at most ${memory.serverPeak} MB)${memory.database === null ? '' : `, the database ${memory.database} MB`}.`,
        ]),
  ]
  return sentences.join(' ')
}

/** Pages and single objects over eight connections, half and half, alone and beside a writer. */
function mixedTable(loads: readonly MixedLoad[]): string {
  return markdownTable(
    [
      'requests',
      'alone, requests/s',
      'beside a writer',
      'ratio',
      'changes/s',
      'change, median ms',
      'p95',
    ],
    loads.map(({ alone, beside, writes }) => [
      alone.varied ? 'distinct requests' : 'repeated request',
      ...[alone.rate, beside.rate, beside.rate / alone.rate].map(figure),
      ...[writes.rate, writes.median, writes.p95].map(figure),
    ]),
  )
}

function growthTable(rows: readonly GrowthRow[]): string {
  const sizes = rows[0]?.points.map(({ interfaces }) => interfaces.toLocaleString('en')) ?? []
  return markdownTable(
    ['median ms, by number of interfaces', ...sizes, 'last / first'],
    rows.map((row) => [
      row.name,
      ...row.points.map(({ median }) => figure(median)),
      figure(growthOf(row)),
    ]),
  )
}

/** Medians of pages of now and of the same pages as of a time before the last changes, over one connection. */
function pastTable(measurements: ByCacheMode<readonly Measurement[]>): string {
  return markdownTable(
    ['request', 'mode', 'now, median ms', 'as of', 'ratio'],
    CACHE_MODES.flatMap((mode) =>
      pastRows(measurements[mode] ?? []).map(({ name, first, second }) => [
        name,
        CACHE_MODE_LABELS[mode],
        ...[first.median, second.median, second.median / first.median].map(figure),
      ]),
    ),
  )
}

function measurementTable(measurements: ByCacheMode<readonly Measurement[]>): string {
  const lines = CACHE_MODES.flatMap((mode) =>
    (measurements[mode] ?? []).map((each) => ({ each, words: loadLabel(each, mode) })),
  )
  // Sorted by request, each with all its loads.
  const sorted = [...Map.groupBy(lines, ({ each }) => each.name).values()].flatMap((group) =>
    group.toSorted((a, b) => a.each.connections - b.each.connections),
  )
  return markdownTable(
    ['request', 'connections', 'median ms', 'p95', 'p99', 'requests/s', 'CPU ms per request'],
    sorted.map(({ each, words }) => [
      each.name,
      words,
      ...[each.median, each.p95, each.p99, each.rate, cpuOfRequest(each)].map(figure),
    ]),
  )
}

/** Milliseconds of server and database together. */
function cpuOfRequest({ serverCpu, databaseCpu, requests }: Measurement): number | null {
  if (serverCpu === null) return null
  return ((serverCpu + (databaseCpu ?? 0)) * 1000) / requests
}
