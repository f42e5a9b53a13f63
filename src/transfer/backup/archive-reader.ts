import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import { ConfigurationError } from '../../base/errors.ts'

/** An entry of an archive. Call one of its methods before requesting the next entry. */
export interface ArchiveEntry {
  readonly name: string
  text(): Promise<string>
  bytes(): Promise<Buffer>
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
      // An error of the compression is more precise than what the archive then lacks.
      throw unreadable(file, unzipped.errored ?? error)
    }
  }
  try {
    for await (const { header, body } of entries) {
      yield {
        name: header.name,
        text: () => translated(text(body)),
        bytes: () => translated(buffer(body)),
        skip: () => translated(drain(body)),
      }
    }
  } catch (error) {
    throw error instanceof ConfigurationError ? error : unreadable(file, error)
  } finally {
    source.destroy()
  }
}

/** Reads to the end, because a decoder whose body is cancelled may wait forever. */
async function drain(body: ReadableStream<Uint8Array>): Promise<void> {
  for await (const _ of body) {
    // Not needed.
  }
}

function unreadable(file: string, error: unknown): ConfigurationError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EACCES') return new ConfigurationError(`${file} cannot be read by the user of the service: chown it.`)
  const why = error instanceof Error ? error.message : String(error)
  const reason = why === '' ? '' : `: ${why.replace(/\.$/, '')}`
  return new ConfigurationError(`${file} is damaged or not a backup${reason}.`)
}
