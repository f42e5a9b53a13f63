import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { nobody } from '../../src/db/embedded/server-user.ts'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'

/** The program, and the directory of libraries that the system lacks. */
interface Program {
  readonly path: string
  readonly libraries: string | undefined
}

const PACKAGES = ['pgbouncer', 'libevent-2.1-7', 'libc-ares2']
const directory = mkdtempSync(join(tmpdir(), 'cadastre-pgbouncer-'))
chmodSync(directory, 0o755)
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))

/** PgBouncer of the system, or else Debian's, unpacked without installing it; undefined if it is not available. */
export function findPgbouncer(): Program | undefined {
  const installed = spawnSync('sh', ['-c', 'command -v pgbouncer'], { encoding: 'utf8' })
  if (installed.status === 0) return { path: installed.stdout.trim(), libraries: undefined }
  return unpackedPgbouncer()
}

function unpackedPgbouncer(): Program | undefined {
  const download = spawnSync('apt-get', ['download', ...PACKAGES], { cwd: directory })
  if (download.status !== 0) return undefined
  const root = join(directory, 'root')
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.deb'))) {
    execFileSync('dpkg', ['-x', join(directory, file), root])
  }
  const [triplet = ''] = readdirSync(join(root, 'usr/lib')).filter((name) => name.includes('-'))
  return { path: join(root, 'usr/sbin/pgbouncer'), libraries: join(root, 'usr/lib', triplet) }
}

/** Starts PgBouncer in transaction mode before the server of the URL, until the end of the test; returns the URL that leads through it. */
export async function startPgbouncer(
  { path, libraries }: Program,
  serverUrl: string,
  connections: number,
): Promise<string> {
  const { hostname, port, username, password, pathname } = new URL(serverUrl)
  const ownPort = await freePort()
  const files = join(directory, String(ownPort))
  mkdirSync(files)
  writeFileSync(join(files, 'users'), `"${username}" "${password}"\n`)
  const configuration = join(files, 'pgbouncer.ini')
  writeFileSync(
    configuration,
    [
      ...['[databases]', `* = host=${hostname} port=${port}`, '[pgbouncer]'],
      ...['listen_addr = 127.0.0.1', `listen_port = ${ownPort}`, 'unix_socket_dir ='],
      ...['auth_type = plain', `auth_file = ${join(files, 'users')}`],
      ...['pool_mode = transaction', `default_pool_size = ${connections}`, ''],
    ].join('\n'),
  )
  // Like PostgreSQL it refuses to run as root.
  const user = process.getuid?.() === 0 ? nobody() : undefined
  const child = spawn(path, ['--quiet', configuration], {
    ...user,
    cwd: '/',
    env: { ...process.env, ...(libraries !== undefined && { LD_LIBRARY_PATH: libraries }) },
    stdio: 'ignore',
  })
  onTestFinished(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`PgBouncer has ended with ${child.exitCode}`)
    return connectionTo(ownPort)
  })
  return `postgres://${username}:${password}@127.0.0.1:${ownPort}${pathname}`
}

async function connectionTo(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}
