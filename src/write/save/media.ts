import type { FileField } from '../../schema/fields/file.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import type { UploadedFile } from '../../schema/uploaded-file.ts'
import type { MediaStore } from '../media/media-store.ts'

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
  /** Stores the file under a unique name; returns its path. */
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
  readonly #store: MediaStore

  constructor(store: MediaStore) {
    this.#store = store
  }

  async store(below: string, name: string): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      const path = pathFor(below, name, attempt)
      if (!(await this.#store.has(path))) return path
    }
  }

  discard(): void {}
}

/**
 * Files of a transaction: new files are written before its commit and removed after a rollback; replaced files are
 * removed after the commit. A crash in between leaves an unused file.
 */
export class MediaChanges implements FileStore {
  readonly #store: MediaStore
  readonly #stored: string[] = []
  readonly #obsolete: string[] = []

  constructor(store: MediaStore) {
    this.#store = store
  }

  async store(below: string, name: string, bytes: Uint8Array): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      const path = pathFor(below, name, attempt)
      if (await this.#store.write(path, bytes, false)) {
        this.#stored.push(path)
        return path
      }
    }
  }

  discard(path: string): void {
    this.#obsolete.push(path)
  }

  async committed(): Promise<void> {
    await this.#remove(this.#obsolete)
  }

  async rolledBack(): Promise<void> {
    await this.#remove(this.#stored)
  }

  /** The write has ended: a file that cannot be removed is left unused. */
  async #remove(paths: readonly string[]): Promise<void> {
    for (const path of paths) await this.#store.remove(path).catch(() => undefined)
  }
}
