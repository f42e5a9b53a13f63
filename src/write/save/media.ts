import { existsSync, unlinkSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ApiError } from '../../errors.ts'
import type { FileField } from '../../schema/fields/file.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import type { UploadedFile } from '../../schema/uploaded-file.ts'

/** Directory of uploaded files, which are stored by their relative paths. */
export const mediaDirectory = (dataDirectory: string): string =>
  // An in-memory database has no directory of its own.
  dataDirectory.includes('://') ? join(tmpdir(), `cadastre-media-${process.pid}`) : join(dataDirectory, 'media')

/** File fields of a model. */
export const fileFields = oncePer((model: Model) =>
  [...model.fields].flatMap(([name, field]) => (field.kind === 'file' ? [[name, field] as const] : [])),
)

/**
 * Whether files of deleted objects are kept: change records name them, and an undo restores the objects. Housekeeping
 * deletes them with the records.
 */
export const keepsFiles = (model: Model): boolean => model.has('changeLogging')

// Decoding needs memory for every pixel, so a small file could need a lot of it.
const MOST_PIXELS = 50_000_000
const EXTENSIONS: Readonly<Record<string, string>> = {
  jpeg: 'jpg',
  png: 'png',
  gif: 'gif',
  webp: 'webp',
  avif: 'avif',
  heif: 'avif',
  tiff: 'tiff',
}

/** Size of an image and the extension for its content; undefined if it cannot be decoded. */
export async function decodePicture(
  bytes: Uint8Array,
): Promise<{ readonly width: number; readonly height: number; readonly extension: string } | undefined> {
  try {
    // A large library, which most processes never need.
    const { default: sharp } = await import('sharp')
    const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
    const { format, width, height } = await picture.metadata()
    const extension = EXTENSIONS[format ?? '']
    if (!extension || !width || !height) return undefined
    // Metadata is at the beginning: only full decoding shows whether the file is valid.
    await picture.stats()
    return { width, height, extension }
  } catch {
    return undefined
  }
}

/** Whether the file may be stored in the field: images must be decodable. */
export const isAcceptable = async (field: FileField<unknown>, file: UploadedFile) =>
  !field.image || (await decodePicture(file.bytes)) !== undefined

/** Manages the files of a transaction. */
export interface FileStore {
  /** Stores the file under a unique name; returns the path below the directory. */
  store(below: string, name: string, bytes: Uint8Array): Promise<string>
  /** Removes the file once the transaction is committed. */
  discard(path: string): void
}

/** Path for a file of that name: the plain name at the first attempt, variants after it. */
function pathFor(below: string, name: string, attempt: number): string {
  const clean = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^\.+/, '')
  const dot = clean.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [clean.slice(0, dot), clean.slice(dot)] : [clean, '']
  const suffix = attempt === 0 ? '' : `_${Math.random().toString(36).slice(2, 9)}`
  return `${below}/${stem.slice(0, 60).toWellFormed() || 'file'}${suffix}${extension.slice(0, 10).toWellFormed()}`
}

/** The files of a dry run: none is written or removed, and their paths are those of a real write. */
export class UnstoredFiles implements FileStore {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  async store(below: string, name: string): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      const path = pathFor(below, name, attempt)
      if (!existsSync(join(this.#directory, path))) return path
    }
  }

  discard(): void {}
}

/**
 * Files of a transaction: new files are written before its commit and removed after a rollback; replaced files are
 * removed after the commit. A crash in between leaves an unused file.
 */
export class MediaChanges implements FileStore {
  readonly #directory: string
  readonly #stored: string[] = []
  readonly #obsolete: string[] = []

  constructor(directory: string) {
    this.#directory = directory
  }

  async store(below: string, name: string, bytes: Uint8Array): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      const path = pathFor(below, name, attempt)
      if (await this.#write(join(this.#directory, path), bytes)) {
        this.#stored.push(path)
        return path
      }
    }
  }

  discard(path: string): void {
    this.#obsolete.push(path)
  }

  committed(): void {
    this.#remove(this.#obsolete)
  }

  rolledBack(): void {
    this.#remove(this.#stored)
  }

  #remove(paths: readonly string[]): void {
    for (const path of paths) {
      try {
        unlinkSync(join(this.#directory, path))
      } catch {
        // The file was removed already, or never imported.
      }
    }
  }

  /** Writes a file; false if the name exists. Throws ApiError if the directory cannot be written. */
  async #write(path: string, bytes: Uint8Array): Promise<boolean> {
    try {
      await mkdir(dirname(path), { recursive: true })
    } catch (error) {
      throw storageFailure(error)
    }
    try {
      const file = await open(path, 'wx', 0o640)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      return true
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      throw storageFailure(error)
    }
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

const NO_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

/** The error for a client whose file cannot be stored; errors that do not come from the file system stay unchanged. */
function storageFailure(error: unknown): unknown {
  const code = codeOf(error)
  if (code === undefined) return error
  const refusal = NO_ROOM.has(code)
    ? new ApiError({ kind: 'storageFull', detail: 'The disk that holds uploaded files is full.' })
    : new ApiError({
        kind: 'unavailable',
        detail: `Uploaded files cannot be stored: DATA_DIR cannot be written (${code}).`,
      })
  refusal.cause = error
  return refusal
}
