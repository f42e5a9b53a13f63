import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/db/cache/cache.ts'
import { ChangeLog } from '../../src/db/cache/change-log.ts'
import { noteStatement } from '../../src/db/cache/read-set.ts'
import type { Database, Transaction } from '../../src/db/database.ts'
import { LISTENER } from '../../src/db/listeners.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { sql } from '../../src/sql/fragment.ts'
import { insertInto, table } from '../../src/sql/table.ts'
import { databaseUrlOfTest } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { startProxy } from '../support/tcp-proxy.ts'

let url: string

beforeEach(async () => {
  url = await databaseUrlOfTest()
  await openNode().script('create table site (name text); create table rack (name text)')
})

/** A process of its own, as far as the database can tell. */
function openNode(through = url, warn?: (sentence: string) => void): Database {
  const database = openPostgres({
    ...{ url: through, poolSize: 2, statementTimeout: 0, warn },
    ...{ heartbeat: { interval: 5, timeout: 500 }, listenRetryDelay: 5 },
  })
  onTestFinished(() => database.close())
  return database
}

interface CachingNode {
  readonly database: Database
  /** How often the value had to be loaded. */
  read(): Promise<number>
}

/** A process that caches one value, which depends on `dcim.site`. */
async function cachingNode(database = openNode()): Promise<CachingNode> {
  const log = new ChangeLog()
  const cache = new Cache(log, 0)
  await database.subscribe(log)
  let loads = 0
  const load = async () => {
    noteStatement(sql`select * from ${table({ name: 'dcim.site', table: 'site' })}`)
    loads += 1
    return loads
  }
  return { database, read: () => cache.get('sites', load, { bytes: 8, isEssential: true }) }
}

/** Changes the table of the model `dcim.<table>`. */
const change = (transaction: Transaction, table: string) =>
  transaction.execute(sql`${insertInto({ name: `dcim.${table}`, table })} values ('new')`)

const changeSites = (database: Database) => database.transaction((transaction) => change(transaction, 'site'))

const untilCached = ({ read }: CachingNode) => eventually(async () => expect(await read()).toBe(await read()))

it('a stale value is not cached once another process has committed a change', async () => {
  const { read } = await cachingNode()
  expect([await read(), await read()]).toEqual([1, 1])
  const writer = openNode()
  await writer.transaction(async (transaction) => {
    await change(transaction, 'rack')
    await change(transaction, 'site')
    expect(await read()).toBe(1)
  })
  await eventually(async () => expect(await read()).toBe(2))
  const undone = writer.transaction(async (transaction) => {
    await change(transaction, 'site')
    throw new Error('no')
  })
  await expect(undone).rejects.toThrow('no')
  await writer.transaction((transaction) => change(transaction, 'rack'))
  expect(await read()).toBe(2)
})

it('nothing is cached while the connection is down, and values are cached again afterwards', async () => {
  const node = await cachingNode()
  expect([await node.read(), await node.read()]).toEqual([1, 1])
  await openNode().query(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = ${LISTENER}`)
  await eventually(async () => expect(await node.read()).toBeGreaterThan(1))
  await untilCached(node)
})

it('a connection that dies silently is detected, and replaced by one that receives changes', async () => {
  const proxy = await startProxy(url)
  const node = await cachingNode(openNode(proxy.url))
  const before = await node.read()
  proxy.freeze(LISTENER)
  const other = openNode()
  await changeSites(other)
  await eventually(async () => expect(await node.read()).toBeGreaterThan(before))
  await untilCached(node)
  const between = await node.read()
  await changeSites(other)
  await eventually(async () => expect(await node.read()).toBeGreaterThan(between))
})

it('a commit that takes effect after its connection was lost is noticed by its own process', async () => {
  const proxy = await startProxy(url)
  const node = await cachingNode(openNode(proxy.url))
  const other = openNode()
  // The commit waits for a lock that the test holds.
  await other.script(`
    create table slow (id int);
    create function wait() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock(1); return null; end';
    create constraint trigger slow after insert on slow deferrable initially deferred
      for each row execute function wait()`)
  const locked = Promise.withResolvers<void>()
  const unlock = Promise.withResolvers<void>()
  const holding = other.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(1)`)
    locked.resolve()
    await unlock.promise
  })
  await locked.promise
  const write = node.database.transaction((transaction) =>
    transaction.execute(sql`${insertInto({ name: 'dcim.site', table: 'slow' })} values (1)`),
  )
  write.catch(() => undefined)
  await eventually(async () => {
    const waiting = sql`select 1 from pg_locks where locktype = 'advisory' and not granted`
    expect(await other.query(waiting)).toHaveLength(1)
  })
  proxy.reset('cadastre')
  await expect(write).rejects.toMatchObject({ reason: { kind: 'unavailable' } })
  await untilCached(node)
  const before = await node.read()
  unlock.resolve()
  await holding
  await eventually(async () => expect(await node.read()).toBeGreaterThan(before))
})

it('nothing is cached if notifications do not arrive, and the log says so once', async () => {
  const proxy = await startProxy(url, { dropsNotifications: true })
  const warnings: string[] = []
  const node = await cachingNode(openNode(proxy.url, (sentence) => warnings.push(sentence)))
  expect([await node.read(), await node.read()]).toEqual([1, 2])
  // Several attempts later, each of which opens a connection.
  const seen = new Set<unknown>()
  await eventually(async () => {
    const listeners = sql`select pid from pg_stat_activity where application_name = ${LISTENER}
      and datname = current_database()`
    for (const { pid } of await node.database.query(listeners)) seen.add(pid)
    expect(seen.size).toBeGreaterThan(2)
  })
  expect([await node.read(), await node.read()]).toEqual([3, 4])
  expect(warnings).toEqual([expect.stringContaining('connection pooler in transaction mode')])
})
