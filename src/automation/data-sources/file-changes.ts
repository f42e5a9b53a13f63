import { createHash } from 'node:crypto'
import { shortened } from '../../schema/shortened.ts'
import { checkFileSize, type FetchLimits, type SourceFile, SyncError } from './source-file.ts'

/** A file in the database. */
export interface StoredFile {
  readonly id: number
  readonly hash: string
}

/** A file with content that differs from the stored one. */
export interface ChangedFile {
  readonly path: string
  readonly size: number
  /** SHA-256, hexadecimal. */
  readonly hash: string
  /** Base64. */
  readonly data: string
}

/** Differences between a source and its files in the database. */
export interface FileChanges {
  readonly created: readonly ChangedFile[]
  readonly updated: readonly (ChangedFile & StoredFile)[]
  /** Ids of files that no longer exist. */
  readonly removed: readonly number[]
  /** Number of files of the source. */
  readonly total: number
}

const MOST_CHARACTERS = 1_000

/**
 * Reads all files of a source and compares them by their hashes with the stored ones. Only changed content is kept. Throws
 * SyncError beyond the limits.
 */
export async function findChanges(
  files: AsyncIterable<SourceFile>,
  stored: ReadonlyMap<string, StoredFile>,
  limits: FetchLimits,
): Promise<FileChanges> {
  const seen = new Set<string>()
  const created: ChangedFile[] = []
  const updated: (ChangedFile & StoredFile)[] = []
  let size = 0
  for await (const { path, read } of files) {
    if (path.length > MOST_CHARACTERS || path.includes('\0')) {
      throw new SyncError(`A path is longer than ${MOST_CHARACTERS} characters: ${shortened(path, 101)}`)
    }
    if (seen.has(path)) continue
    seen.add(path)
    if (seen.size > limits.files) {
      throw new SyncError(`The source has more than ${limits.files} files, the maximum for a data source.`)
    }
    const content = await read()
    checkFileSize(path, content.length, limits)
    size += content.length
    if (size > limits.totalSize) {
      throw new SyncError(`The files have more than ${limits.totalSize} bytes, the maximum for a data source.`)
    }
    const hash = createHash('sha256').update(content).digest('hex')
    const before = stored.get(path)
    if (before?.hash === hash) continue
    const file = { path, size: content.length, hash, data: Buffer.from(content).toString('base64') }
    if (before === undefined) created.push(file)
    else updated.push({ ...file, id: before.id })
  }
  const removed = [...stored].flatMap(([path, { id }]) => (seen.has(path) ? [] : [id]))
  return { created, updated, removed, total: seen.size }
}
