import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigurationError } from '../../base/errors.ts'
import type { Settings } from '../../config/settings.ts'
import { DirectoryStore, type MediaStore, mediaPlace, mediaStore } from '../../write/media/media-store.ts'
import type { ArchiveEntry } from './archive-reader.ts'
import { ENTRIES } from './backup-content.ts'
import { secretsFile } from './existing-secrets.ts'

/**
 * Uploaded files and secrets of a backup that is being restored. Until `keep`, the present files stay: one of the same
 * name as an uploaded file of the backup is set aside, and so are the secrets; `undo` brings them back.
 */
export class RestoredFiles {
  readonly #replace: boolean
  readonly #place: string
  readonly #store: MediaStore
  /** Present files that files of the backup have replaced. */
  readonly #formerDirectory: string
  readonly #former: MediaStore
  readonly #secretsFile: string
  /** Paths of the uploaded files of the backup, and of those that had to be written. */
  readonly #media = new Set<string>()
  readonly #written = new Set<string>()
  #secrets: 'unchanged' | 'draft' | 'inPlace' = 'unchanged'

  constructor(settings: Settings, { replace }: { readonly replace: boolean }) {
    this.#replace = replace
    this.#place = mediaPlace(settings)
    this.#store = mediaStore(settings)
    // Beside the data: a bucket has no temporary files.
    this.#formerDirectory = `${mediaPlace({ ...settings, mediaRoot: undefined })}.replaced`
    this.#former = new DirectoryStore(this.#formerDirectory)
    this.#secretsFile = secretsFile(settings.dataDir)
  }

  /** Number of uploaded files restored. */
  get media(): number {
    return this.#media.size
  }

  async addMedia(entry: ArchiveEntry): Promise<void> {
    const path = entry.name.slice(ENTRIES.media.length)
    if (!isBelow(path)) {
      throw new ConfigurationError(`The backup contains a file outside its directory: ${entry.name}.`)
    }
    const bytes = await entry.bytes()
    this.#media.add(path)
    const present = await this.#store.read(path)
    if (present?.equals(bytes)) return
    if (present && !this.#replace) throw this.#otherFiles()
    if (present) await this.#former.write(path, present, true)
    this.#written.add(path)
    await this.#store.write(path, bytes, true)
  }

  async addSecrets(entry: ArchiveEntry): Promise<void> {
    const file = this.#secretsFile
    const content = await entry.bytes()
    const present = await readFile(file).catch(() => undefined)
    if (present?.equals(content)) return
    if (present !== undefined && !this.#replace) {
      throw new ConfigurationError(
        `${file} contains other secrets than the backup, and nothing has been restored: use --replace, or restore to another DATA_DIR.`,
      )
    }
    this.#secrets = 'draft'
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(draftOf(file), content, { mode: 0o600, flush: true })
  }

  #otherFiles(): ConfigurationError {
    return new ConfigurationError(
      `${this.#place} contains other files than the backup, and nothing has been restored: use --replace, or restore to another place.`,
    )
  }

  /** Exchanges the secrets, just before the database commits. Throws ConfigurationError if files may not be deleted. */
  async putInPlace(): Promise<void> {
    const isOther = (path: string): boolean => !this.#media.has(path)
    if (!this.#replace && (await this.#store.list()).some(isOther)) throw this.#otherFiles()
    const file = this.#secretsFile
    if (this.#secrets === 'unchanged') return
    if (existsSync(file)) await rename(file, formerOf(file))
    this.#secrets = 'inPlace'
    await rename(draftOf(file), file)
  }

  /** Deletes what the backup replaces. */
  async keep(): Promise<void> {
    if (this.#replace) {
      for (const path of await this.#store.list()) if (!this.#media.has(path)) await this.#store.remove(path)
    }
    await remove(this.#formerDirectory)
    await remove(formerOf(this.#secretsFile))
  }

  /** Brings the present files back. */
  async undo(): Promise<void> {
    const file = this.#secretsFile
    if (this.#secrets === 'inPlace') {
      await remove(file)
      if (existsSync(formerOf(file))) await rename(formerOf(file), file)
    }
    await remove(draftOf(file))
    try {
      for (const path of this.#written) {
        const former = await this.#former.read(path)
        if (former) await this.#store.write(path, former, true)
        else await this.#store.remove(path)
      }
    } catch (cause) {
      const text = `Nothing has been restored, but uploaded files that were replaced could not be restored: copy those in ${this.#formerDirectory} to ${this.#place}.`
      throw new ConfigurationError(text, { cause })
    }
    await remove(this.#formerDirectory)
  }
}

const draftOf = (path: string): string => `${path}.restoring`
const formerOf = (path: string): string => `${path}.replaced`
const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true })

const isBelow = (path: string): boolean => path.split('/').every((name) => name !== '' && !/^\.+$|[\\\0]/.test(name))
