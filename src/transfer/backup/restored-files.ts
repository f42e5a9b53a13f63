import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { scriptsDirectory } from '../../automation/scripts/scripts-root.ts'
import { ConfigurationError } from '../../base/errors.ts'
import type { Settings } from '../../config/settings.ts'
import { DirectoryStore, type MediaStore, mediaPlace, mediaStore } from '../../write/media/media-store.ts'
import type { ArchiveEntry } from './archive-reader.ts'
import { ENTRIES } from './backup-content.ts'
import { secretsFile } from './existing-secrets.ts'

/** Where files of one kind are restored. */
class Place {
  readonly #name: string
  readonly #store: MediaStore
  readonly #replace: boolean
  /** Present files that files of the backup have replaced. */
  readonly #formerDirectory: string
  readonly #former: MediaStore
  /** Paths of the files of the backup, and of those that had to be written. */
  readonly #paths = new Set<string>()
  readonly #written = new Set<string>()

  constructor(name: string, store: MediaStore, formerDirectory: string, replace: boolean) {
    this.#name = name
    this.#store = store
    this.#replace = replace
    this.#formerDirectory = formerDirectory
    this.#former = new DirectoryStore(formerDirectory)
  }

  /** Number of files of the backup. */
  get count(): number {
    return this.#paths.size
  }

  async add(path: string, entry: ArchiveEntry): Promise<void> {
    if (!isBelow(path)) {
      throw new ConfigurationError(`The backup contains a file outside its directory: ${entry.name}.`)
    }
    const bytes = await entry.bytes()
    this.#paths.add(path)
    const present = await this.#store.read(path)
    if (present?.equals(bytes)) return
    if (present && !this.#replace) throw this.#otherFiles()
    if (present) await this.#former.write(path, present, true)
    this.#written.add(path)
    await this.#store.write(path, bytes, true)
  }

  #otherFiles(): ConfigurationError {
    return new ConfigurationError(
      `${this.#name} contains other files than the backup, and nothing has been restored: use --replace, or restore to another place.`,
    )
  }

  /** Throws ConfigurationError if there are other files, which may not be deleted. */
  async refuseOthers(): Promise<void> {
    if (!this.#replace && (await this.#store.list()).some((path) => !this.#paths.has(path))) throw this.#otherFiles()
  }

  /** Deletes what the backup replaces. */
  async keep(): Promise<void> {
    if (this.#replace) {
      for (const path of await this.#store.list()) if (!this.#paths.has(path)) await this.#store.remove(path)
    }
    await remove(this.#formerDirectory)
  }

  /** Brings the present files back. */
  async undo(): Promise<void> {
    try {
      for (const path of this.#written) {
        const former = await this.#former.read(path)
        if (former) await this.#store.write(path, former, true)
        else await this.#store.remove(path)
      }
    } catch (cause) {
      const text = `Nothing has been restored, but files that were replaced could not be restored: copy those in ${this.#formerDirectory} to ${this.#name}.`
      throw new ConfigurationError(text, { cause })
    }
    await remove(this.#formerDirectory)
  }
}

/**
 * Uploaded files, scripts and secrets of a backup that is being restored. Until `keep`, the present files stay: one of
 * the same name as a file of the backup is set aside, and so are the secrets; `undo` brings them back.
 */
export class RestoredFiles {
  readonly #replace: boolean
  readonly #media: Place
  readonly #scripts: Place
  readonly #secretsFile: string
  #secrets: 'unchanged' | 'draft' | 'inPlace' = 'unchanged'

  constructor(settings: Settings, { replace }: { readonly replace: boolean }) {
    this.#replace = replace
    // Beside the data: a bucket has no temporary files.
    const former = `${mediaPlace({ ...settings, mediaRoot: undefined })}.replaced`
    this.#media = new Place(mediaPlace(settings), mediaStore(settings), former, replace)
    const scripts = scriptsDirectory(settings)
    this.#scripts = new Place(scripts, new DirectoryStore(scripts), `${scripts}.replaced`, replace)
    this.#secretsFile = secretsFile(settings.dataDir)
  }

  /** Number of uploaded files restored. */
  get media(): number {
    return this.#media.count
  }

  /** Number of files of scripts restored. */
  get scripts(): number {
    return this.#scripts.count
  }

  addMedia(entry: ArchiveEntry): Promise<void> {
    return this.#media.add(entry.name.slice(ENTRIES.media.length), entry)
  }

  addScript(entry: ArchiveEntry): Promise<void> {
    return this.#scripts.add(entry.name.slice(ENTRIES.scripts.length), entry)
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

  /** Exchanges the secrets, just before the database commits. Throws ConfigurationError if files may not be deleted. */
  async putInPlace(): Promise<void> {
    await this.#media.refuseOthers()
    const file = this.#secretsFile
    if (this.#secrets === 'unchanged') return
    if (existsSync(file)) await rename(file, formerOf(file))
    this.#secrets = 'inPlace'
    await rename(draftOf(file), file)
  }

  /** Deletes what the backup replaces. A backup without scripts leaves those that are there. */
  async keep(): Promise<void> {
    await this.#media.keep()
    if (this.#scripts.count > 0) await this.#scripts.keep()
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
    await this.#media.undo()
    await this.#scripts.undo()
  }
}

const draftOf = (path: string): string => `${path}.restoring`
const formerOf = (path: string): string => `${path}.replaced`
const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true })

const isBelow = (path: string): boolean => path.split('/').every((name) => name !== '' && !/^\.+$|[\\\0]/.test(name))
