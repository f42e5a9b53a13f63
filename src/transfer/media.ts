import type { MediaStore } from '../write/media/media-store.ts'

/** Directory of a data set with files. */
export const MEDIA = 'media'

/** Copied files, and a way to undo the copy. */
interface CopiedMedia {
  readonly count: number
  undo(): Promise<void>
}

/** Copies all files from one store to another; existing files are not changed. */
export async function copyMedia({ from, to }: Readonly<Record<'from' | 'to', MediaStore>>): Promise<CopiedMedia> {
  const copied: string[] = []
  const undo = async () => {
    for (const path of copied) await to.remove(path)
  }
  try {
    for (const path of await from.list()) {
      const bytes = await from.read(path)
      if (bytes && (await to.write(path, bytes, false))) copied.push(path)
    }
  } catch (error) {
    await undo()
    throw error
  }
  return { count: copied.length, undo }
}
