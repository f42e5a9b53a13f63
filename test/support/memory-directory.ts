import { accessSync, constants, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Where Linux has a file system in memory. */
const IN_MEMORY = '/dev/shm'
/** Bytes that must be free there: a run of the tests takes about one GB. Containers often have 64 MB. */
const ROOM = 4 * 1024 ** 3

/**
 * A directory for many temporary files that are never executed: in memory if there is room, otherwise the system's. A
 * database has 4,500 files, and creating that many on a disk takes ten times as long.
 */
export function memoryDirectory(): string {
  try {
    accessSync(IN_MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= ROOM ? IN_MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}
