import type { Access } from './client.ts'
import { probeDataset } from './dataset.ts'
import { createFixtures, type Fixtures } from './fixtures.ts'
import { quantile } from './measure/quantile.ts'
import { measureRead } from './measure/read-load.ts'
import { measureWrites } from './measure/write-load.ts'
import type { Measurement } from './result.ts'
import { READS } from './shapes/reads.ts'
import { isCycleWanted, type WriteCycle } from './shapes/shape.ts'
import { WRITES } from './shapes/writes.ts'

export interface TurnOptions {
  /** Number of measurements of each server; an odd number has a middle. */
  readonly turns: number
  /** Duration of one measurement of a read. */
  readonly seconds: number
  readonly connections: readonly number[]
  readonly readOnly: boolean
  readonly isWanted: (name: string) => boolean
  readonly progress: (text: string) => void
}

/** One request on two servers with the same data. */
export interface TurnRow {
  readonly name: string
  readonly connections: number
  readonly varied: boolean
  /** Median requests per second of each server. */
  readonly first: number
  readonly second: number
  /** Median of the ratios of neighbouring measurements, second to first: what disturbs the machine affects both. */
  readonly ratio: number
}

type Servers = readonly [Access, Access]

/** Measures two running servers alternately, each request in many short turns. */
export async function measureInTurns(servers: Servers, options: TurnOptions): Promise<TurnRow[]> {
  const rows = await readsInTurns(servers, options)
  return options.readOnly ? rows : [...rows, ...(await writesInTurns(servers, options))]
}

async function readsInTurns(servers: Servers, options: TurnOptions): Promise<TurnRow[]> {
  const { turns, seconds, progress } = options
  const dataset = await probeDataset(servers[0])
  const rows: TurnRow[] = []
  for (const { name, method = 'GET', path } of READS.filter(({ name }) => options.isWanted(name))) {
    const address = path(dataset)
    if (address === undefined) continue
    for (const connections of options.connections) {
      for (const varied of [false, true]) {
        const load = { name, method, path: address, connections, varied, seconds }
        const read = async (access: Access) => [await measureRead(access, {}, load)]
        rows.push(...(await alternate(servers, turns, read)))
        progress(`${name}, ${connections}`)
      }
    }
  }
  return rows
}

async function writesInTurns(servers: Servers, options: TurnOptions): Promise<TurnRow[]> {
  const { turns, progress } = options
  const mark = Date.now().toString(36)
  const fixtures = new Map<Access, Fixtures>()
  for (const access of servers) fixtures.set(access, await createFixtures(access, mark))
  const rows: TurnRow[] = []
  for (const cycle of WRITES.filter((cycle) => isCycleWanted(cycle, options.isWanted))) {
    const short = shortened(cycle, turns)
    const write = async (access: Access) => {
      const created = fixtures.get(access)
      if (!created) throw new Error('Each server has fixtures')
      return await measureWrites(access, {}, created, short, 1)
    }
    const measured = await alternate(servers, turns, write)
    rows.push(...measured)
    progress(measured.map(({ name }) => name).join(', '))
  }
  for (const created of fixtures.values()) await created.remove()
  return rows
}

/** The turns of a cycle are shared among the measurements. */
const shortened = (cycle: WriteCycle, turns: number): WriteCycle => ({
  ...cycle,
  turns: Math.ceil(cycle.turns / turns),
  warmUp: Math.ceil(cycle.warmUp / turns),
})

/** Each measurement of one server is followed by the same of the other; which one begins alternates. */
async function alternate(
  [first, second]: Servers,
  turns: number,
  measure: (access: Access) => Promise<readonly Measurement[]>,
): Promise<TurnRow[]> {
  const pairs: [Measurement, Measurement][] = []
  for (let turn = 0; turn < turns; turn++) {
    const isSwapped = turn % 2 === 1
    const one = await measure(isSwapped ? second : first)
    const other = await measure(isSwapped ? first : second)
    const [ones, others] = isSwapped ? [other, one] : [one, other]
    for (const measured of ones) {
      const counterpart = others.find(({ name }) => name === measured.name)
      if (counterpart) pairs.push([measured, counterpart])
    }
  }
  return [...Map.groupBy(pairs, ([{ name }]) => name).values()].flatMap(rowOf)
}

function rowOf(pairs: readonly (readonly [Measurement, Measurement])[]): TurnRow[] {
  const [sample] = pairs[0] ?? []
  if (!sample) return []
  const { name, connections, varied } = sample
  const middle = (values: readonly number[]) =>
    quantile(
      values.toSorted((a, b) => a - b),
      0.5,
    )
  return [
    {
      ...{ name, connections, varied },
      first: middle(pairs.map(([one]) => one.rate)),
      second: middle(pairs.map(([, other]) => other.rate)),
      ratio: middle(pairs.map(([one, other]) => other.rate / one.rate)),
    },
  ]
}
