import fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { eventually } from '../../../test/support/eventually.ts'
import { idleTimeOf } from './idle-time.ts'

it('a server is idle since its last request ended, and not during one', async () => {
  let now = 1_000
  const server = fastify()
  onTestFinished(() => server.close())
  const idleTime = idleTimeOf(server, { clock: { now: () => now } })
  const during: number[] = []
  server.get('/', async () => {
    now += 500
    during.push(idleTime())
    return {}
  })
  now += 5_000
  expect(idleTime()).toBe(5_000)
  await server.inject('/')
  expect(during).toEqual([0])
  expect(idleTime()).toBe(0)
  now += 200
  expect(idleTime()).toBe(200)
})

it('a server is idle after a client has disconnected without waiting for the response', async () => {
  let now = 1_000
  const server = fastify()
  onTestFinished(() => server.close())
  const idleTime = idleTimeOf(server, { clock: { now: () => now } })
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
  server.get('/', async () => {
    arrive()
    await gone
    return {}
  })
  const url = await server.listen()
  const client = new AbortController()
  const answer = fetch(url, { signal: client.signal }).catch(() => undefined)
  await arrived
  now += 500
  expect(idleTime()).toBe(0)
  client.abort()
  await answer
  leave()
  // Only after the server has noticed.
  await eventually(() => {
    now += 1
    expect(idleTime()).toBeGreaterThan(0)
  })
})
