import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigurationError, codeOf } from '../base/errors.ts'
import { isBucket } from '../base/s3.ts'
import type { Settings } from './settings.ts'

/**
 * One sentence that says why DATA_DIR cannot be used: it is a file, or it cannot be written or created. Undefined if it
 * can be used. Changes nothing.
 */
export function dataDirectoryProblem(dataDir: string, setting = 'DATA_DIR'): string | undefined {
  const directory = resolve(dataDir)
  const nearest = nearestExisting(directory)
  const why = whyNotWritable(nearest)
  if (nearest === directory) {
    return why && `${setting} cannot be used: ${why}.`
  }
  return why && cannotBeMade(setting, directory, why)
}

/** One sentence that says why uploaded files cannot be stored; undefined if their directory shows no reason. */
export function uploadProblem({ dataDir, mediaRoot }: Pick<Settings, 'dataDir' | 'mediaRoot'>): string | undefined {
  if (isBucket(mediaRoot ?? '')) return undefined
  const problem = dataDirectoryProblem(mediaRoot ?? dataDir, mediaRoot === undefined ? 'DATA_DIR' : 'MEDIA_ROOT')
  return problem && `${problem} Files cannot be uploaded.`
}

/** Creates DATA_DIR if it does not exist. Throws ConfigurationError with one sentence. */
export function makeDataDirectory(dataDir: string): void {
  const problem = dataDirectoryProblem(dataDir)
  if (problem !== undefined) throw new ConfigurationError(problem)
  makeDirectories(resolve(dataDir))
}

/** One level at a time: the recursive form never returns in places such as /proc. */
function makeDirectories(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return
  makeDirectories(dirname(directory))
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    // Another process of the service may have created it in the meantime.
    if (codeOf(error) === 'EEXIST') return
    throw new ConfigurationError(cannotBeMade('DATA_DIR', directory, whyOf(error)))
  }
}

const cannotBeMade = (setting: string, directory: string, why: string): string =>
  `${setting} cannot be used: ${directory} cannot be made (${why}).`

/** The path itself or the closest directory above it that exists. */
function nearestExisting(path: string): string {
  try {
    statSync(path)
    return path
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && dirname(path) !== path) return nearestExisting(dirname(path))
    // ENOTDIR: a file has the name of a directory on the path; the search ends at that file.
    if (codeOf(error) === 'ENOTDIR') return nearestExisting(dirname(path))
    return path
  }
}

function whyNotWritable(path: string): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return `${path} is not a directory`
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return codeOf(error) === 'EROFS'
      ? `${path} is on a read-only file system`
      : `${path} cannot be written by this user`
  }
}

const whyOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
