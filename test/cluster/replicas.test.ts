import { expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/db/cache/cache.ts'
import { ChangeLog } from '../../src/db/cache/change-log.ts'
import { reportingChanges } from '../../src/db/change-reports.ts'
import type { Database } from '../../src/db/database.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { withReplicaReads } from '../../src/db/replica-reads.ts'
import { sql } from '../../src/sql/fragment.ts'
import { insertInto, table } from '../../src/sql/table.ts'
import { eventually } from '../support/eventually.ts'
import { follow, type ReplicatedPair, startReplicated, startReplicatedPair, urlOfPair } from '../support/replication.ts'
import { startProxy } from '../support/tcp-proxy.ts'

const SITE = { name: 'dcim.site', table: 'site' }
const RACK = { name: 'dcim.rack', table: 'rack' }
type Table = typeof SITE

interface Answer {
  readonly server: 'primary' | 'replica'
  readonly rows: number
}

/** A process of the service, as far as reads, writes and the cache are concerned. */
const openNode = ({ primary, standby }: ReplicatedPair, warn?: (text: string) => void) =>
  openNodeOf({ url: primary.url, replicaUrl: standby.url, warn })

interface NodeOptions {
  readonly url: string
  readonly replicaUrl: string
  readonly warn?: ((text: string) => void) | undefined
}

async function openNodeOf({ url, replicaUrl, warn }: NodeOptions) {
  const opened = openPostgres({
    ...{ url, replicaUrls: [replicaUrl], poolSize: 4, statementTimeout: 0, warn },
  })
  onTestFinished(() => opened.close())
  const log = new ChangeLog()
  const database = reportingChanges(withReplicaReads(opened, log), log)
  await database.subscribe(log)
  const cache = new Cache(log, 0)
  const count = async (of: Table): Promise<Answer> => {
    const [row] = await database.queryArrays(sql`select pg_is_in_recovery(), count(*)::int from ${table(of)} t`)
    return { server: row?.[0] === true ? 'replica' : 'primary', rows: Number(row?.[1]) }
  }
  return {
    database,
    /** Number of rows, as seen by a request that only reads. */
    read: (of: Table) => readingReplicas(database, () => count(of)),
    /** As `read`, through the cache. */
    readCached: (of: Table) =>
      readingReplicas(database, () => cache.get(of.name, () => count(of), { bytes: 8, isEssential: true })),
    insert: (into: Table) => database.execute(sql`${insertInto(into)} (name) values ('new')`),
  }
}

function readingReplicas<T>(database: Database, work: () => Promise<T>): Promise<T> {
  if (!database.readingReplicas) throw new Error('There are no replicas')
  return database.readingReplicas(work)
}

async function startPair(): Promise<ReplicatedPair> {
  const pair = await startReplicatedPair()
  await pair.primary.sql('create table site (name text); create table rack (name text)')
  return pair
}

const pause = ({ standby }: ReplicatedPair) => standby.sql('select pg_wal_replay_pause()')
const resume = ({ standby }: ReplicatedPair) => standby.sql('select pg_wal_replay_resume()')

it('reads use the replica, but never miss a known change', async () => {
  const pair = await startPair()
  const node = await openNode(pair)
  await eventually(async () => expect(await node.read(SITE)).toEqual({ server: 'replica', rows: 0 }))
  await pause(pair)
  await node.insert(SITE)
  expect(await node.read(SITE)).toEqual({ server: 'primary', rows: 1 })
  // The other table is up to date, so the replica continues to serve it.
  await eventually(async () => expect(await node.read(RACK)).toEqual({ server: 'replica', rows: 0 }))
  expect(await node.read(SITE)).toEqual({ server: 'primary', rows: 1 })
  await resume(pair)
  await eventually(async () => expect(await node.read(SITE)).toEqual({ server: 'replica', rows: 1 }))
})

it('work that has read from the primary stays with it, and work that writes reads from the primary', async () => {
  const pair = await startPair()
  const node = await openNode(pair)
  await eventually(async () => expect(await node.read(RACK)).toMatchObject({ server: 'replica' }))
  await pause(pair)
  await node.insert(SITE)
  const { database } = node
  const servers = await readingReplicas(database, async () => {
    const asked = [SITE, RACK].map((of) => sql`select pg_is_in_recovery() from ${table(of)} t`)
    const answers = []
    await node.insert(RACK)
    for (const statement of asked) answers.push(await database.queryArrays(statement))
    return answers.flat(2)
  })
  expect(servers).toEqual([false, false])
  expect(await database.queryArrays(sql`select pg_is_in_recovery() from ${table(RACK)} t`)).toEqual([[false]])
})

it('a value that was cached from a replica is not served after a change by another process', async () => {
  const pair = await startPair()
  const [node, other] = [await openNode(pair), await openNode(pair)]
  await eventually(async () => expect(await node.read(SITE)).toMatchObject({ server: 'replica' }))
  expect(await node.readCached(SITE)).toEqual({ server: 'replica', rows: 0 })
  await pause(pair)
  await other.insert(SITE)
  await eventually(async () => expect(await node.readCached(SITE)).toEqual({ server: 'primary', rows: 1 }))
  await resume(pair)
  // From now on the replica can be used again, and has the row.
  for (let turn = 0; turn < 50; turn++) expect(await node.read(SITE)).toMatchObject({ rows: 1 })
})

it('an unreachable replica is not used, and is used again once it is reachable', async () => {
  const pair = await startPair()
  const warnings: string[] = []
  const node = await openNode(pair, (text) => warnings.push(text))
  await eventually(async () => expect(await node.read(SITE)).toMatchObject({ server: 'replica' }))
  await pair.standby.kill()
  // Processes of a killed server may still answer one statement.
  await eventually(async () => expect(await node.read(SITE)).toMatchObject({ server: 'primary' }))
  await eventually(() => expect(warnings).toEqual([expect.stringContaining('is not used')]))
  await pair.standby.start()
  await eventually(async () => expect(await node.read(SITE)).toMatchObject({ server: 'replica' }))
  await eventually(() => expect(warnings).toHaveLength(2))
})

it('a replica that has not replayed for seconds is not used even if no change of its own process is known', async () => {
  const pair = await startPair()
  const warnings: string[] = []
  const node = await openNode(pair, (text) => warnings.push(text))
  await eventually(async () => expect(await node.read(SITE)).toMatchObject({ server: 'replica' }))
  await pause(pair)
  // Written by hand, so no process is notified.
  await pair.primary.sql(`insert into site values ('by hand')`)
  await eventually(async () => expect(await node.read(SITE)).toEqual({ server: 'primary', rows: 1 }))
  await resume(pair)
  await eventually(async () => expect(await node.read(SITE)).toEqual({ server: 'replica', rows: 1 }))
})

it('a replica that hangs is not used, and the primary executes the statements that waited for it', async () => {
  const pair = await startPair()
  const proxy = await startProxy(pair.standby.url)
  const node = await openNode({ ...pair, standby: { ...pair.standby, url: proxy.url } })
  await eventually(async () => expect(await node.read(SITE)).toMatchObject({ server: 'replica' }))
  proxy.freeze('cadastre')
  expect(await node.read(SITE)).toEqual({ server: 'primary', rows: 0 })
  // New connections to it are accepted.
  await eventually(async () => expect(await node.read(SITE)).toMatchObject({ server: 'replica' }))
})

/** Two standbys: the first is promoted after a crash of the primary, and the other one serves reads as a replica. */
async function startThree(role = 'postgres') {
  const { primary, standbys } = await startReplicated(2)
  const [promoted, replica] = standbys
  if (!promoted || !replica) throw new Error('Two standbys were asked for')
  await primary.sql('create table site (name text)')
  await primary.sql('create table rack (name text)')
  await primary.sql(`create role plain login password 'postgres'`)
  await primary.sql('grant all on site, rack to plain')
  const url = urlOfPair({ primary, standby: promoted }, 'read-write')
  const as = (text: string) => text.replace('postgres:postgres@', `${role}:postgres@`)
  const node = await openNodeOf({ url: as(url), replicaUrl: as(replica.url) })
  await eventually(async () => expect(await node.read(SITE)).toEqual({ server: 'replica', rows: 0 }))
  return { primary, promoted, replica, node }
}

/** A write that is repeated until the promoted server has accepted it. */
const insertAfterPromotion = (node: Awaited<ReturnType<typeof openNodeOf>>) =>
  eventually(async () => expect(await node.insert(SITE)).toBe(1))

it('a replica that is ahead of the promoted server is not used, and values cached from it are dropped', async () => {
  const { primary, promoted, replica, node } = await startThree()
  await promoted.kill()
  // The other replica receives them, and will have wrong data once they are lost.
  await primary.sql(`insert into site select repeat('lost', 20) from generate_series(1, 20000)`)
  await primary.sql(`insert into rack values ('lost')`)
  await eventually(async () =>
    expect(await replica.sql('select count(*)::int as rows from rack')).toEqual([{ rows: 1 }]),
  )
  await eventually(async () => expect(await node.readCached(RACK)).toEqual({ server: 'replica', rows: 1 }))
  await primary.kill()
  await promoted.start()
  await promoted.sql('select pg_promote()')
  await insertAfterPromotion(node)
  for (let turn = 0; turn < 200; turn++) {
    expect(await node.read(SITE)).toEqual({ server: 'primary', rows: 1 })
    expect(await node.read(RACK)).toEqual({ server: 'primary', rows: 0 })
    expect(await node.readCached(RACK)).toEqual({ server: 'primary', rows: 0 })
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
})

// Roles other than superusers see only the timeline of the last checkpoint.
it.each(['postgres', 'plain'])(
  'a replica that follows the promoted server is used again, for the role %s',
  async (role) => {
    const { primary, promoted, replica, node } = await startThree(role)
    await follow(replica, promoted)
    await primary.kill()
    await promoted.sql('select pg_promote()')
    await insertAfterPromotion(node)
    if (role === 'plain') {
      await eventually(async () => {
        await promoted.sql('checkpoint')
        await replica.sql('checkpoint')
        expect(await node.read(SITE)).toEqual({ server: 'replica', rows: 1 })
      })
    }
    await eventually(async () => expect(await node.read(SITE)).toEqual({ server: 'replica', rows: 1 }))
  },
)
