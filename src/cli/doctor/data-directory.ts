import { accessSync, constants, existsSync, lstatSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { dataDirectoryProblem } from '../../config/data-directory.ts'
import type { Settings } from '../../config/settings.ts'
import { isBucket } from '../../s3.ts'
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
  if (dataDir === 'memory://') return []
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
  const others = process.platform === 'win32' ? 0 : statSync(directory).mode & 0o002
  if (others === 0) return [ok(subject, `${directory} is writable, but not by everybody.`)]
  return [warning(subject, `Everybody may write to ${directory}.`, `Run chmod ${mode} on it.`)]
}

/** Maximum number of files that are named. */
const NAMED = 5

/**
 * Files that do not belong to the directory's owner, such as those created by a command of root: they prevent the
 * service from starting.
 */
function checkOwners(directory: string): readonly Finding[] {
  if (process.platform === 'win32' || !existsSync(directory)) return []
  const { uid } = statSync(directory)
  const strange: string[] = []
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const path = join(directory, name)
    if (lstatSync(path, { throwIfNoEntry: false })?.uid !== uid) strange.push(path)
  }
  if (strange.length === 0) return [ok('owner', `All files in ${directory} have one owner.`)]
  const more = strange.length > NAMED ? ` and ${strange.length - NAMED} others` : ''
  return [
    problem(
      'owner',
      `${strange.slice(0, NAMED).join(', ')}${more} do not belong to the owner of ${directory}.`,
      `Run chown -R --reference=${directory} ${directory} as root.`,
    ),
  ]
}

function checkSecrets(file: string | undefined): readonly Finding[] {
  if (file === undefined || !existsSync(file) || process.platform === 'win32') return []
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
