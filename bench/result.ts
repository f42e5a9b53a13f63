import { readFileSync, writeFileSync } from 'node:fs'

/** One request shape under one load. Clients measure the times, over keep-alive connections. */
export interface Measurement {
  readonly name: string
  readonly connections: number
  /** Each request was distinct, so that no response cache could serve it; otherwise the same request was repeated. */
  readonly varied: boolean
  /** Number of measured responses. */
  readonly requests: number
  /** From the first request to the last response. */
  readonly seconds: number
  /** Responses per second. */
  readonly rate: number
  /** Milliseconds. */
  readonly median: number
  readonly p95: number
  readonly p99: number
  /** Bytes of one response body. */
  readonly bytes: number
  /** CPU seconds during the measurement; null for processes that cannot be observed. */
  readonly serverCpu: number | null
  readonly databaseCpu: number | null
}

/** Requests per second of the service and of a bare server that runs the same query. */
export interface LimitRow {
  readonly name: string
  readonly ours: Measurement
  readonly bare: Measurement
}

/** The same reads alone and while a writer changes objects that they show. */
export interface MixedLoad {
  readonly alone: Measurement
  readonly beside: Measurement
  readonly writes: Measurement
}

/** The same page over data sets of growing size. */
export interface GrowthRow {
  readonly name: string
  /** By number of interfaces, ascending. */
  readonly points: readonly GrowthPoint[]
}

export interface GrowthPoint {
  readonly interfaces: number
  /** Number of objects on the page: small data sets do not fill every page. */
  readonly objects: number
  readonly median: number
}

/** Megabytes (10^6 bytes). */
export interface MemoryUse {
  readonly server: number
  readonly serverPeak: number
  /** Shared memory is counted once; null without a database process of our own. */
  readonly database: number | null
}

/** All results of one run of the benchmark. */
export interface Result {
  readonly format: 1
  /** `postgres`, `pglite`, or the address of the server under test. */
  readonly target: string
  /** ISO date. */
  readonly date: string
  /** The service cached neither responses nor texts of objects: it read and wrote rows for each request. */
  readonly nothingKept?: true
  readonly machine: string
  /** Versions of the server under test, as far as known. */
  readonly versions: Readonly<Record<string, string>>
  /** Numbers of objects at the start of the run, by collection. */
  readonly counts: Readonly<Record<string, number>>
  readonly measurements: readonly Measurement[]
  /** Milliseconds from the start of the process to the first response, over existing data. */
  readonly coldStart: number | null
  readonly memory: MemoryUse | null
  readonly limit: readonly LimitRow[]
  readonly growth: readonly GrowthRow[]
  /** Missing in results from before it was measured. */
  readonly mixed?: readonly MixedLoad[]
}

export const NOTHING_MEASURED = {
  format: 1,
  versions: {},
  counts: {},
  measurements: [],
  coldStart: null,
  memory: null,
  limit: [],
  growth: [],
} as const satisfies Partial<Result>

/** ISO date. */
export const today = (): string => new Date().toISOString().slice(0, 10)

/** Result in a file. Throws, naming the file, for other content. */
export function readResult(path: string): Result {
  const result: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (typeof result === 'object' && result !== null && 'format' in result && result.format === 1) {
    // Files are written by writeResult; a newer format has another version.
    return result as Result
  }
  throw new Error(`${path} is not a result of this benchmark.`)
}

export const writeResult = (path: string, result: Result): void =>
  writeFileSync(path, `${JSON.stringify(result, undefined, 1)}\n`)
