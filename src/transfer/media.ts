import { constants, existsSync, globSync, statSync } from 'node:fs'
import { copyFile, mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const MEDIA = 'media'

/** Files that were copied, and how to take that back. */
export interface CopiedMedia {
  readonly count: number
  undo(): Promise<void>
}

/** Copies the data set's files into the media directory; those that are there already stay as they are. */
export async function copyMedia(dataSet: string, directory: string): Promise<CopiedMedia> {
  const source = join(dataSet, MEDIA)
  const copied: string[] = []
  const undo = async () => {
    for (const path of copied) await rm(path, { force: true })
  }
  if (!existsSync(source)) return { count: 0, undo }
  try {
    for (const file of globSync('**/*', { cwd: source })) {
      const target = join(directory, file)
      if (!statSync(join(source, file)).isFile() || existsSync(target)) continue
      await mkdir(dirname(target), { recursive: true })
      await copyFile(join(source, file), target, constants.COPYFILE_EXCL)
      copied.push(target)
    }
  } catch (error) {
    await undo()
    throw error
  }
  return { count: copied.length, undo }
}
