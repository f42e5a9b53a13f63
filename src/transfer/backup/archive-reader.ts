import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import { ConfigurationError } from '../../errors.ts'

/** An entry of an archive. Call one of its methods before requesting the next entry. */
export interface ArchiveEntry {
  readonly name: string
  text(): Promise<string>
  /** Writes the entry to a new file that only its owner can read, creating directories as needed. */
  save(path: string): Promise<void>
  skip(): Promise<void>
}

/** The entries of a gzipped tar archive. Throws ConfigurationError when it cannot be read to its end. */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  const source = createReadStream(file)
  const unzipped = source.pipe(createGunzip())
  source.on('error', (error) => unzipped.destroy(error))
  const entries = Readable.toWeb(unzipped).pipeThrough(createTarDecoder({ strict: true }))
  const translated = async <T>(reading: Promise<T>): Promise<T> => {
    try {
      return await reading
    } catch (error) {
      if (unzipped.errored) throw unreadable(file, unzipped.errored)
      throw isSystemError(error) ? unreadable(file, error) : error
    }
  }
  try {
    for await (const { header, body } of entries) {
      yield {
        name: header.name,
        text: () => translated(text(body)),
        save: (path) => translated(saveTo(path, body)),
        skip: () => translated(drain(body)),
      }
    }
  } catch (error) {
    throw error instanceof ConfigurationError ? error : unreadable(file, error)
  } finally {
    source.destroy()
  }
}

/** Reads on: a decoder whose body is cancelled may wait for it for ever. */
async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  for await (const _ of body) {
    // Not needed.
  }
}

async function saveTo(path: string, body: ReadableStream<Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await pipeline(body, createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }))
}

/** Such as EEXIST, for an entry that leads through a link. */
const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error

function unreadable(file: string, error: unknown): ConfigurationError {
  const why = error instanceof Error ? error.message : String(error)
  const reason = why === '' ? '' : `: ${why.replace(/\.$/, '')}`
  return new ConfigurationError(`${file} is damaged or no backup${reason}.`)
}
