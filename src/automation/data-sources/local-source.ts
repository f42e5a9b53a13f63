import { constants, type Dirent } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../base/errors.ts'
import { AllowedDirectories } from './allowed-directory.ts'
import {
  checkFileSize,
  type FetchFiles,
  type FetchLimits,
  type FetchRequest,
  type SourceFile,
  SyncError,
} from './source-file.ts'

/**
 * Files of a directory on this machine. Symbolic links to files below the allowed directories are followed; other
 * links, and links to directories, are left out.
 */
export const fetchLocal: FetchFiles = async function* (request) {
  const allowed = await AllowedDirectories.of(request.limits.directories)
  const root = await allowed.resolve(request.source.url)
  if (!(await stat(root)).isDirectory()) throw new SyncError(`${root} is not a directory.`)
  yield* filesBelow({ ...request, allowed, root }, '')
}

interface Walk extends FetchRequest {
  readonly allowed: AllowedDirectories
  readonly root: string
}

async function* filesBelow(walk: Walk, directory: string): AsyncIterable<SourceFile> {
  walk.signal.throwIfAborted()
  const entries = await readdir(join(walk.root, directory), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = directory === '' ? entry.name : `${directory}/${entry.name}`
    if (entry.isDirectory()) {
      if (!entry.name.startsWith('.')) yield* filesBelow(walk, path)
      continue
    }
    if (walk.ignores(path)) continue
    const file = await regularFile(walk, path, entry)
    if (file !== undefined) yield { path, read: () => readRegular(file, path, walk.limits) }
  }
}

/** The path to open for an entry; undefined if the entry is left out. */
async function regularFile({ root, allowed, log }: Walk, path: string, entry: Dirent): Promise<string | undefined> {
  const full = join(root, path)
  if (entry.isFile()) return full
  if (!entry.isSymbolicLink()) return undefined
  const target = await realpath(full).catch(() => undefined)
  if (target === undefined || !allowed.contain(target)) {
    log.warning(`${path} is left out: the link does not lead to a file below an allowed directory.`)
    return undefined
  }
  return (await stat(target)).isFile() ? target : undefined
}

/** Reads a file. An entry that has become a link or a pipe since it was listed is refused. */
async function readRegular(full: string, path: string, limits: FetchLimits): Promise<Uint8Array> {
  const handle = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    (error: unknown) => {
      throw new SyncError(`${path} cannot be read (${codeOf(error) ?? error}).`)
    },
  )
  try {
    const status = await handle.stat()
    if (!status.isFile()) throw new SyncError(`${path} is not a file.`)
    checkFileSize(path, status.size, limits)
    const content = await handle.readFile()
    checkFileSize(path, content.length, limits)
    return content
  } finally {
    await handle.close()
  }
}
