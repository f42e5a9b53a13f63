import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { createTarPacker } from 'modern-tar'
import { ConfigurationError } from '../errors.ts'

/** Takes in the entries of an archive, one after the other. */
export interface ArchiveWriter {
  add(name: string, content: string | Uint8Array): Promise<void>
  /** False when there is no such file (any more). */
  addFile(name: string, path: string): Promise<boolean>
}

/**
 * Writes a gzipped tar archive, readable for its owner alone. It gets its name when it is whole and on
 * disk. Throws ConfigurationError when there is a file of that name.
 */
export async function writeArchive(
  file: string,
  fill: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  if (existsSync(file)) {
    throw new ConfigurationError(`${file} exists already; choose another name.`)
  }
  const draft = `${file}.partial`
  const { readable, controller } = createTarPacker()
  const output = createWriteStream(draft, { mode: 0o600, flush: true })
  const written = pipeline(readable, createGzip(), output)
  const open = (name: string, size: number) =>
    Writable.fromWeb(controller.add({ name, size, mode: 0o600 }))
  const archive: ArchiveWriter = {
    add: async (name, content) => {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content
      await pipeline([bytes], open(name, bytes.length))
    },
    addFile: async (name, path) => {
      const { size } = (await stat(path).catch(absent)) ?? {}
      if (size === undefined) return false
      await pipeline(createReadStream(path), open(name, size))
      return true
    },
  }
  try {
    await Promise.race([fill(archive), written])
    controller.finalize()
    await written
    await rename(draft, file)
  } catch (error) {
    controller.error(error)
    await written.catch(() => undefined)
    await rm(draft, { force: true })
    throw error
  }
}

/** Nothing for a file that is not there. */
function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
