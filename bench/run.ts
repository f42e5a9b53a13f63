import { measureLimit } from './limit/measure.ts'
import { machine } from './machine.ts'
import { quantile } from './measure/quantile.ts'
import { measureRead } from './measure/read-load.ts'
import { memoryUse } from './measure/usage.ts'
import { measureWrites } from './measure/write-load.ts'
import { measurementLine } from './report/lines.ts'
import { type LimitRow, type Measurement, type Result, today } from './result.ts'
import { READS } from './shapes/reads.ts'
import { WRITES } from './shapes/writes.ts'
import type { Target } from './targets/target.ts'
import { openWorkshop } from './workshop.ts'
import { explore, type World } from './world.ts'

export interface RunOptions {
  /** For each read and each number of connections. */
  readonly seconds: number
  readonly connections: readonly number[]
  readonly readOnly: boolean
  /** Whether the request of that name is to be measured. A cycle of writes comes whole or not at all. */
  readonly isWanted: (name: string) => boolean
  readonly limit: boolean
  /** The server keeps nothing between requests: the same again is no other than any. */
  readonly nothingKept: boolean
  readonly progress: (text: string) => void
}

const STARTS = 3

/** Measures everything on one server. */
export async function runBenchmark(target: Target, options: RunOptions): Promise<Result> {
  const world = await explore(target.access)
  const measurements = [
    ...(await reads(target, world, options)),
    ...(await writes(target, options)),
  ]
  const memory = memoryUse(target.watched) ?? null
  const limit = options.limit ? await limits(target, world, options) : []
  return {
    format: 1,
    target: target.name,
    ...(options.nothingKept && { nothingKept: true }),
    date: today(),
    machine: machine(),
    versions: target.versions,
    counts: world.counts,
    measurements,
    memory,
    limit,
    coldStart: await coldStart(target),
    growth: [],
  }
}

async function reads(target: Target, world: World, options: RunOptions): Promise<Measurement[]> {
  const measured: Measurement[] = []
  for (const { name, method = 'GET', path } of READS.filter(({ name }) => options.isWanted(name))) {
    const address = path(world)
    if (address === undefined) {
      options.progress(`${name}: the data has nothing to ask for`)
      continue
    }
    const { seconds } = options
    for (const [connections, varied] of loads(options)) {
      const load = { name, method, path: address, connections, varied, seconds }
      const measurement = await measureRead(target.access, target.watched, load)
      measured.push(measurement)
      options.progress(measurementLine(measurement))
    }
  }
  return measured
}

const loads = ({ connections, nothingKept }: RunOptions) =>
  connections.flatMap((count) => [
    ...(nothingKept ? [] : [[count, false] as const]),
    [count, true] as const,
  ])

async function writes(target: Target, options: RunOptions): Promise<Measurement[]> {
  const cycles = WRITES.filter(({ steps }) => steps.some(({ name }) => options.isWanted(name)))
  if (options.readOnly || cycles.length === 0) return []
  const { access, watched } = target
  const workshop = await openWorkshop(access, Date.now().toString(36))
  const measured: Measurement[] = []
  try {
    for (const cycle of cycles) {
      for (const connections of cycle.isParallel ? options.connections : [1]) {
        const steps = await measureWrites(access, watched, workshop, cycle, connections)
        measured.push(...steps)
        for (const step of steps) options.progress(measurementLine(step))
      }
    }
  } catch (error) {
    // What the failed turn has made may hold on to what is to be removed.
    await workshop.remove().catch((left) => options.progress(`Something is left behind: ${left}`))
    throw error
  }
  await workshop.remove()
  return measured
}

async function limits(target: Target, world: World, options: RunOptions): Promise<LimitRow[]> {
  const rows = await measureLimit(target, world, {
    connections: Math.max(...options.connections),
    seconds: options.seconds,
  })
  for (const { ours, bare } of rows) {
    options.progress(`${measurementLine(ours)}\n${measurementLine({ ...bare, name: '  bare' })}`)
  }
  return rows
}

async function coldStart({ own }: Target): Promise<number | null> {
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
