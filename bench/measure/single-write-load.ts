import type { Access } from '../client.ts'
import type { Fixtures } from '../fixtures.ts'
import type { Measurement } from '../result.ts'
import type { WriteCycle, WriteStep } from '../shapes/shape.ts'
import { sendRepeatedly } from './repeated-requests.ts'
import { summarise } from './summary.ts'
import { cpuBetween, cpuTimes, type Watched } from './usage.ts'

/** Number of the next turn, unique in a run: no two turns create objects of the same name. */
let turns = 1_000_000

/**
 * Measures writes of single objects: each step of the cycle for as many objects as it has turns, over the connections. Throws for a status
 * other than 2xx.
 */
export async function measureSingleWrites(
  access: Access,
  watched: Watched,
  fixtures: Fixtures,
  { steps, warmUp, turns: amount }: WriteCycle,
  connections: number,
): Promise<Measurement[]> {
  await runSteps(access, watched, fixtures, steps, { amount: warmUp, connections })
  return await runSteps(access, watched, fixtures, steps, { amount, connections })
}

interface Load {
  /** Number of objects. */
  readonly amount: number
  readonly connections: number
}

async function runSteps(
  access: Access,
  watched: Watched,
  fixtures: Fixtures,
  steps: readonly WriteStep[],
  { amount, connections }: Load,
): Promise<Measurement[]> {
  const measured: Measurement[] = []
  const created: number[] = []
  for (const { name, method, path, single, body, isDryRun, isUnmeasured } of steps) {
    const suffix = isDryRun ? '?dry_run=true' : ''
    let at = 0
    let bytes = 0
    const before = cpuTimes(watched)
    const sent = await sendRepeatedly(access, {
      ...{ method, connections, length: { amount } },
      next: () => ({
        path: `${path}${single ? `${created[at++]}/` : ''}${suffix}`,
        body: body?.({ fixtures, number: turns++, created: [] }),
      }),
      received: (text) => {
        bytes = Buffer.byteLength(text)
        // The answer to a creation is the object.
        if (method === 'POST' && !isDryRun) created.push((JSON.parse(text) as { id: number }).id)
      },
    })
    if (isUnmeasured) continue
    const cpu = cpuBetween(before, cpuTimes(watched))
    measured.push(summarise({ ...{ name, connections, varied: true, bytes, cpu }, ...sent }))
  }
  return measured
}
