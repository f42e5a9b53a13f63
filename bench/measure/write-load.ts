import { type Access, send } from '../client.ts'
import type { Measurement } from '../result.ts'
import type { Turn, WriteCycle, WriteStep } from '../shapes/shape.ts'
import type { Workshop } from '../workshop.ts'
import { summarise } from './summary.ts'
import { type CpuTimes, cpuBetween, cpuTimes, type Watched } from './usage.ts'

interface Spent {
  readonly times: number[]
  bytes: number
  cpu: CpuTimes
}

/** Where the numbers of turns begin: no two cycles of a run make objects of the same names. */
const NUMBERS_OF_LOAD = 10_000
let loads = 0

/** Runs the turns of a cycle, over `connections` at a time; one measurement for each of its steps. */
export async function measureWrites(
  access: Access,
  watched: Watched,
  workshop: Workshop,
  cycle: WriteCycle,
  connections: number,
): Promise<Measurement[]> {
  const spent = new Map<WriteStep, Spent>(
    cycle.steps.map((step) => [step, { times: [], bytes: 0, cpu: { server: 0, database: 0 } }]),
  )
  const first = NUMBERS_OF_LOAD * loads++
  // What runs once only is long, and comes after shorter requests of its kind.
  if (cycle.turns > 1) {
    await runTurn(access, watched, cycle, { workshop, first: first + NUMBERS_OF_LOAD - 1 })
  }
  let next = first
  const last = first + cycle.turns * connections
  const start = performance.now()
  const worker = async () => {
    while (next < last) await runTurn(access, watched, cycle, { workshop, first: next++ }, spent)
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - start) / 1000
  return [...spent].map(([{ name }, { times, bytes, cpu }]) =>
    summarise({
      name,
      connections,
      varied: true,
      times,
      bytes,
      // Steps take turns: over several connections each has had its part of the time.
      seconds: connections === 1 ? sum(times) / 1000 : (seconds * sum(times)) / sumOfAll(spent),
      cpu: connections === 1 ? cpu : { server: null, database: null },
    }),
  )
}

async function runTurn(
  access: Access,
  watched: Watched,
  { steps }: WriteCycle,
  { workshop, first }: { readonly workshop: Workshop; readonly first: number },
  spent?: ReadonlyMap<WriteStep, Spent>,
): Promise<void> {
  const created: number[] = []
  for (const step of steps) {
    for (let time = 0; time < (step.times ?? 1); time++) {
      const before = cpuTimes(watched)
      const turn: Turn = { workshop, number: first * 10 + time, created }
      const path = step.single ? `${step.path}${created[0]}/` : step.path
      const { body, milliseconds } = await send(access, step.method, path, step.body?.(turn))
      if (step.method === 'POST') created.push(...idsIn(body))
      const tally = spent?.get(step)
      if (!tally) continue
      tally.times.push(milliseconds)
      tally.bytes = body.length
      tally.cpu = added(tally.cpu, cpuBetween(before, cpuTimes(watched)))
    }
  }
}

/** Ids of the objects in an answer to a creation. */
function idsIn(body: Buffer): number[] {
  // One object or a list of them, each with its id.
  const answer = JSON.parse(body.toString()) as { id: number } | { id: number }[]
  return (Array.isArray(answer) ? answer : [answer]).map(({ id }) => id)
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)
const sumOfAll = (spent: ReadonlyMap<WriteStep, Spent>): number =>
  sum([...spent.values()].map(({ times }) => sum(times)))

const added = (one: CpuTimes, other: CpuTimes): CpuTimes => ({
  server: one.server === null || other.server === null ? null : one.server + other.server,
  database: one.database === null || other.database === null ? null : one.database + other.database,
})
