import { type Dataset, probeDataset } from './dataset.ts'
import { createFixtures } from './fixtures.ts'
import { timeInThePast } from './history.ts'
import { measureLimit } from './limit/measure.ts'
import { machine } from './machine.ts'
import { measureMixedLoad } from './measure/mixed-load.ts'
import { measurePages } from './measure/page-load.ts'
import { quantile } from './measure/quantile.ts'
import { measureRead, type ReadLoad } from './measure/read-load.ts'
import { memoryUse } from './measure/usage.ts'
import { measureWebhooks, WEBHOOK_ROWS } from './measure/webhook-load.ts'
import { measureWrites } from './measure/write-load.ts'
import { createPageFixtures } from './page-fixtures.ts'
import { measurementLine } from './report/lines.ts'
import { type LimitRow, type Measurement, type MixedLoad, type Result, today } from './result.ts'
import type { ServerUnderTest } from './servers/server-under-test.ts'
import { PAGES } from './shapes/pages.ts'
import { READS } from './shapes/reads.ts'
import { isCycleWanted, pastName, type ReadShape } from './shapes/shape.ts'
import { WRITES } from './shapes/writes.ts'

export interface RunOptions {
  /** Duration for each read and number of connections. */
  readonly seconds: number
  readonly connections: readonly number[]
  readonly readOnly: boolean
  /** Returns true for names of requests to measure. A cycle of writes is measured as a whole or not at all. */
  readonly isWanted: (name: string) => boolean
  readonly limit: boolean
  /** The server's caches are off: repeated requests do not differ from distinct ones. */
  readonly nothingKept: boolean
  readonly progress: (text: string) => void
}

const STARTS = 3

/** Measures all requests on one server. */
export async function runBenchmark(server: ServerUnderTest, options: RunOptions): Promise<Result> {
  const dataset = await probeDataset(server.access)
  const measurements = [
    ...(await reads(server, dataset, options)),
    ...(await pages(server, options)),
    ...(await writes(server, options)),
    ...(await webhooks(server, options)),
  ]
  const mixed = await mixedLoad(server, options)
  const memory = memoryUse(server.watched) ?? null
  const limit = options.limit ? await limits(server, dataset, options) : []
  return {
    format: 1,
    target: server.name,
    ...(options.nothingKept && { nothingKept: true }),
    date: today(),
    machine: machine(),
    versions: server.versions,
    counts: dataset.counts,
    measurements,
    memory,
    limit,
    coldStart: await coldStart(server),
    growth: [],
    ...(mixed.length > 0 && { mixed }),
  }
}

async function reads(
  server: ServerUnderTest,
  dataset: Dataset,
  options: RunOptions,
): Promise<Measurement[]> {
  const measured: Measurement[] = []
  const isPastWanted = ({ hasPast, name }: ReadShape): boolean =>
    hasPast === true && options.isWanted(pastName(name))
  const wanted = READS.filter((shape) => options.isWanted(shape.name) || isPastWanted(shape))
  const past = wanted.some(isPastWanted) ? await timeInThePast(server, options) : undefined
  for (const shape of wanted) {
    const { name, method = 'GET', path } = shape
    const address = path(dataset)
    if (address === undefined) {
      options.progress(`${name}: skipped, the data set lacks the objects`)
      continue
    }
    const { seconds } = options
    for (const [connections, varied] of loads(options)) {
      const load = { name, method, path: address, connections, varied, seconds }
      // One after the other, so that what disturbs the machine affects both.
      const asOf = past !== undefined && isPastWanted(shape) ? [loadAsOf(load, past)] : []
      for (const each of [load, ...asOf]) {
        const measurement = await measureRead(server.access, server.watched, each)
        measured.push(measurement)
        options.progress(measurementLine(measurement))
      }
    }
  }
  return measured
}

const loadAsOf = (load: ReadLoad, time: string): ReadLoad => ({
  ...load,
  name: pastName(load.name),
  path: `${load.path}${load.path.includes('?') ? '&' : '?'}as_of=${time}`,
})

