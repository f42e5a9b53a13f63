import autocannon from 'autocannon'
import { type Access, authorization, send } from '../client.ts'
import type { Measurement } from '../result.ts'
import { summarise } from './summary.ts'
import { cpuBetween, cpuTimes, type Watched } from './usage.ts'

/** One request and how it is put. */
export interface ReadLoad {
  readonly name: string
  readonly method: 'GET' | 'OPTIONS'
  readonly path: string
  readonly connections: number
  /** Each request differs from those before it, in a parameter that no server reads. */
  readonly varied: boolean
  readonly seconds: number
}

const WARM_UP = 5
/** Milliseconds between looks at whether the time is over. */
const LOOK = 20
const LONGEST_ANSWER = 600

/** Sends the request again and again for some seconds. Throws when an answer is not 2xx. */
export async function measureRead(
  access: Access,
  watched: Watched,
  { name, method, path, connections, varied, seconds }: ReadLoad,
): Promise<Measurement> {
  const { bytes, slowest } = await warmUp(access, method, path, seconds)
  const times: number[] = []
  const failures = new Set<string>()
  const before = cpuTimes(watched)
  const start = performance.now()
  let end = start
  await new Promise<void>((resolve, reject) => {
    const options = {
      url: access.url + path,
      method,
      headers: { authorization: authorization(access.token), accept: 'application/json' },
      connections,
      sampleInt: LOOK,
      ...(varied && { requests: [{ setupRequest: unlike(path) }] }),
      timeout: LONGEST_ANSWER,
      // A server that takes longer than that for one answer is asked twice by every connection.
      ...(slowest > seconds * 500 ? { amount: connections * 2 } : { duration: seconds }),
    }
    const run = autocannon(options, (error: unknown) => (error ? reject(error) : resolve()))
    run.on('response', (_client, status, _bytes, milliseconds) => {
      end = performance.now()
      times.push(milliseconds)
      if (status < 200 || status > 299) failures.add(String(status))
    })
    run.on('reqError', (error) => failures.add(String(error)))
  })
  if (failures.size > 0) throw new Error(`${method} ${path}: ${[...failures].join(', ')}`)
  const cpu = cpuBetween(before, cpuTimes(watched))
  return summarise({ name, connections, varied, times, seconds: (end - start) / 1000, bytes, cpu })
}

/** Length of an answer, and milliseconds of the last of a few. */
async function warmUp(access: Access, method: string, path: string, seconds: number) {
  const until = performance.now() + seconds * 1000
  let last = await send(access, method, path)
  for (let turn = 1; turn < WARM_UP && performance.now() < until; turn++) {
    last = await send(access, method, path)
  }
  return { bytes: last.body.length, slowest: last.milliseconds }
}

let turns = 0

/** Gives each request a path of its own. Parameters that do not exist are ignored by this API. */
function unlike(path: string): (request: autocannon.Request) => autocannon.Request {
  const start = `${path}${path.includes('?') ? '&' : '?'}turn=`
  return (request) => ({ ...request, path: `${start}${turns++}` })
}
