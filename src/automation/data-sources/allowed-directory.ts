import { realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SyncError } from './source-file.ts'

/** The directories that the configuration allows, with symbolic links resolved. */
export class AllowedDirectories {
  readonly #named: readonly string[]
  readonly #real: readonly string[]

  private constructor(resolved: readonly string[], real: readonly string[]) {
    this.#named = resolved
    this.#real = real
  }

  /** The directories of the setting; those that do not exist allow nothing. */
  static async of(directories: readonly string[]): Promise<AllowedDirectories> {
    const resolved = directories.map((directory) => resolve(directory))
    const real = await Promise.all(resolved.map((directory) => realpath(directory).catch(() => [])))
    return new AllowedDirectories(resolved, real.flat())
  }

  /**
   * The real path of a path or file:// URL. Throws SyncError if it is not below an allowed directory or does not exist;
   * for paths elsewhere, the message does not reveal whether they exist.
   */
  async resolve(source: string): Promise<string> {
    const path = pathOf(source)
    const outside = new SyncError(`${path} is not below a directory that DATA_SOURCE_DIRECTORIES names.`)
    if (![...this.#named, ...this.#real].some((directory) => isBelow(directory, path))) throw outside
    let real: string
    try {
      real = await realpath(path)
    } catch {
      throw new SyncError(`${path} does not exist or cannot be read.`)
    }
    if (!this.contain(real)) throw outside
    return real
  }

  /** Whether a real path is one of the directories or below one of them. */
  contain(real: string): boolean {
    return this.#real.some((directory) => isBelow(directory, real))
  }
}

function isBelow(directory: string, path: string): boolean {
  const way = relative(directory, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function pathOf(source: string): string {
  if (!/^file:/i.test(source)) {
    if (!isAbsolute(source)) throw new SyncError(`${source} is not an absolute path.`)
    return resolve(source)
  }
  try {
    return fileURLToPath(source)
  } catch {
    throw new SyncError(`${source} is not the URL of a local directory.`)
  }
}
