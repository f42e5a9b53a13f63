import autocannon from 'autocannon'
import { type Access, authorization } from '../client.ts'
import type { WriteStep } from '../shapes/shape.ts'

/** Milliseconds between checks of the elapsed time. */
const LOOK = 20
/** Seconds. */
const LONGEST_ANSWER = 600

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
