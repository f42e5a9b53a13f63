import { readdirSync, readFileSync } from 'node:fs'

/** Bytes of memory of a service, and of the PostgreSQL server that it has started. */
export interface ProcessMemory {
  readonly service: number
  readonly database: number
}

/**
 * The memory of a process and all its descendants. Pages that several of them share, such as PostgreSQL's cache, are
 * counted once. Zero for a process that has ended.
 */
export function memoryOf(pid: number): ProcessMemory {
  const ids = [pid, ...descendantsOf(pid)]
  const bytes = (isDatabase: boolean): number =>
    ids.filter((id) => isPostgres(id) === isDatabase).reduce((sum, id) => sum + proportionalSize(id), 0)
  return { service: bytes(false), database: bytes(true) }
}

function descendantsOf(pid: number): readonly number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}

/** The second field after the name, which is in brackets and may contain anything. */
const parentOf = (id: string): number =>
  Number(
    read(`/proc/${id}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ')[1],
  )

const isPostgres = (id: number): boolean => read(`/proc/${id}/comm`).trim() === 'postgres'

const proportionalSize = (id: number): number =>
  Number(/^Pss: +(\d+) kB/m.exec(read(`/proc/${id}/smaps_rollup`))?.[1] ?? 0) * 1024

/** Empty for a process that has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
