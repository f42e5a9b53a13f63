import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Path of a Chromium: the one in CHROMIUM, otherwise the first on the path; undefined if there is none. */
export const CHROMIUM: string | undefined = process.env.CHROMIUM ?? findOnPath()

function findOnPath(): string | undefined {
  const directories = (process.env.PATH ?? '').split(delimiter)
  return NAMES.flatMap((name) => directories.map((directory) => join(directory, name))).find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
