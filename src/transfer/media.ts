import { constants, existsSync, globSync, statSync } from 'node:fs'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Directory of a data set with files. */
export const MEDIA = 'media'

/** Copied files, and a way to undo the copy. */
export interface CopiedMedia {
  readonly count: number
  undo(): Promise<void>
}

/** Copies all files from one directory to another; existing files are not changed. */
export async function copyMedia({ from, to }: { readonly from: string; readonly to: string }): Promise<CopiedMedia> {
  const copied: string[] = []
  const undo = async () => {
    for (const path of copied) await rm(path, { force: true })
  }
  if (!existsSync(from)) return { count: 0, undo }
  try {
    for (const file of globSync('**/*', { cwd: from })) {
      const target = join(to, file)
      if (!statSync(join(from, file)).isFile() || existsSync(target)) continue
      await mkdir(dirname(target), { recursive: true })
      await copyFile(join(from, file), target, constants.COPYFILE_EXCL)
      copied.push(target)
    }
  } catch (error) {
    await undo()
    throw error
  }
  return { count: copied.length, undo }
}
