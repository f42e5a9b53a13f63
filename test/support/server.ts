import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** Key of the superuser's token on servers that tests start. */
export const SERVER_TOKEN = '0123456789abcdef0123456789abcdef01234567'

/** A server in a process of its own. */
export interface ServerProcess {
  readonly url: string
  readonly process: ChildProcess
  /** Everything that it has printed so far. */
  output(): string
  /** SIGKILL: no chance to write anything more. */
  kill(): Promise<void>
  /** SIGTERM, after which the server ends by itself. */
  stop(): Promise<number | null>
}

/**
 * Starts `cadastre serve` of the checkout in `directory` and waits until it responds, checking every `interval`
 * milliseconds. Throws with the server's output if it ends.
 */
export async function startServer(
  environment: Readonly<Record<string, string>>,
  interval = 100,
  directory = '.',
): Promise<ServerProcess> {
  const port = await freePort()
  const child = spawn(process.execPath, startArguments(directory), {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: String(port),
      SUPERUSER_NAME: 'admin',
      SUPERUSER_PASSWORD: 'admin',
      SUPERUSER_API_TOKEN: SERVER_TOKEN,
      SHUTDOWN_DELAY: '0',
      ...environment,
    },
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const url = `http://127.0.0.1:${port}`
  await untilAnswering(url, child, { interval, output: () => output })
  return {
    url,
    process: child,
    output: () => output,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    stop: async () => {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      return child.exitCode
    },
  }
}

/** What `npm start` of the checkout passes to Node. */
function startArguments(directory: string): string[] {
  const { scripts }: { readonly scripts: { readonly start: string } } = JSON.parse(
    readFileSync(join(directory, 'package.json'), 'utf8'),
  )
  return scripts.start.split(' ').slice(1)
}

async function untilAnswering(
  url: string,
  child: ChildProcess,
  { interval, output }: { readonly interval: number; readonly output: () => string },
): Promise<void> {
  while (child.exitCode === null) {
    const answered = await fetch(`${url}/api/status/`, { headers: authorization })
      .then((response) => response.ok)
      .catch(() => false)
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, interval))
  }
  throw new Error(`The server ended:\n${output()}`)
}

const authorization = { authorization: `Token ${SERVER_TOKEN}` }

/** One request with the superuser's token; a body is sent as JSON. */
export const send = (server: ServerProcess, method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(server.url + path, {
    method,
    headers: {
      ...authorization,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
