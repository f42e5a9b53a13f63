import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ConfigurationError } from '../../errors.ts'
import { mediaDirectory } from '../../write/save/media.ts'
import type { ArchiveEntry } from './archive-reader.ts'
import { ENTRIES } from './backup-content.ts'
import { secretsFile } from './existing-secrets.ts'

/**
 * Uploaded files and secrets of a backup that is being restored. They are written next to the present ones, swapped
 * with them just before the database commits, and swapped back if that fails.
 */
export class RestoredFiles {
  /** Number of uploaded files restored. */
  media = 0
  readonly #replace: boolean
  readonly #mediaDirectory: string
  readonly #secretsFile: string | undefined
  /** Target paths; the restored file has the same path with `.restoring` at the end. */
  readonly #targets = new Set<string>()
  readonly #inPlace: string[] = []

  constructor(dataDir: string, { replace }: { readonly replace: boolean }) {
    this.#replace = replace
    this.#mediaDirectory = mediaDirectory(dataDir)
    this.#secretsFile = secretsFile(dataDir)
  }

  async addMedia(entry: ArchiveEntry): Promise<void> {
    const path = entry.name.slice(ENTRIES.media.length)
    if (!isBelow(path)) {
      throw new ConfigurationError(`The backup holds a file that leads elsewhere: ${entry.name}.`)
    }
    if (!this.#targets.has(this.#mediaDirectory)) await this.#beginMedia()
    await entry.save(join(draftOf(this.#mediaDirectory), path))
    this.media += 1
  }

  async addSecrets(entry: ArchiveEntry): Promise<void> {
    const file = this.#secretsFile
    const content = await entry.text()
    if (file === undefined) return
    const present = await readFile(file, 'utf8').catch(() => undefined)
    if (present === content) return
    if (present !== undefined && !this.#replace) {
      throw new ConfigurationError(
        `${file} holds other secrets than the backup, and nothing has been restored: say --replace, or restore to another DATA_DIR.`,
      )
    }
    this.#targets.add(file)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(draftOf(file), content, { mode: 0o600, flush: true })
  }

  /** The previous files are set aside until `keep` or `undo`. */
  async putInPlace(): Promise<void> {
    for (const target of this.#targets) {
      if (existsSync(target)) await rename(target, formerOf(target))
      this.#inPlace.push(target)
      await rename(draftOf(target), target)
    }
  }

  async keep(): Promise<void> {
    for (const target of this.#targets) await remove(formerOf(target))
  }

  async undo(): Promise<void> {
    for (const target of this.#inPlace) {
      await remove(target)
      if (existsSync(formerOf(target))) await rename(formerOf(target), target)
    }
    for (const target of this.#targets) await remove(draftOf(target))
  }

  async #beginMedia(): Promise<void> {
    const directory = this.#mediaDirectory
    if (!this.#replace && existsSync(directory) && readdirSync(directory).length > 0) {
      throw new ConfigurationError(
        `${directory} is not empty, and nothing has been restored: say --replace, or restore to another DATA_DIR.`,
      )
    }
    // Left over from an interrupted restore.
    await remove(draftOf(directory))
    this.#targets.add(directory)
  }
}

const draftOf = (path: string): string => `${path}.restoring`
const formerOf = (path: string): string => `${path}.replaced`
const remove = (path: string): Promise<void> => rm(path, { recursive: true, force: true })

const isBelow = (path: string): boolean => path.split('/').every((name) => name !== '' && !/^\.+$|[\\\0]/.test(name))
