import { type ChildProcess, execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { atExit } from './at-exit.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { giveTo, type TestPrograms, testPrograms } from './postgres-programs.ts'
import { end, initialise, start, UNSAFE } from './postgres-server.ts'

/** A server that belongs to a replicated pair. */
export interface ReplicatedServer {
  readonly port: number
  readonly url: string
  /** The rows of one statement, as its superuser. */
  sql(text: string): Promise<readonly Record<string, unknown>[]>
  /** SIGKILL: the server ends as in a crash of its machine's software. */
  kill(): Promise<void>
  /** Starts it again after `kill`. */
  start(): Promise<void>
}

/** A primary and a standby that streams its changes. */
export interface ReplicatedPair {
  readonly primary: ReplicatedServer
  readonly standby: ReplicatedServer
}

interface PairOptions {
  /** Whether a commit waits until it is on the standby's disk. */
  readonly isSynchronous?: boolean
}

/** Starts two PostgreSQL servers with streaming replication, which the end of the test stops. */
export async function startReplicatedPair(options: PairOptions = {}): Promise<ReplicatedPair> {
  const {
    primary,
    standbys: [standby],
  } = await startReplicated(1, options)
  if (!standby) throw new Error('One standby was asked for')
  return { primary, standby }
}

/** Starts a primary and standbys that stream its changes, which the end of the test stops. */
export async function startReplicated(
  count: number,
  { isSynchronous = false }: PairOptions = {},
): Promise<{ primary: ReplicatedServer; standbys: readonly ReplicatedServer[] }> {
  const directory = mkdtempSync(join(tmpdir(), 'cadastre-replicated-'))
  chmodSync(directory, 0o755)
  const remove = () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  const emergency = atExit(remove)
  onTestFinished(() => {
    emergency.callOff()
    remove()
  })
  const programs = testPrograms()
  const first = join(directory, 'primary')
  initialise(programs, directory, first)
  const primaryPort = await freePort()
  const copies = Array.from({ length: count }, (_, index) => join(directory, `standby${index}`))
  for (const to of copies) copyAsStandby(programs, { from: first, to, primaryPort })
  const synchronous = isSynchronous ? ['synchronous_commit=on', 'synchronous_standby_names=*'] : []
  // The last of two settings with one name counts. Hint bits and statistics must not cancel queries of a standby.
  const settings = [...UNSAFE, ...synchronous]
  const primary = await startOn(programs, first, primaryPort, settings)
  const standbys: ReplicatedServer[] = []
  for (const data of copies) standbys.push(await startOn(programs, data, await freePort(), UNSAFE))
  await eventually(async () => {
    const [row] = await primary.sql('select count(*)::int as streaming from pg_stat_replication')
    if (row?.streaming !== count) throw new Error('The standbys do not stream yet')
  })
  return { primary, standbys }
}

interface Copy {
  readonly from: string
  readonly to: string
  readonly primaryPort: number
}

/** A copy of the files of a server that has not been started needs no backup. */
function copyAsStandby(programs: TestPrograms, { from, to, primaryPort }: Copy): void {
  execFileSync('cp', ['-a', from, to])
  writeFileSync(join(to, 'standby.signal'), '')
  writeFileSync(join(to, 'postgresql.auto.conf'), `primary_conninfo = ${conninfoOf(primaryPort)}\n`)
  if (programs.user) giveTo(programs.user, to)
}

const conninfoOf = (port: number): string => `'host=127.0.0.1 port=${port} user=postgres password=postgres'`

/** From now on, lets a standby stream the changes of another server. */
export async function follow(standby: ReplicatedServer, server: ReplicatedServer): Promise<void> {
  await standby.sql(`alter system set primary_conninfo = ${conninfoOf(server.port)}`)
  await standby.sql('select pg_reload_conf()')
}

async function startOn(
  programs: TestPrograms,
  data: string,
  port: number,
  settings: readonly string[],
): Promise<ReplicatedServer> {
  const args = [
    ...['-D', data, '-p', String(port)],
    ...['-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${data}`],
    ...settings.flatMap((setting) => ['-c', setting]),
  ]
  let child: ChildProcess | undefined
  const emergency = atExit(() => child?.kill('SIGQUIT'))
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`
  const server: ReplicatedServer = {
    port,
    url,
    sql: (text) => rowsOf(url, text),
    kill: async () => {
      if (child) await end(child, 'SIGKILL')
    },
    start: async () => {
      child = await start(programs, args)
    },
  }
  await server.start()
  onTestFinished(async () => {
    emergency.callOff()
    if (child) await end(child)
  })
  return server
}

async function rowsOf(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

/** One URL for both servers. */
export const urlOfPair = ({ primary, standby }: ReplicatedPair, attributes: string): string =>
  `postgres://postgres:postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/postgres?target_session_attrs=${attributes}`
