import { readFileSync, writeFileSync } from 'node:fs'

/** One request shape under one load. Times are seen by the client over connections that stay open. */
export interface Measurement {
  readonly name: string
  readonly connections: number
  /**
   * Each request was unlike those before it, so that no memory of answers could serve it; else it was
   * the same request again and again.
   */
  readonly varied: boolean
  /** Answers that were measured. */
  readonly requests: number
  /** From the first request to the last answer. */
  readonly seconds: number
  /** Answers a second. */
  readonly rate: number
  /** Milliseconds. */
  readonly median: number
  readonly p95: number
  readonly p99: number
  /** Bytes of one answer's body. */
  readonly bytes: number
  /** CPU seconds while it was measured; null for processes that cannot be seen. */
  readonly serverCpu: number | null
  readonly databaseCpu: number | null
}

/** Our requests a second beside those of a bare server that runs the same query. */
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
  /** Objects on the page: small data sets do not fill every page. */
  readonly objects: number
  readonly median: number
}

/** Megabytes (10^6 bytes). */
export interface MemoryUse {
  readonly server: number
  readonly serverPeak: number
  /** Shared memory counted once; null where there is no database process of ours. */
  readonly database: number | null
}

/** Everything that one run of the benchmark found out. */
export interface Result {
  readonly format: 1
  /** `postgres`, `pglite`, or the address of the server that was driven. */
  readonly target: string
  /** ISO date. */
  readonly date: string
  /** The service kept no answers and no texts of objects: rows were read and written anew each time. */
  readonly nothingKept?: true
  readonly machine: string
  /** Of what was measured, as far as it is known. */
  readonly versions: Readonly<Record<string, string>>
  /** Objects by collection when the run began. */
  readonly counts: Readonly<Record<string, number>>
  readonly measurements: readonly Measurement[]
  /** Milliseconds from the start of the process to the first answer, over existing data. */
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

/** Throws, naming the file, for what is no result. */
export function readResult(path: string): Result {
  const result: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (typeof result === 'object' && result !== null && 'format' in result && result.format === 1) {
    // Files are made by writeResult; a newer form has another number.
    return result as Result
  }
  throw new Error(`${path} is not a result of this benchmark.`)
}

export const writeResult = (path: string, result: Result): void =>
  writeFileSync(path, `${JSON.stringify(result, undefined, 1)}\n`)
