import autocannon from 'autocannon'
import { type Access, authorization, send } from '../client.ts'
import type { Measurement } from '../result.ts'
import type { WriteStep } from '../shapes/shape.ts'
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
/** Milliseconds between checks of the elapsed time. */
const LOOK = 20
const LONGEST_ANSWER = 600

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

/** Requests over several connections, each of which sends the next one when it has been answered. */
export interface RepeatedRequests {
  readonly method: 'GET' | 'OPTIONS' | WriteStep['method']
  /** JSON if it is absent. */
  readonly accept?: string
  readonly connections: number
  readonly path?: string
  /** Each request, instead of `path`; the body is sent as JSON. */
  readonly next?: () => { readonly path: string; readonly body?: unknown }
  /** Receives the body of each answer. */
  readonly received?: (body: string) => void
  /** For how long, or how many. */
  readonly length: { readonly duration: number } | { readonly amount: number }
}

/** Milliseconds of each answer, and seconds from the first request to the last answer. Throws when an answer is not 2xx. */
export async function sendRepeatedly(
  access: Access,
  {
    method,
    accept = 'application/json',
    connections,
    path = '/',
    next,
    received,
    length,
  }: RepeatedRequests,
): Promise<{ readonly times: readonly number[]; readonly seconds: number }> {
  const times: number[] = []
  const failures = new Set<string>()
  const setupRequest = (request: autocannon.Request): autocannon.Request => {
    const { path: own = path, body } = next?.() ?? {}
    if (body === undefined) return { ...request, path: own }
    const headers = { ...request.headers, 'content-type': 'application/json' }
    return { ...request, path: own, headers, body: JSON.stringify(body) }
  }
  const onResponse = received && ((_status: number, body: string) => received(body))
  const start = performance.now()
  let end = start
  await new Promise<void>((resolve, reject) => {
    const options = {
      url: access.url + path,
      method,
      headers: { authorization: authorization(access.token), accept },
      connections,
      sampleInt: LOOK,
      ...(next && { requests: [{ setupRequest, ...(onResponse && { onResponse }) }] }),
      timeout: LONGEST_ANSWER,
      ...length,
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
  return { times, seconds: (end - start) / 1000 }
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
