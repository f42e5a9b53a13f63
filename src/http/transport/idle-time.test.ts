import fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { idleTimeOf } from './idle-time.ts'

it('a server is idle since a request began or ended', async () => {
  let now = 1_000
  const server = fastify()
  onTestFinished(() => server.close())
  const idleTime = idleTimeOf(server, { clock: { now: () => now } })
  const during: number[] = []
  server.get('/', async () => {
    during.push(idleTime())
    now += 500
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
