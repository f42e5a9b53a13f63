import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { type ServerProcess, send, startServer } from './server.ts'

/** What a test kills: the service, its PostgreSQL server, or one of that server's processes. */
export const VICTIMS = ['service', 'server', 'backend'] as const
export type Victim = (typeof VICTIMS)[number]

/** The victim of a round: each in turn. */
export const victimOf = (round: number): Victim => VICTIMS[round % VICTIMS.length] ?? 'service'

/** A service that starts its own PostgreSQL server. */
export interface OwnServer {
  readonly DATA_DIR: string
}

/**
 * Sends SIGKILL to the victim, and returns a service over the same data that responds: another one if the service was
 * killed, otherwise the same.
 */
export async function crash(
  service: ServerProcess,
  environment: OwnServer & Readonly<Record<string, string>>,
  victim: Victim,
): Promise<ServerProcess> {
  if (victim === 'service') {
    await service.kill()
    return await startServer(environment)
  }
  const main = mainProcess(environment)
  const backends = backendsOf(main)
  const [backend] = backends
  if (backend === undefined) throw new Error('The service has no connection')
  process.kill(victim === 'server' ? main : backend, 'SIGKILL')
  await eventually(async () => {
    // The death of one process ends all connections, though not at once.
    if (backends.some(isRunning)) throw new Error('The former connections have not ended')
    const { status } = await send(service, 'GET', '/health/ready')
    if (status !== 200) throw new Error(`The service responds with ${status}`)
  })
  return service
}

/** Id of the main process of the PostgreSQL server. */
export const mainProcess = ({ DATA_DIR }: OwnServer): number =>
  Number.parseInt(readFileSync(join(DATA_DIR, 'postgres', 'postmaster.pid'), 'utf8'), 10)

/** Ids of the processes that serve the connections of the service. */
const backendsOf = (main: number): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isBackend(name, main))
    .map(Number)

function isBackend(id: string, main: number): boolean {
  try {
    const [, parent] = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return Number(parent) === main && readFileSync(`/proc/${id}/cmdline`, 'utf8').startsWith('postgres: cadastre ')
  } catch {
    return false
  }
}

/** Whether there is a process with this id. */
export const isRunning = (id: number): boolean => existsSync(`/proc/${id}`)
