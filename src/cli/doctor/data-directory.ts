import { accessSync, constants, existsSync, lstatSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isBucket } from '../../base/s3.ts'
import { dataDirectoryProblem } from '../../config/data-directory.ts'
import type { Settings } from '../../config/settings.ts'
import { clusterDirectory } from '../../db/embedded/cluster-directory.ts'
import { secretsFile } from '../../transfer/backup/existing-secrets.ts'
import { mediaPlace } from '../../write/media/media-store.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const MEBIBYTE = 1024 ** 2
/** Recommended and minimum free space, in bytes. */
const ENOUGH = 1024 * MEBIBYTE
const LEAST = 100 * MEBIBYTE

/** Checks permissions and free space of the directory with data, uploaded files and secrets. */
export function checkDataDirectory(settings: Settings): readonly Finding[] {
  const { dataDir } = settings
  const unusable = dataDirectoryProblem(dataDir)
  if (unusable !== undefined) {
    const advice = 'Give it to the user of the service (chown, chmod 700), or name another directory.'
    return [problem('data directory', unusable, advice)]
  }
  const directory = resolve(dataDir)
  const media = mediaPlace(settings)
  return [
    ...checkRights('data directory', directory, '700'),
    ...(isBucket(media) ? [] : checkRights('media directory', resolve(media), '750')),
    ...checkOwners(directory),
    ...checkSecrets(secretsFile(directory)),
    checkRoom(nearestDirectory(directory)),
  ]
}

function checkRights(subject: string, directory: string, mode: string): readonly Finding[] {
  if (!existsSync(directory)) return [ok(subject, `${directory} will be created when it is needed.`)]
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    const text = `${directory} cannot be written by this user.`
    return [problem(subject, text, `Run chown on it for the user of the service, and chmod ${mode}.`)]
  }
  if ((statSync(directory).mode & 0o002) === 0) return [ok(subject, `${directory} is writable, but not by everybody.`)]
  return [warning(subject, `Everybody may write to ${directory}.`, `Run chmod ${mode} on it.`)]
}

/** Maximum number of files that are named. */
const NAMED = 5

/**
 * Files that do not belong to the directory's owner, such as those created by a command of root: they prevent the
 * service from starting. The files of the database server have an owner of their own if the service runs as root.
 */
function checkOwners(directory: string): readonly Finding[] {
  if (!existsSync(directory)) return []
  const cluster = clusterDirectory(directory)
  const files = [...strangersIn(directory, cluster), ...strangersIn(cluster)]
  if (files.length === 0) return [ok('owner', `All files in ${directory} have the right owner.`)]
  const more = files.length > NAMED ? ` and ${files.length - NAMED} others` : ''
  return [
    problem(
      'owner',
      `${files.slice(0, NAMED).join(', ')}${more} do not belong to the owner of the directory.`,
      'Run chown --reference=<their directory> on them as root.',
    ),
  ]
}

/** Files in the directory that do not belong to its owner, except those below `apart`. */
function strangersIn(directory: string, apart?: string): readonly string[] {
  const owner = statSync(directory, { throwIfNoEntry: false })?.uid
  if (owner === undefined) return []
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => path !== apart && !path.startsWith(`${apart}/`))
    .filter((path) => (lstatSync(path, { throwIfNoEntry: false })?.uid ?? owner) !== owner)
}

function checkSecrets(file: string): readonly Finding[] {
  if (!existsSync(file)) return []
  if ((statSync(file).mode & 0o077) === 0) {
    return [ok('secrets', `Only its owner can read ${file}.`)]
  }
  return [problem('secrets', `Other users may read ${file}.`, 'Run chmod 600 on it.')]
}

function checkRoom(directory: string): Finding {
  const { bavail, bsize } = statfsSync(directory)
  const free = bavail * bsize
  const text = `${Math.floor(free / MEBIBYTE)} MiB are free at ${directory}.`
  const advice = 'Make room before the disk is full: writes are refused then.'
  if (free < LEAST) return problem('disk', text, advice)
  return free < ENOUGH ? warning('disk', text, advice) : ok('disk', text)
}

const nearestDirectory = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestDirectory(dirname(path))
