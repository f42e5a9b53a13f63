import type { FileField } from '../../schema/fields/file.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { firstCharacters } from '../../schema/shortened.ts'
import type { UploadedFile } from '../../schema/uploaded-file.ts'
import type { MediaStore } from './media-store.ts'

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

/** An image that could be decoded. */
interface Picture {
  readonly width: number
  readonly height: number
  /** For its content. */
  readonly extension: string
}

/** Size of an image and the extension for its content; undefined if it cannot be decoded. Decodes the same file once. */
export const decodePicture = oncePer(async ({ bytes }: UploadedFile): Promise<Picture | undefined> => {
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
})

/** Whether the file may be stored in the field: images must be decodable. */
export const isAcceptable = async (field: FileField<unknown>, file: UploadedFile) =>
  !field.image || (await decodePicture(file)) !== undefined

/** Path for a file of that name: the plain name at the first attempt, variants after it. */
function pathFor(below: string, name: string, attempt: number): string {
  const clean = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^\.+/, '')
  const dot = clean.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [clean.slice(0, dot), clean.slice(dot)] : [clean, '']
  const suffix = attempt === 0 ? '' : `_${Math.random().toString(36).slice(2, 9)}`
  // File systems allow 255 bytes, of which a character takes up to four.
  return `${below}/${firstCharacters(stem, 50) || 'file'}${suffix}${firstCharacters(extension, 10)}`
}

/** A file for a row that is about to be saved. */
export interface Upload {
  readonly file: UploadedFile
  /** Directory below the media directory. */
  readonly directory: string
  readonly name: string
}

/** The transaction needs files that have not been stored yet; thrown by `requireStored`. */
class FilesMissing extends Error {}

/**
 * The files of a transaction. Storing one may take long, and a transaction occupies a connection and locks rows. So a
 * transaction that has checked everything and needs files is rolled back, the files are stored, and the transaction is
 * repeated. New files are removed if it then fails; replaced files are removed after the commit. A crash in between
 * leaves an unused file.
 */
export class TransactionFiles {
  readonly #store: MediaStore
  readonly #isDryRun: boolean
  /** By the keys of the files. */
  readonly #paths = new Map<unknown, string>()
  #missing: readonly Upload[] = []
  #obsolete: string[] = []

  /** A dry run stores and removes nothing; its paths are those of a real write. */
  constructor(store: MediaStore, { isDryRun = false } = {}) {
    this.#store = store
    this.#isDryRun = isDryRun
  }

  /** Runs `attempt`, which runs the transaction; repeats it after storing the files that it needs. */
  async run<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      this.#obsolete = []
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof FilesMissing)) throw error
        for (const upload of this.#missing) {
          const { key } = upload.file
          if (!this.#paths.has(key)) this.#paths.set(key, await this.#storeUnderFreeName(upload))
        }
      }
    }
  }

  /** Ends the attempt unless all these files have been stored. */
  requireStored(uploads: readonly Upload[]): void {
    this.#missing = uploads.filter(({ file }) => !this.#paths.has(file.key))
    if (this.#missing.length > 0) throw new FilesMissing()
  }

  /** Path of a stored file. */
  pathOf(file: UploadedFile): string {
    const path = this.#paths.get(file.key)
    if (path === undefined) throw new Error(`${file.filename} has not been stored`)
    return path
  }

  /** Removes the file once the transaction is committed. */
  discard(path: string): void {
    this.#obsolete.push(path)
  }

  async committed(): Promise<void> {
    await this.#remove(this.#obsolete)
  }

  async rolledBack(): Promise<void> {
    await this.#remove([...this.#paths.values()])
  }

  async #storeUnderFreeName({ file, directory, name }: Upload): Promise<string> {
    for (let attempt = 0; ; attempt += 1) {
      const path = pathFor(directory, name, attempt)
      const isFree = this.#isDryRun
        ? !(await this.#store.has(path))
        : await this.#store.write(path, file.content, false)
      if (isFree) return path
    }
  }

  /** The write has ended: a file that cannot be removed is left unused. */
  async #remove(paths: readonly string[]): Promise<void> {
    for (const path of paths) await this.#store.remove(path).catch(() => undefined)
  }
}
