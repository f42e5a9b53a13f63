import { MemoryFS, PGlite } from '@electric-sql/pglite'
import { unpackTar } from 'modern-tar'

/** A file of a data directory, or a directory, which has no content. */
export interface DatabaseFile {
  /** Below the data directory. */
  readonly path: string
  readonly content: Uint8Array | undefined
}

/** Files and directories of a tar archive, each directory before its content. */
export async function databaseFiles(archive: Uint8Array): Promise<readonly DatabaseFile[]> {
  const entries = await unpackTar(archive)
  return entries.map(({ header, data }) => ({
    path: header.name.replace(/^\/|\/$/g, ''),
    content: header.type === 'directory' ? undefined : (data ?? new Uint8Array()),
  }))
}

const REGULAR_FILE = 0o100600
const DIRECTORY = 0o700

/**
 * A data directory in memory with these files. Engines can share them: each copies a file before its first write to it, and an
 * engine writes to few of its files. (PGlite's own way, `loadDataDir`, copies all of them twice for each engine.)
 */
export class MemoryFiles extends MemoryFS {
  readonly #files: readonly DatabaseFile[]

  constructor(files: readonly DatabaseFile[]) {
    super()
    this.#files = files
  }

  override async initialSyncFs(): Promise<void> {
    if (!this.pg) throw new Error('The engine has not been started')
    const { FS } = this.pg.Module
    const shared = new WeakSet<Uint8Array>()
    const operations = new Set<FileOperations>()
    for (const { path, content } of this.#files) {
      const name = `${PGlite.paths.PGDATA}/${path}`
      if (content === undefined) {
        FS.mkdirTree(name, DIRECTORY)
        continue
      }
      const node: unknown = FS.mknod(name, REGULAR_FILE, 0)
      if (!isFileInMemory(node)) throw new Error('PGlite keeps files in memory in another way')
      node.contents = content
      node.usedBytes = content.length
      shared.add(content)
      operations.add(node.stream_ops)
    }
    for (const each of operations) copyBeforeWriting(each, shared)
  }
}

/** A file of Emscripten's file system in memory, which its types do not declare. */
interface FileInMemory {
  contents: Uint8Array
  usedBytes: number
  /** Shared by all files. */
  readonly stream_ops: FileOperations
}

interface FileOperations {
  write: (stream: { readonly node: FileInMemory }, ...rest: readonly unknown[]) => number
}

const isFileInMemory = (node: unknown): node is FileInMemory =>
  typeof node === 'object' && node !== null && 'usedBytes' in node && 'stream_ops' in node

/** Makes writes leave `shared` contents unchanged; all other changes to a file replace its contents anyway. */
function copyBeforeWriting(operations: FileOperations, shared: WeakSet<Uint8Array>): void {
  const { write } = operations
  operations.write = (stream, ...rest) => {
    const { node } = stream
    if (shared.has(node.contents)) node.contents = node.contents.slice()
    return write(stream, ...rest)
  }
}
