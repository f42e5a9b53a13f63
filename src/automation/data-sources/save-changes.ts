import { dataFile } from '../../models/core/data-file.ts'
import type { Writer } from '../../schema/rule.ts'
import type { ChangedFile, FileChanges } from './file-changes.ts'

/** Characters of content per statement, so that a large source is not one large statement. */
const BATCH_CHARACTERS = 8_000_000
const BATCH_FILES = 500

/** Writes the changes of a source's files. Objects that refer to a file that is gone lose the reference. */
export async function saveChanges(
  write: Writer,
  source: number,
  { created, updated, removed }: FileChanges,
): Promise<void> {
  for (let start = 0; start < removed.length; start += BATCH_FILES) {
    await write.remove(dataFile, removed.slice(start, start + BATCH_FILES))
  }
  for (const batch of batchesOf(updated)) {
    await write.update(
      dataFile,
      batch.map(({ id, size, hash, data }) => ({ id, size, hash, data })),
    )
  }
  for (const batch of batchesOf(created)) {
    await write.create(
      dataFile,
      batch.map((file) => ({ ...file, source })),
    )
  }
}

function* batchesOf<T extends ChangedFile>(files: readonly T[]): Iterable<readonly T[]> {
  let batch: T[] = []
  let size = 0
  for (const file of files) {
    if (batch.length === BATCH_FILES || (batch.length > 0 && size > BATCH_CHARACTERS)) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(file)
    size += file.data.length
  }
  if (batch.length > 0) yield batch
}
