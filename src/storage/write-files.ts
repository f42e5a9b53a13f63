import { mkdirSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { unpackTar } from 'modern-tar'

/** Files that are flushed at the same time; as many as Node.js has threads for files. */
const FLUSHED_AT_A_TIME = 4

/** Unpacks a tar archive to a new directory; returns when everything is on disk. */
export async function writeFiles(archive: Uint8Array, directory: string): Promise<void> {
  await flush(await unpack(archive, directory))
}

/** Returns the paths of all files and directories. */
async function unpack(archive: Uint8Array, directory: string): Promise<readonly string[]> {
  mkdirSync(directory, { mode: 0o700 })
  const entries = await unpackTar(archive)
  const paths = entries.map(({ header, data }) => {
    const path = join(directory, header.name)
    if (header.type === 'directory') mkdirSync(path, { recursive: true, mode: 0o700 })
    else writeFileSync(path, data ?? '', { mode: 0o600 })
    return path
  })
  return [...paths, directory]
}

/** Waits until the files and directories are on disk and not only in the operating system's memory. */
async function flush(paths: readonly string[]): Promise<void> {
  const left = paths.values()
  const flushEach = async () => {
    for (const path of left) {
      const file = await open(path)
      await file.sync()
      await file.close()
    }
  }
  await Promise.all(Array.from({ length: FLUSHED_AT_A_TIME }, flushEach))
}
