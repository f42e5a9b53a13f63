import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NewSnapshot, SnapshotStore } from './snapshot-store.ts'

/**
 * One snapshot for the lifetime of this process, for a service without a directory. Its file has no name, so no other
 * process can change it and it disappears by itself.
 */
export function temporarySnapshot(): SnapshotStore {
  let snapshot: FileHandle | undefined
  const remove = async () => {
    const removed = snapshot
    snapshot = undefined
    await removed?.close()
  }
  return {
    // Every reader gets the same open file, which only `remove` closes.
    open: async () => snapshot && { fd: snapshot.fd, close: async () => undefined },
    create: () => createWithoutName((handle) => remove().then(() => (snapshot = handle))),
    remove,
    close: remove,
  }
}

async function createWithoutName(keep: (handle: FileHandle) => Promise<unknown>): Promise<NewSnapshot | undefined> {
  const path = join(tmpdir(), `cadastre-${randomUUID()}`)
  try {
    const handle = await open(path, 'wx+', 0o600)
    await rm(path)
    return {
      fd: handle.fd,
      keep: async () => void (await keep(handle)),
      discard: () => handle.close(),
    }
  } catch {
    return undefined
  }
}
