import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { ChangeLog } from '../../src/db/cache/change-log.ts'
import type { Database } from '../../src/db/database.ts'
import { LISTENER } from '../../src/db/listeners.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { volatile } from '../../src/sql/fragment.ts'
import { databaseUrlOfTest } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { startProxy, type TcpProxy } from '../support/tcp-proxy.ts'

/**
 * Milliseconds within which statements that wait on a dead connection fail: the promised five seconds, plus a margin
 * for a busy machine.
 */
const LIMIT = 12_000
const UNAVAILABLE = { reason: { kind: 'unavailable' } }
const ONE = volatile`select 1 as one`

let proxy: TcpProxy
let database: Database

beforeEach(async () => {
  const url = await databaseUrlOfTest()
  proxy = await startProxy(url)
  database = openPostgres({ url: proxy.url, poolSize: 3, statementTimeout: 60_000 })
  onTestFinished(() => database.close())
  await database.script('create table kept (id int)')
})

/** Sends a statement in a transaction after `between`. */
const inTransaction = (between: () => void) =>
  database.transaction(async (transaction) => {
    await transaction.execute(volatile`insert into kept values (1)`)
    between()
    return await transaction.query(ONE)
  })

const freezePool = () => proxy.freeze('cadastre')

const paths: Readonly<Record<string, () => Promise<unknown>>> = {
  'a read': () => database.query(ONE),
  'a short read': () => database.query(ONE, { isShort: true }),
  'a script': () => database.script('select 1'),
  'a transaction that begins': () => inTransaction(() => undefined),
  'a transaction between two statements': () => inTransaction(freezePool),
  'a commit': () =>
    database.transaction(async (transaction) => {
      await transaction.execute(volatile`insert into kept values (1)`)
      freezePool()
    }),
}

describe.each(Object.entries(paths))('%s on a connection that has died silently', (name, run) => {
  it(
    'fails as unavailable, and the next one gets another connection',
    async () => {
      await database.query(ONE)
      if (name !== 'a transaction between two statements' && name !== 'a commit') freezePool()
      await expect(run()).rejects.toMatchObject(UNAVAILABLE)
      expect(await database.query(ONE)).toEqual([{ one: 1 }])
    },
    LIMIT,
  )
})

it(
  'idle connections that have died too are not used, and callers that wait for one get a new one',
  async () => {
    await Promise.all([1, 2, 3].map(() => database.query(volatile`select pg_sleep(0.1)`)))
    freezePool()
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => database.transaction((open) => open.query(ONE))),
    )
    const failed = results.filter(({ status }) => status === 'rejected')
    expect(failed).toHaveLength(3)
  },
  LIMIT,
)

it(
  'when a server stops responding, everything that waits fails',
  async () => {
    await database.query(ONE)
    proxy.freezeAll()
    const results = await Promise.allSettled([database.query(ONE), database.query(ONE)])
    for (const result of results) expect(result).toMatchObject({ reason: UNAVAILABLE })
  },
  LIMIT,
)

it('a statement that takes long, or waits for a lock, is not interrupted', async () => {
  const lock = volatile`select pg_advisory_xact_lock(7)`
  const release = Promise.withResolvers<void>()
  const isLocked = Promise.withResolvers<void>()
  const holding = database.transaction(async (transaction) => {
    await transaction.query(lock)
    isLocked.resolve()
    await release.promise
  })
  await isLocked.promise
  const waiting = database.transaction((transaction) => transaction.query(lock))
  expect(await database.query(volatile`select 1 as one from pg_sleep(6)`)).toEqual([{ one: 1 }])
  release.resolve()
  await Promise.all([holding, waiting])
}, 20_000)

it(
  'when the listening connection has died silently, idle ones are not used any more',
  async () => {
    const log = new ChangeLog()
    await database.subscribe(log)
    freezePool()
    proxy.freeze(LISTENER)
    await eventually(() => expect(log.isSuspended).toBe(true))
    expect(await database.query(ONE)).toEqual([{ one: 1 }])
  },
  LIMIT,
)
