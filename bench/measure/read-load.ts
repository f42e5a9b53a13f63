import { type Access, send } from '../client.ts'
import type { Measurement } from '../result.ts'
import { sendRepeatedly } from './repeated-requests.ts'
import { summarise } from './summary.ts'
import { cpuBetween, cpuTimes, type Watched } from './usage.ts'

/** One request, and how it is sent. */
export interface ReadLoad {
  readonly name: string
  readonly method: 'GET' | 'OPTIONS'
  readonly path: string
  readonly connections: number
  /** Each request differs from earlier ones in a parameter that every server ignores. */
  readonly varied: boolean
  readonly seconds: number
}

/** Most requests before the measurement. */
const WARM_UP = 100

/** Sends the request repeatedly for some seconds. Throws for a status other than 2xx. */
export async function measureRead(
  access: Access,
  watched: Watched,
  load: ReadLoad,
): Promise<Measurement> {
  const { name, method, path, connections, varied, seconds } = load
  const { bytes, slowest } = await warmUp(access, load)
  const before = cpuTimes(watched)
  const sent = await sendRepeatedly(access, {
    method,
    connections,
    ...(varied ? { next: () => ({ path: unlike(path) }) } : { path }),
    // A server that takes longer than that for one answer is asked twice by every connection.
    length: slowest > seconds * 500 ? { amount: connections * 2 } : { duration: seconds },
  })
  const cpu = cpuBetween(before, cpuTimes(watched))
  return summarise({ name, connections, varied, ...sent, bytes, cpu })
}

/** Length of a response, and milliseconds of the last warm-up request: just-in-time compilation takes a while. */
async function warmUp(access: Access, { method, path, varied, seconds }: ReadLoad) {
  const until = performance.now() + seconds * 250
  const next = () => send(access, method, varied ? unlike(path) : path)
  let last = await next()
  for (let turn = 1; turn < WARM_UP && performance.now() < until; turn++) last = await next()
  return { bytes: last.body.length, slowest: last.milliseconds }
}

let turns = 0

/** The path with a unique value of an unknown parameter, which servers ignore. */
export const unlike = (path: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}turn=${turns++}`
