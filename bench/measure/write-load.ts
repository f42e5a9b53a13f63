import { type Access, send } from '../client.ts'
import type { Fixtures } from '../fixtures.ts'
import type { Measurement } from '../result.ts'
import type { Turn, WriteCycle, WriteStep } from '../shapes/shape.ts'
import { measureSingleWrites } from './single-write-load.ts'
import { summarise } from './summary.ts'
import { type CpuTimes, cpuBetween, cpuTimes, type Watched } from './usage.ts'

interface Spent {
  readonly times: number[]
  bytes: number
  /** CPU time of the requests around which it was read. */
  cpu: CpuTimes
  looks: number
}

/** Reading CPU times takes longer than a small request and leaves its caches cold, so most turns skip it. */
const TURNS_PER_LOOK = 10

/** First turn number: no two cycles of a run create objects of the same name. */
const NUMBERS_OF_LOAD = 10_000
let loads = 0

/** Runs the turns of a cycle, those about one object over so many connections; one measurement for each of its steps. */
export const measureWrites = (
  access: Access,
  watched: Watched,
  fixtures: Fixtures,
  cycle: WriteCycle,
  connections: number,
): Promise<Measurement[]> =>
  cycle.isSingle
    ? measureSingleWrites(access, watched, fixtures, cycle, connections)
    : measureBulkWrites(access, watched, fixtures, cycle)

async function measureBulkWrites(
  access: Access,
  watched: Watched,
  fixtures: Fixtures,
  cycle: WriteCycle,
): Promise<Measurement[]> {
  const spent = new Map<WriteStep, Spent>(
    cycle.steps.flatMap((step) =>
      step.isUnmeasured
        ? []
        : [[step, { times: [], bytes: 0, cpu: { server: 0, database: 0 }, looks: 0 }]],
    ),
  )
  let next = NUMBERS_OF_LOAD * loads++
  for (const first = next; next < first + cycle.warmUp; next++) {
    await runTurn(access, watched, cycle, { fixtures, first: next })
  }
  for (const last = next + cycle.turns; next < last; next++) {
    await runTurn(access, watched, cycle, { fixtures, first: next }, spent)
  }
  return [...spent].map(([{ name }, { times, bytes, cpu, looks }]) =>
    summarise({
      ...{ name, connections: 1, varied: true, times, bytes },
      // Steps alternate.
      seconds: sum(times) / 1000,
      cpu: scaled(cpu, times.length / looks),
    }),
  )
}

async function runTurn(
  access: Access,
  watched: Watched,
  { steps, turns }: WriteCycle,
  { fixtures, first }: { readonly fixtures: Fixtures; readonly first: number },
  spent?: ReadonlyMap<WriteStep, Spent>,
): Promise<void> {
  const created: number[] = []
  const looks = turns < TURNS_PER_LOOK || first % TURNS_PER_LOOK === 0
  for (const step of steps) {
    for (let time = 0; time < (step.times ?? 1); time++) {
      const before = looks ? cpuTimes(watched) : undefined
      const turn: Turn = { fixtures, number: first * 10 + time, created }
      const path = `${step.path}${step.isDryRun ? '?dry_run=true' : ''}`
      const { body, milliseconds } = await send(access, step.method, path, step.body?.(turn))
      if (step.method === 'POST' && !step.isDryRun) created.push(...idsIn(body))
      const tally = spent?.get(step)
      if (!tally) continue
      tally.times.push(milliseconds)
      tally.bytes = body.length
      if (!before) continue
      tally.cpu = added(tally.cpu, cpuBetween(before, cpuTimes(watched)))
      tally.looks += 1
    }
  }
}

/** Ids of the objects in the response to a creation, which is a list of them. */
const idsIn = (body: Buffer): number[] =>
  (JSON.parse(body.toString()) as { id: number }[]).map(({ id }) => id)

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

const added = (one: CpuTimes, other: CpuTimes): CpuTimes => ({
  server: one.server === null || other.server === null ? null : one.server + other.server,
  database: one.database === null || other.database === null ? null : one.database + other.database,
})

const scaled = ({ server, database }: CpuTimes, factor: number): CpuTimes => ({
  server: server === null ? null : server * factor,
  database: database === null ? null : database * factor,
})
