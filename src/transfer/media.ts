import { createHash } from 'node:crypto'
import type { MediaStore } from '../write/media/media-store.ts'

/** Directory of a data set with files. */
export const MEDIA = 'media'

/** Copied files, and a way to undo the copy. */
interface CopiedMedia {
  readonly count: number
  /** Paths here of files whose path belongs to another file here. */
  readonly renamed: ReadonlyMap<string, string>
  undo(): Promise<void>
}

/**
 * Copies all files from one store to another. Existing files are not changed: a file with the path of another one gets
 * a name with a part of its hash, the same for each import. `isTrial`: only says what would be copied.
 */
export async function copyMedia({
  from,
  to,
  isTrial = false,
}: Readonly<Record<'from' | 'to', MediaStore>> & { readonly isTrial?: boolean }): Promise<CopiedMedia> {
  const copied: string[] = []
  const renamed = new Map<string, string>()
  const store = async (path: string, bytes: Buffer): Promise<boolean> => {
    if (isTrial ? await to.has(path) : !(await to.write(path, bytes, false))) return false
    copied.push(path)
    return true
  }
  const undo = async () => {
    for (const path of isTrial ? [] : copied) await to.remove(path)
  }
  try {
    for (const path of await from.list()) {
      const bytes = await from.read(path)
      if (!bytes || (await store(path, bytes))) continue
      if ((await to.read(path))?.equals(bytes)) continue
      const name = pathWithHash(path, bytes)
      renamed.set(path, name)
      await store(name, bytes)
    }
  } catch (error) {
    await undo()
    throw error
  }
  return { count: copied.length, renamed, undo }
}

/** `racks/a.png` becomes `racks/a_1f3870be27.png`. */
function pathWithHash(path: string, bytes: Buffer): string {
  const part = createHash('sha256').update(bytes).digest('hex').slice(0, 10)
  return path.replace(/(\.[^./]*)?$/, (ending) => `_${part}${ending}`)
}
