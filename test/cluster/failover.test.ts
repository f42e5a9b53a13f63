import { expect, it, onTestFinished } from 'vitest'
import { ChangeLog } from '../../src/db/cache/change-log.ts'
import { LISTENER } from '../../src/db/listeners.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { volatile } from '../../src/sql/fragment.ts'
import { directoryOfTest } from '../support/directory.ts'
import { eventually } from '../support/eventually.ts'
import { startReplicatedPair, urlOfPair } from '../support/replication.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'
import { startProxy } from '../support/tcp-proxy.ts'

const WRITERS = 8
/** Writes that are acknowledged before the primary is killed, and after the promotion before the test ends. */
const ENOUGH = 60
/** Milliseconds during which writes may fail, on a busy machine. */
const LONGEST_OUTAGE = 15_000

interface Ledger {
  readonly acknowledged: Set<string>
  /** Statuses of refused requests, and the times of all other responses. */
  readonly refusals: Map<number, number>
  readonly times: number[]
  isEnded: boolean
}

async function write(server: ServerProcess, writer: number, ledger: Ledger): Promise<void> {
  for (let turn = 0; !ledger.isEnded; turn++) {
    const name = `w${writer}-t${turn}`
    const { status } = await send(server, 'POST', '/api/dcim/sites/', { name, slug: name })
    if (status === 201) {
      ledger.acknowledged.add(name)
      ledger.times.push(Date.now())
    } else {
      ledger.refusals.set(status, (ledger.refusals.get(status) ?? 0) + 1)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

async function storedNames(server: ServerProcess): Promise<Set<string>> {
  const answer = await send(server, 'GET', '/api/dcim/sites/?limit=0&fields=name')
  const { results } = (await answer.json()) as { results: readonly { name: string }[] }
  return new Set(results.map(({ name }) => name))
}

/** The longest time between two successful responses, in milliseconds. */
const longestPause = (times: readonly number[]): number =>
  times.reduce((longest, time, index) => Math.max(longest, time - (times[index - 1] ?? time)), 0)

it('no acknowledged write is lost when the primary is killed and the standby is promoted, without a restart', async () => {
  const pair = await startReplicatedPair({ isSynchronous: true })
  const url = urlOfPair(pair, 'read-write')
  const server = await startServer({ DATA_DIR: directoryOfTest(), DATABASE_URL: url })
  onTestFinished(() => server.kill())
  const ledger: Ledger = {
    acknowledged: new Set(),
    refusals: new Map(),
    times: [],
    isEnded: false,
  }
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(server, writer, ledger)))
  const until = (count: number) => eventually(() => expect(ledger.acknowledged.size).toBeGreaterThan(count))
  await until(ENOUGH)
  await pair.primary.kill()
  await pair.standby.sql('select pg_promote()')
  await until(ledger.acknowledged.size + ENOUGH)
  ledger.isEnded = true
  await writing

  const stored = await storedNames(server)
  expect([...ledger.acknowledged].filter((name) => !stored.has(name))).toEqual([])
  // A name whose first attempt was committed although its confirmation was lost is not written again.
  expect([...ledger.refusals.keys()].filter((status) => status !== 503)).toEqual([])
  expect(longestPause(ledger.times)).toBeLessThan(LONGEST_OUTAGE)
})

it('a primary that hangs is abandoned once the standby has been promoted, together with the waiting statements', async () => {
  const pair = await startReplicatedPair()
  const proxy = await startProxy(pair.primary.url)
  const hanging = { ...pair.primary, port: Number(new URL(proxy.url).port) }
  const database = openPostgres({
    ...{ url: urlOfPair({ ...pair, primary: hanging }, 'read-write'), poolSize: 2 },
    ...{ statementTimeout: 0, heartbeat: { interval: 50, timeout: 500 }, listenRetryDelay: 50 },
  })
  onTestFinished(() => database.close())
  await database.subscribe(new ChangeLog())
  const usedPort = () => database.queryArrays(volatile`select inet_server_port()`)
  expect(await usedPort()).toEqual([[pair.primary.port]])
  await pair.standby.sql('select pg_promote()')
  proxy.freeze('cadastre')
  proxy.freeze(LISTENER)
  await expect(usedPort()).rejects.toMatchObject({ reason: { kind: 'unavailable' } })
  expect(await usedPort()).toEqual([[pair.standby.port]])
})
