import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/free-port.ts'
import { SERVER_TOKEN } from '../support/server.ts'

/** Milliseconds between two requests to a service that starts. */
const INTERVAL = 500

/** Where, and as which user, the commands of a newcomer run. */
export interface Machine {
  readonly directory: string
  /** Undefined: the user of this process. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
  readonly environment?: Readonly<Record<string, string>>
}

const optionsOf = ({ directory, user, environment }: Machine) => ({
  cwd: directory,
  ...user,
  env: { ...withoutPackages(process.env), ...environment },
})

/** The environment without what npm or npx added to it, such as its own cache: the machine's own Node runs the commands. */
function withoutPackages(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(environment).filter(([name]) => !/^npm_(?!config_registry$)/i.test(name))
  const path = (environment.PATH ?? '').split(delimiter)
  return {
    ...Object.fromEntries(own),
    PATH: path.filter((each) => !each.includes(`${sep}node_modules${sep}`)).join(delimiter),
  }
}

/** Runs a command to its end, shows its output, and returns its standard output. Throws when it fails. */
export function run(machine: Machine, command: string, ...args: readonly string[]): string {
  console.log(`$ ${[command, ...args].join(' ')}`)
  const { status, stdout, error } = spawnSync(command, args, {
    ...optionsOf(machine),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  console.log(stdout)
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? `status ${status}`}`)
  return stdout
}

/** Runs a server command until `work` has finished; `ask` requests a path with the superuser's token. */
export async function serving(
  machine: Machine,
  command: readonly [string, ...string[]],
  work: (ask: (path: string, init?: RequestInit) => Promise<Response>) => Promise<void>,
): Promise<void> {
  console.log(`$ ${command.join(' ')}`)
  const port = String(await freePort())
  const { env, ...options } = optionsOf(machine)
  const [program, ...args] = command
  const child = spawn(program, args, {
    ...options,
    env: { ...env, PORT: port, SUPERUSER_PASSWORD: 'admin', SUPERUSER_API_TOKEN: SERVER_TOKEN },
    stdio: ['ignore', 'inherit', 'inherit'],
    // It has its own process group, so that a signal reaches the service behind npm too.
    detached: true,
  })
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: {
        authorization: `Token ${SERVER_TOKEN}`,
        'content-type': 'application/json',
        ...Object.fromEntries(new Headers(init.headers)),
      },
    })
  try {
    await untilAnswering(child, ask)
    await work(ask)
  } finally {
    await end(child)
  }
}

async function untilAnswering(child: ChildProcess, ask: (path: string) => Promise<Response>): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const answers = await ask('/api/status/').then(
      ({ ok }) => ok,
      () => false,
    )
    if (answers) return
    await sleep(INTERVAL)
  }
  throw new Error('The service ended instead of answering')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGTERM')
  await ended
}
