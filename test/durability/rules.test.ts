import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { modelRegistry } from '../../src/app/core.ts'
import { readSettings } from '../../src/config/settings.ts'
import { openDatabase } from '../../src/db/open.ts'
import { volatile } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { type Ask, expectedFindings, RandomWorld, storedFindings } from '../rules/random-world.ts'
import { environmentOfTest } from '../support/program.ts'
import { randomNumbers } from '../support/random-writes.ts'
import { runSize } from '../support/run-size.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

const ROUNDS = runSize({ full: 10, usual: 3 })
const WRITERS = 2
/** Milliseconds within which findings follow, on a busy machine. */
const LIMIT = 60_000

const askOf =
  (server: () => ServerProcess): Ask =>
  async (method, path, body) => {
    const response = await send(server(), method, path, body)
    const text = await response.text()
    return { status: response.status, headers: response.headers, json: text === '' ? {} : JSON.parse(text) }
  }

it(`kill -9 and restarts of one of two processes during writes, ${ROUNDS} times: findings equal a full evaluation once all is quiet`, async () => {
  const seed = Number(process.env.SEED ?? Math.floor(Date.now() / 86_400_000))
  const pick = randomNumbers(seed)
  const environment = { ...(await environmentOfTest()), API_VERSION: '4.7' }
  const servers = [await startServer(environment), await startServer(environment)]
  onTestFinished(async () => {
    for (const server of servers) await server.kill()
  })
  const registry = modelRegistry()
  const database = await openDatabase(readSettings(environment))
  onTestFinished(() => database.close())
  const serverAt = (index: number): ServerProcess => {
    const server = servers[index]
    if (!server) throw new Error(`There is no server ${index}`)
    return server
  }
  const world = new RandomWorld(pick)
  const first = askOf(() => serverAt(0))
  await world.prepare(first)
  for (let index = 0; index < 8; index += 1) await world.grow(first)

  for (let round = 0; round < ROUNDS; round += 1) {
    let isOver = false
    let changes = 0
    const write = async (ask: Ask): Promise<void> => {
      while (!isOver) {
        // The request of a killed process fails; nobody knows whether it was carried out.
        await world.change(ask).catch(() => sleep(50))
        changes += 1
      }
    }
    const writing = servers.flatMap((_, index) =>
      Array.from({ length: WRITERS }, () => write(askOf(() => serverAt(index)))),
    )
    await sleep(1000 + pick(1000))
    const victim = round % servers.length
    // The last round ends a process as an upgrade does.
    if (round === ROUNDS - 1) await serverAt(victim).stop()
    else await serverAt(victim).kill()
    // The other one goes on alone for a while.
    await sleep(pick(1500))
    servers[victim] = await startServer(environment)
    await sleep(pick(1000))
    isOver = true
    await Promise.all(writing)
    expect(changes).toBeGreaterThan(20)
    // A turn removes the notes of changes in the transaction that stores what follows from them.
    const pending = () => database.queryColumn(volatile`select count(*) from ${table('extras.ruletouch')}`)
    await expect.poll(pending, { timeout: LIMIT, interval: 100 }).toEqual([0])
    const expected = await expectedFindings({ registry, database })
    expect(expected.length).toBeGreaterThan(0)
    expect(await storedFindings({ database }), `seed ${seed}, round ${round}`).toEqual(expected)
  }
})
