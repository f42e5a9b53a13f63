import { readdirSync, readFileSync } from 'node:fs'
import type { MemoryUse } from '../result.ts'

/** CPU seconds; null for processes that cannot be observed. */
export interface CpuTimes {
  readonly server: number | null
  readonly database: number | null
}

/** Ids of the measured processes; each includes its child processes. */
export interface Watched {
  readonly server?: number | undefined
  readonly database?: number | undefined
}

const NOT_SEEN: CpuTimes = { server: null, database: null }
/** Unit of /proc/<pid>/stat: hundredths of a second on every Linux machine. */
const TICKS_IN_SECOND = 100
/** The kernel means 1,024 bytes by kB. */
const KILOBYTES_IN_MEGABYTE = 1000 / 1.024

/** CPU time of the processes so far; null on systems other than Linux. */
export function cpuTimes(watched: Watched): CpuTimes {
  const processes = readProcesses()
  if (!processes) return NOT_SEEN
  const sum = (root: number | undefined) =>
    root === undefined
      ? null
      : treeOf(processes, root).reduce((total, { ticks }) => total + ticks, 0) / TICKS_IN_SECOND
  return { server: sum(watched.server), database: sum(watched.database) }
}

export const cpuBetween = (before: CpuTimes, after: CpuTimes): CpuTimes => ({
  server: difference(before.server, after.server),
  database: difference(before.database, after.database),
})

/** Resident memory of the processes; undefined where it cannot be observed. */
export function memoryUse({ server, database }: Watched): MemoryUse | undefined {
  const processes = readProcesses()
  if (!processes || server === undefined) return undefined
  const servers = treeOf(processes, server).map(({ pid }) => read(`/proc/${pid}/status`))
  const databases =
    database === undefined
      ? undefined
      : treeOf(processes, database).map(({ pid }) => read(`/proc/${pid}/smaps_rollup`))
  return {
    server: megabytes(servers, 'VmRSS'),
    serverPeak: megabytes(servers, 'VmHWM'),
    // Every process of PostgreSQL maps the shared buffers; Pss counts them once.
    database: databases ? megabytes(databases, 'Pss') : null,
  }
}

interface Process {
  readonly pid: number
  readonly parent: number
  /** Ticks of the process and of its children that have ended. */
  readonly ticks: number
}

function readProcesses(): readonly Process[] | undefined {
  if (process.platform !== 'linux') return undefined
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const stat = read(`/proc/${name}/stat`)
    // The program's name, in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields.length < 15) return []
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return [{ pid: Number(name), parent: Number(fields[1]), ticks }]
  })
}

function treeOf(processes: readonly Process[], root: number): readonly Process[] {
  const own = processes.filter(({ pid }) => pid === root)
  const children = processes.filter(({ parent }) => parent === root)
  return [...own, ...children.flatMap(({ pid }) => treeOf(processes, pid))]
}

/** Content of a file; '' when the process has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function megabytes(texts: readonly string[], name: string): number {
  const pattern = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm')
  const sum = texts.reduce((total, text) => total + Number(pattern.exec(text)?.[1] ?? 0), 0)
  return Math.round(sum / KILOBYTES_IN_MEGABYTE)
}

const difference = (before: number | null, after: number | null): number | null =>
  before === null || after === null ? null : after - before
