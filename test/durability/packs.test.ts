import { setTimeout } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { crash, victimOf } from '../support/crashes.ts'
import { directoryOfTest } from '../support/directory.ts'
import { memoryOf } from '../support/process-memory.ts'
import { environmentOfTest } from '../support/program.ts'
import { randomNumbers } from '../support/random-writes.ts'
import { runSize } from '../support/run-size.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

const SWITCHES = runSize({ full: 100, usual: 12 })
const CRASHES = runSize({ full: 20, usual: 4 })
/** Longest time from a switch to the crash, in milliseconds: most switches have ended by then. */
const LATEST = 600
/** Largest growth of the memory of a process over all switches, in bytes. */
const GROWTH = 400e6

const LISTS = '/api/plugins/bgp/prefix-list/'

const json = async (response: Response) => JSON.parse(await response.text())

async function bgpPath(server: ServerProcess): Promise<string> {
  const { results } = await json(await send(server, 'GET', '/api/core/packs/?name=bgp'))
  return `/api/core/packs/${results[0].id}/`
}

it(`switching a pack ${SWITCHES} times under readers and writers of two processes loses nothing and answers all`, async () => {
  const environment = await environmentOfTest()
  const servers = [await startServer(environment), await startServer({ ...environment, DATA_DIR: directoryOfTest() })]
  onTestFinished(async () => {
    await Promise.all(servers.map((server) => server.kill()))
  })
  const [first, second] = servers
  if (!first || !second) throw new Error('Two servers have been started')
  const path = await bgpPath(first)
  const seen = new Map<number, number>()
  const made: string[] = []
  let isEnded = false
  const work = async (server: ServerProcess, number: number): Promise<void> => {
    for (let turn = 0; !isEnded; turn++) {
      const name = `List ${number}-${turn}`
      const [method, body] = turn % 2 === 0 ? (['POST', { name, family: 'ipv4' }] as const) : (['GET'] as const)
      const { status } = await send(server, method, LISTS, body)
      if (status === 201) made.push(name)
      seen.set(status, (seen.get(status) ?? 0) + 1)
      const devices = await send(server, 'GET', '/api/dcim/devices/?limit=1')
      expect(devices.status, await devices.text()).toBe(200)
      await setTimeout(20)
    }
  }
  const workers = servers.flatMap((server, index) => [work(server, 2 * index), work(server, 2 * index + 1)])
  const sizes: number[] = []
  for (let round = 0; round < SWITCHES; round++) {
    const response = await send(round % 3 === 0 ? second : first, 'PATCH', path, { enabled: round % 2 === 0 })
    expect(response.status, await response.text()).toBe(200)
    if (round >= 4) sizes.push(...servers.map(({ process: { pid = 0 } }) => memoryOf(pid).service))
    await setTimeout(150)
  }
  isEnded = true
  await Promise.all(workers)
  await send(first, 'PATCH', path, { enabled: true })
  expect([...seen.keys()].filter((status) => ![200, 201, 404].includes(status))).toEqual([])
  expect(seen.get(404) ?? 0).toBeGreaterThan(0)
  await expect.poll(async () => (await json(await send(second, 'GET', `${LISTS}?limit=1`))).count).toBe(made.length)
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThan(GROWTH)
})

it(`kill -9 while a pack is switched, ${CRASHES} times: it is on with its tables, or off`, async () => {
  const environment = { DATA_DIR: directoryOfTest() }
  let server: ServerProcess = await startServer(environment)
  onTestFinished(() => server.kill())
  const path = await bgpPath(server)
  const below = randomNumbers(20_261_129)
  let objects = 0
  for (let round = 0; round < CRASHES; round++) {
    const wanted = round % 2 === 0
    const switching = send(server, 'PATCH', path, { enabled: wanted }).catch(() => undefined)
    await setTimeout(below(LATEST))
    server = await crash(server, environment, victimOf(round))
    await switching
    const { enabled } = await json(await send(server, 'GET', path))
    const { status } = await send(server, 'GET', LISTS)
    expect(status).toBe(enabled ? 200 : 404)
    await send(server, 'PATCH', path, { enabled: true })
    const response = await send(server, 'POST', LISTS, { name: `List ${round}`, family: 'ipv6' })
    expect(response.status, await response.text()).toBe(201)
    objects += 1
    expect((await json(await send(server, 'GET', LISTS))).count).toBe(objects)
    await send(server, 'PATCH', path, { enabled: !wanted })
  }
})
