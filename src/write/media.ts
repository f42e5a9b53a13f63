import { unlinkSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { ApiError } from '../errors.ts'
import type { FileField } from '../schema/field.ts'
import { oncePerModel } from '../schema/once-per-model.ts'
import type { UploadedFile } from '../schema/uploaded-file.ts'

/** Directory in which uploaded files are kept, by their relative paths. */
export const mediaDirectory = (dataDirectory: string): string =>
  // A database that lives in memory has no directory of its own.
  dataDirectory.includes('://')
    ? join(tmpdir(), `cadastre-media-${process.pid}`)
    : join(dataDirectory, 'media')

/** Fields of a model that hold files. */
export const fileFields = oncePerModel((model) =>
  [...model.fields].flatMap(([name, field]) =>
    field.kind === 'file' ? [[name, field] as const] : [],
  ),
)

// Decoding needs memory for every pixel, so that a small file could ask for very much of it.
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

/** Size of a picture and the extension that fits its content. Undefined: it cannot be decoded. */
export async function decodePicture(
  bytes: Uint8Array,
): Promise<
  { readonly width: number; readonly height: number; readonly extension: string } | undefined
> {
  try {
    const picture = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
    const { format, width, height } = await picture.metadata()
    const extension = EXTENSIONS[format ?? '']
    if (!extension || !width || !height) return undefined
    // Metadata stand at the beginning: only decoding the whole shows whether the rest is a picture.
    await picture.stats()
    return { width, height, extension }
  } catch {
    return undefined
  }
}

/** Whether the file may be stored in the field: pictures must decode. */
export const isAcceptable = async (field: FileField<unknown>, file: UploadedFile) =>
  !field.image || (await decodePicture(file.bytes)) !== undefined

/**
 * Files that follow a transaction: new ones are on disk before its commit and go again after a
 * rollback; replaced ones go after the commit. A crash in between leaves a file that nobody names.
 */
export class MediaChanges {
  readonly #directory: string
  readonly #stored: string[] = []
  readonly #obsolete: string[] = []

  constructor(directory: string) {
    this.#directory = directory
  }

  /** Stores the file under a name that no other file has; answers the path below the directory. */
  async store(below: string, name: string, bytes: Uint8Array): Promise<string> {
    const clean = name
      .normalize('NFC')
      .replace(/[^\p{L}\p{N}._-]+/gu, '_')
      .replace(/^\.+/, '')
    const dot = clean.lastIndexOf('.')
    const [stem, extension] = dot > 0 ? [clean.slice(0, dot), clean.slice(dot)] : [clean, '']
    for (let attempt = 0; ; attempt += 1) {
      const suffix = attempt === 0 ? '' : `_${Math.random().toString(36).slice(2, 9)}`
      const path = `${below}/${stem.slice(0, 60) || 'file'}${suffix}${extension.slice(0, 10)}`
      if (await this.#write(join(this.#directory, path), bytes)) {
        this.#stored.push(path)
        return path
      }
    }
  }

  /** The file is not needed any more once the transaction is committed. */
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
        // Gone already, or never imported: nothing refers to it any more.
      }
    }
  }

  /** False when another file has the name. Throws ApiError where the directory cannot be written. */
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

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

const NO_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

/** What a client is answered whose file cannot be stored; an error that is not of the file system stays as it is. */
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