/** Pages are measured with distinct requests: each user opens another one. */
async function pages(
  { access, watched }: ServerUnderTest,
  { isWanted, progress, readOnly, seconds }: RunOptions,
): Promise<Measurement[]> {
  const wanted = PAGES.filter(({ name }) => isWanted(name))
  const needsFixtures = !readOnly && wanted.some(({ isOfFixtures }) => isOfFixtures)
  const fixtures = needsFixtures ? await createPageFixtures(access, runMark()) : undefined
  const measured: Measurement[] = []
  try {
    for (const shape of wanted) {
      const measurement = await measurePages(access, watched, shape, { seconds, fixtures })
      if (measurement) measured.push(measurement)
      progress(
        measurement
          ? measurementLine(measurement)
          : `${shape.name}: skipped, the data set lacks the objects`,
      )
    }
  } finally {
    await fixtures?.remove()
  }
  return measured
}

/** Distinguishes runs on the same server. */
const runMark = (): string => Date.now().toString(36)

const loads = ({ connections, nothingKept }: RunOptions) =>
  connections.flatMap((count) => [
    ...(nothingKept ? [] : [[count, false] as const]),
    [count, true] as const,
  ])

async function writes(server: ServerUnderTest, options: RunOptions): Promise<Measurement[]> {
  const cycles = WRITES.filter((cycle) => isCycleWanted(cycle, options.isWanted))
  if (options.readOnly || cycles.length === 0) return []
  const { access, watched } = server
  const fixtures = await createFixtures(access, runMark())
  const measured: Measurement[] = []
  try {
    for (const cycle of cycles) {
      for (const connections of cycle.isParallel ? options.connections : [1]) {
        const steps = await measureWrites(access, watched, fixtures, cycle, connections)
        measured.push(...steps)
        for (const step of steps) options.progress(measurementLine(step))
      }
    }
  } catch (error) {
    // Objects of the failed turn may protect those to be removed.
    await fixtures
      .remove()
      .catch((left) => options.progress(`Objects of the benchmark remain on the server: ${left}`))
    throw error
  }
  await fixtures.remove()
  return measured
}

/** Webhooks are sent to this machine, which only a server of our own does. */
async function webhooks(
  { access, watched, own }: ServerUnderTest,
  options: RunOptions,
): Promise<Measurement[]> {
  const isWanted = Object.values(WEBHOOK_ROWS).some((name) => options.isWanted(name))
  if (options.readOnly || !own || !isWanted) return []
  const measured = await measureWebhooks(access, watched)
  for (const measurement of measured) options.progress(measurementLine(measurement))
  return measured
}

/** Name by which `isWanted` chooses it. */
const MIXED = 'mixed load'
/** Factor on the duration of a single read: a writer makes few changes per second. */
const MIXED_LENGTH = 4

async function mixedLoad(
  { access, watched }: ServerUnderTest,
  options: RunOptions,
): Promise<readonly MixedLoad[]> {
  if (options.readOnly || !options.isWanted(MIXED)) return []
  const measured = await measureMixedLoad(access, watched, options.seconds * MIXED_LENGTH)
  for (const { alone, beside, writes } of measured) {
    for (const measurement of [alone, beside, writes])
      options.progress(measurementLine(measurement))
  }
  return measured
}

async function limits(
  server: ServerUnderTest,
  dataset: Dataset,
  options: RunOptions,
): Promise<LimitRow[]> {
  const rows = await measureLimit(server, dataset, {
    connections: Math.max(...options.connections),
    seconds: options.seconds,
  })
  for (const { ours, bare } of rows) {
    options.progress(`${measurementLine(ours)}\n${measurementLine({ ...bare, name: '  bare' })}`)
  }
  return rows
}

async function coldStart({ own }: ServerUnderTest): Promise<number | null> {
  if (!own) return null
  const times: number[] = []
  for (let start = 0; start < STARTS; start++) times.push(await own.restart())
  return Math.round(
    quantile(
      times.toSorted((a, b) => a - b),
      0.5,
    ),
  )
}
