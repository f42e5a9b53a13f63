import { createHash, randomUUID } from 'node:crypto'
import { readFileSync, type Stats } from 'node:fs'
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pythonFiles } from './python-files.ts'

let version: string | undefined

/** Digest of everything that a snapshot depends on, which does not change while the program runs. */
function versionOfSnapshots(): string {
  version ??= digestOfFiles()
  return version
}

/** Digest of Node, Pyodide, and the files that Python imports. */
function digestOfFiles(): string {
  const pyodide = createRequire(import.meta.url).resolve('pyodide/package.json')
  const hash = createHash('sha256').update(`${process.version} ${process.arch}`)
  for (const [path, content] of [['pyodide', readFileSync(pyodide)] as const, ...pythonFiles()]) {
    hash.update(path).update(createHash('sha256').update(content).digest())
  }
  return hash.digest('hex').slice(0, 16)
}

/** A snapshot of the interpreter, open for reading. */
interface OpenSnapshot {
  readonly fd: number
  close(): Promise<void>
}

/** A snapshot that is being written. */
interface NewSnapshot {
  readonly fd: number
  /** Makes this the store's current snapshot; to be called once it is complete. */
  keep(): Promise<void>
  discard(): Promise<void>
}

/** Storage for snapshots of the interpreter. */
export interface SnapshotStore {
  /** The snapshot of this version of the program; undefined if there is none. */
  open(): Promise<OpenSnapshot | undefined>
  /** A new snapshot; undefined if the store is not writable. */
  create(): Promise<NewSnapshot | undefined>
  /** Removes a broken snapshot. */
  remove(): Promise<void>
}

const PREFIX = 'python-'

/**
 * Snapshots in a directory, named for the program's version. A directory or file that belongs to another user, or
 * that every user may write to, is not trusted: a snapshot is as powerful as the program that it continues.
 */
export function snapshotsIn(directory: string): SnapshotStore {
  const name = `${PREFIX}${versionOfSnapshots()}.snapshot`
  const path = join(directory, name)
  return {
    open: () => openTrusted(directory, path).catch(() => undefined),
    create: () => createIn(directory, name).catch(() => undefined),
    remove: () => rm(path, { force: true }).catch(() => undefined),
  }
}

async function openTrusted(directory: string, path: string): Promise<OpenSnapshot | undefined> {
  if (!isTrusted(await lstat(directory))) return undefined
  const handle = await open(path)
  if (isTrusted(await handle.stat())) return handle
  await handle.close()
  return undefined
}

async function createIn(directory: string, name: string): Promise<NewSnapshot | undefined> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  if (!isTrusted(await lstat(directory))) return undefined
  // Written under another name and renamed when complete, so that no process reads a partial file.
  const unfinished = join(directory, `${name}.${randomUUID()}`)
  const handle = await open(unfinished, 'wx', 0o600)
  return {
    fd: handle.fd,
    keep: async () => {
      await handle.sync()
      await handle.close()
      await rename(unfinished, join(directory, name))
      await removeOthers(directory, name)
    },
    discard: async () => {
      await handle.close()
      await rm(unfinished, { force: true })
    },
  }
}

/** Removes the snapshots of earlier versions, and unfinished files of processes that were killed. */
async function removeOthers(directory: string, name: string): Promise<void> {
  const names = await readdir(directory)
  const obsolete = names.filter((file) => file.startsWith(PREFIX) && file !== name)
  await Promise.all(obsolete.map((file) => rm(join(directory, file), { force: true })))
}

function isTrusted({ mode, uid }: Stats): boolean {
  // Windows has neither user ids nor modes; there the directory's access rights apply.
  const currentUid = process.getuid?.()
  return currentUid === undefined || ((uid === currentUid || uid === 0) && (mode & 0o002) === 0)
}
