import { createServer, type ServerResponse, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { ApiError } from '../../base/errors.ts'
import { clientSignal } from './client-signal.ts'

/** A request that has reached a server: its response there, and a function that closes the client's connection. */
async function arrived(): Promise<{ response: ServerResponse; leave: () => void }> {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>()
  const server = createServer((_request, response) => resolve(response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo // the server listens on a TCP port
  const request = sendRequest({ port, host: '127.0.0.1', method: 'POST' })
  request.on('error', () => undefined)
  request.end('body')
  return { response: await promise, leave: () => request.destroy() }
}

const closed = (response: ServerResponse) =>
  new Promise((resolve) => (response.closed ? resolve(undefined) : response.on('close', resolve)))

it.each([
  ['before the work starts', true],
  ['while the work runs', false],
])('work whose client disconnects %s is aborted', async (_name, isEarly) => {
  const { response, leave } = await arrived()
  const signalOf = clientSignal(response, 60_000)
  if (!isEarly) expect(signalOf().aborted).toBe(false)
  leave()
  await closed(response)
  expect(signalOf().aborted).toBe(true)
  expect(signalOf().reason).toBeInstanceOf(ApiError)
})

it('work whose response has been sent is not aborted', async () => {
  const { response } = await arrived()
  const signalOf = clientSignal(response, 60_000)
  expect(signalOf().aborted).toBe(false)
  response.end('done')
  await closed(response)
  expect(signalOf().aborted).toBe(false)
})

it('work that exceeds the time limit is aborted', async () => {
  const { response } = await arrived()
  const signal = clientSignal(response, 1)()
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  expect(signal.reason).toMatchObject({ reason: { kind: 'unavailable' } })
})
