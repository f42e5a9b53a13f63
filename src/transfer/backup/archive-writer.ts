import { accessSync, constants, createReadStream, createWriteStream, existsSync, statSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { createTarPacker } from 'modern-tar'
import { ConfigurationError, codeOf } from '../../base/errors.ts'

/** Adds entries to an archive, one after the other. */
export interface ArchiveWriter {
  add(name: string, content: string | Uint8Array): Promise<void>
  /** False if the file does not exist (any more). */
  addFile(name: string, path: string): Promise<boolean>
}

/** Throws ConfigurationError if a new file of that name cannot be created. */
export function checkNewFile(file: string): void {
  if (existsSync(file)) {
    throw new ConfigurationError(`${file} exists already; choose another name.`)
  }
  const directory = dirname(resolve(file))
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ConfigurationError(`There is no directory ${directory}; create it, or choose another.`)
  }
  try {
    accessSync(directory, constants.W_OK | constants.X_OK)
  } catch {
    throw new ConfigurationError(`The directory ${directory} cannot be written by this user.`)
  }
}

/**
 * Writes a gzipped tar archive that only its owner can read. The file gets its name once it is complete and flushed
 * to disk. Throws ConfigurationError as `checkNewFile` does.
 */
export async function writeArchive(file: string, fill: (archive: ArchiveWriter) => Promise<void>): Promise<void> {
  checkNewFile(file)
  const draft = `${file}.partial`
  const { readable, controller } = createTarPacker()
  const output = createWriteStream(draft, { mode: 0o600, flush: true })
  const written = pipeline(readable, createGzip(), output)
  const open = (name: string, size: number) => Writable.fromWeb(controller.add({ name, size, mode: 0o600 }))
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

/** Undefined for the error of a missing file; throws any other error. */
function absent(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined
  throw error
}
