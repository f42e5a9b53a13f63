import { createReadStream, existsSync, globSync, statSync } from 'node:fs'
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ApiError, codeOf } from '../../base/errors.ts'
import { isBucket } from '../../base/s3.ts'
import type { Settings } from '../../config/settings.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { FileContent } from '../../schema/uploaded-file.ts'
import { BucketRefusal, FileNotStored, S3Bucket } from './s3-bucket.ts'

/** Uploaded files by their relative paths. */
export interface MediaStore {
  /** The content of a file; undefined if there is none of that name. */
  read(path: string): Promise<Buffer | undefined>
  /** The content of a file in chunks, which is opened when they are read; undefined if there is none of that name. */
  open(path: string): Promise<StoredFile | undefined>
  has(path: string): Promise<boolean>
  /** Stores a file; false if there is one of that name, unless it is to be replaced. */
  write(path: string, content: FileContent, replace: boolean): Promise<boolean>
  /** Deletes a file if there is one of that name. */
  remove(path: string): Promise<void>
  /** All paths. */
  list(): Promise<readonly string[]>
}

/** A stored file that is too large to be read at once. */
export interface StoredFile {
  /** Bytes. */
  readonly size: number
  readonly chunks: AsyncIterable<Uint8Array>
}

/** Where uploaded files are: a directory, or the URL of a bucket. */
export function mediaPlace({ mediaRoot, dataDir }: Pick<Settings, 'mediaRoot' | 'dataDir'>): string {
  return mediaRoot ?? join(dataDir, 'media')
}

/** The uploaded files. Its methods throw ApiError if the directory or the bucket cannot be used. */
export const mediaStore = oncePer((settings: Settings): MediaStore => {
  const place = mediaPlace(settings)
  const setting = settings.mediaRoot === undefined ? 'DATA_DIR' : 'MEDIA_ROOT'
  const files: MediaStore = isBucket(place) ? new S3Bucket(place, settings) : new DirectoryStore(place)
  const translated = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw storageFailure(setting, error)
    }
  }
  return {
    read: (path) => translated(files.read(path)),
    open: (path) => translated(files.open(path)),
    has: (path) => translated(files.has(path)),
    write: (...file) => translated(files.write(...file)),
    remove: (path) => translated(files.remove(path)),
    list: () => translated(files.list()),
  }
})

/** Files in a directory, which is created when it is needed. */
export class DirectoryStore implements MediaStore {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  async read(path: string): Promise<Buffer | undefined> {
    try {
      return await readFile(join(this.#directory, path))
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  async open(path: string): Promise<StoredFile | undefined> {
    const file = join(this.#directory, path)
    const status = await stat(file).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    })
    if (!status?.isFile()) return undefined
    return {
      size: status.size,
      chunks: (async function* () {
        yield* createReadStream(file)
      })(),
    }
  }

  async has(path: string): Promise<boolean> {
    return existsSync(join(this.#directory, path))
  }

  async write(path: string, content: FileContent, replace: boolean): Promise<boolean> {
    const target = join(this.#directory, path)
    await mkdir(dirname(target), { recursive: true })
    const file = await open(target, replace ? 'w' : 'wx', 0o640).catch((error: unknown) => {
      if (codeOf(error) === 'EEXIST') return undefined
      throw error
    })
    if (!file) return false
    try {
      await file.writeFile(content instanceof Uint8Array ? content : createReadStream(content.path))
      await file.sync()
    } finally {
      await file.close()
    }
    return true
  }

  async remove(path: string): Promise<void> {
    await rm(join(this.#directory, path), { force: true })
  }

  async list(): Promise<readonly string[]> {
    const cwd = this.#directory
    const isFile = (path: string) => statSync(join(cwd, path), { throwIfNoEntry: false })?.isFile()
    return globSync('**/*', { cwd })
      .filter(isFile)
      .map((path) => path.replaceAll('\\', '/'))
      .sort()
  }
}

const NO_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

/** The error for a client; errors that come neither from the file system nor from the bucket stay unchanged. */
function storageFailure(setting: string, error: unknown): unknown {
  const why = reasonOf(error)
  if (why === undefined) return error
  const refusal = NO_ROOM.has(why)
    ? new ApiError({ kind: 'storageFull', detail: 'The disk with the uploaded files is full.' })
    : new ApiError({
        kind: 'unavailable',
        detail: `Uploaded files can be neither stored nor read: ${setting} cannot be used (${why}).`,
      })
  refusal.cause = error
  return refusal
}

/** Such as EACCES or `403 AccessDenied`. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof BucketRefusal) return `${error.status} ${error.code ?? ''}`.trim()
  if (error instanceof FileNotStored) return 'the bucket has confirmed a file that it does not have'
  if (error instanceof DOMException) return 'no answer'
  // `fetch` throws a TypeError if the server cannot be reached; its cause has the code.
  const code = codeOf(error) ?? (error instanceof TypeError ? codeOf(error.cause) : undefined)
  return code === undefined ? undefined : String(code)
}
