import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const PROJECT = join(import.meta.dirname, '..')
const PROGRAM = join('src', 'cli', 'main.ts')
const START_SECONDS = 180
const STOP_SECONDS = 15

/** The environment of a command of the program: its directory and settings. */
export interface Place {
  /** Contains `data/`, the program's data directory, and the logs of its commands. */
  readonly folder: string
  readonly databaseUrl: string | undefined
  /** API version of requests that name none. */
  readonly apiVersion: string
  /** Additional settings. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface RunningServer {
  readonly url: string
  /** Stops it and waits for its exit. Returns its last log lines if it had exited by itself. */
  stop(): Promise<string | undefined>
}

/** The data directory of the commands of a place. */
export const dataDirectory = ({ folder }: Pick<Place, 'folder'>): string => join(folder, 'data')

const running = new Set<ChildProcess>()

/** Kills all started processes at once, for an interrupted run. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** Runs `import` to completion. Throws an Error with its last log lines if it fails. */
export async function importDataset(dataset: string, place: Place): Promise<void> {
  const child = start(['import', '--new', dataset], 'import', place, {})
  const code = await ended(child)
  if (code !== 0) throw new Error(`import ended with ${code}: ${lastWords(place, 'import')}`)
}

/** The OpenAPI document that the program prints. Throws an Error with its last log lines if it fails. */
export async function printDocument(place: Place): Promise<string> {
  const child = start(['openapi', '--format', 'json'], 'openapi', place, {})
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  const code = await ended(child)
  if (code !== 0) throw new Error(`openapi ended with ${code}: ${lastWords(place, 'openapi')}`)
  return Buffer.concat(chunks).toString('utf8')
}

/** Starts a server on a free local port and waits until it responds. Throws an Error if it exits. */
export async function startServer(place: Place): Promise<RunningServer> {
  const port = await freePort()
  const child = start(['serve'], 'serve', place, { HOST: '127.0.0.1', PORT: String(port) })
  const url = `http://127.0.0.1:${port}`
  const stop = async (): Promise<string | undefined> => {
    if (hasEnded(child)) return `${child.exitCode ?? child.signalCode}: ${lastWords(place, 'serve')}`
    child.kill('SIGTERM')
    const isDown = await Promise.race([
      ended(child).then(() => true),
      sleep(STOP_SECONDS * 1000, false, { ref: false }),
    ])
    if (!isDown) child.kill('SIGKILL')
    return undefined
  }
  const deadline = Date.now() + START_SECONDS * 1000
  while (!(await answers(url))) {
    if (hasEnded(child)) {
      throw new Error(`serve ended with ${child.exitCode}: ${lastWords(place, 'serve')}`)
    }
    if (Date.now() > deadline) {
      await stop()
      throw new Error(`serve gave no answer in ${START_SECONDS} s: ${lastWords(place, 'serve')}`)
    }
    await sleep(200)
  }
  return { url, stop }
}

function start(
  args: readonly string[],
  name: string,
  place: Place,
  settings: Readonly<Record<string, string>>,
): ChildProcess {
  mkdirSync(place.folder, { recursive: true })
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: PROJECT,
    env: {
      ...inherited(),
      DATA_DIR: dataDirectory(place),
      API_VERSION: place.apiVersion,
      ...(place.databaseUrl === undefined ? {} : { DATABASE_URL: place.databaseUrl }),
      ...place.settings,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = createWriteStream(join(place.folder, `${name}.log`))
  child.stdout?.pipe(log, { end: false })
  child.stderr?.pipe(log, { end: false })
  running.add(child)
  child.once('close', () => {
    running.delete(child)
    log.end()
  })
  return child
}

/** Only the variables that any program needs: a developer's settings of the service must not affect the results. */
function inherited(): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of ['PATH', 'HOME', 'TMPDIR', 'LANG', 'USER', 'SystemRoot', 'TEMP']) {
    const value = process.env[name]
    if (value !== undefined) environment[name] = value
  }
  return environment
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

const ended = (child: ChildProcess): Promise<number | string> =>
  new Promise((resolve) => {
    if (hasEnded(child)) resolve(child.exitCode ?? String(child.signalCode))
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'no code'))
    child.once('error', (error) => resolve(error.message))
  })

function lastWords(place: Place, name: string): string {
  try {
    const text = readFileSync(join(place.folder, `${name}.log`), 'utf8').trim()
    return text.split('\n').slice(-12).join('\n')
  } catch {
    return '(it said nothing)'
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    // Any response will do, even a refusal without a token.
    await (await fetch(`${url}/api/`, { redirect: 'manual' })).arrayBuffer()
    return true
  } catch {
    return false
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port)
        else reject(new Error('no free port'))
      })
    })
  })
}
