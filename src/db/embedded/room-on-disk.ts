import { statfsSync } from 'node:fs'
import type { Database } from '../database.ts'

/** Milliseconds for which a measurement of a disk stays valid. */
const MEASURED_FOR = 100
const MEBIBYTE = 1024 ** 2

/**
 * Bytes that writes leave free. The server stops if it finds no room for its log, which grows by files of 16 MiB, so
 * writes are refused before that happens.
 */
const RESERVE = 64 * MEBIBYTE

/** The database of a server on this machine, which reports as its problem that the disk with `directory` is full. */
export function withRoomOnDisk(database: Database, directory: string): Database {
  let measured = { at: Number.NEGATIVE_INFINITY, free: Number.POSITIVE_INFINITY }
  const freeBytes = (): number => {
    const at = performance.now()
    if (at - measured.at > MEASURED_FOR) measured = { at, free: freeBytesAt(directory) ?? measured.free }
    return measured.free
  }
  return {
    ...database,
    writeProblem: () => {
      const free = freeBytes()
      return free < RESERVE ? { kind: 'storageFull', detail: fullDisk(free) } : database.writeProblem()
    },
  }
}

/** Undefined if the directory cannot be found; the server, which has opened it, goes on without its name. */
function freeBytesAt(directory: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    return undefined
  }
}

const fullDisk = (free: number): string =>
  `The disk with the data is full: ${Math.floor(free / MEBIBYTE)} MiB are free, and writes require ${RESERVE / MEBIBYTE}.`
