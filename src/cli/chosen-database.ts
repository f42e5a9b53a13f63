import { existsSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { ConfigurationError, codeOf } from '../base/errors.ts'
import type { Settings } from '../config/settings.ts'
import { clusterDirectory, hasCluster, refuseFormerDatabase } from '../db/embedded/cluster-directory.ts'

type Place = Pick<Settings, 'dataDir' | 'databaseUrl'>

/** The configured database in readable form: without user and password. */
export function databaseText({ dataDir, databaseUrl }: Place): string {
  if (databaseUrl !== undefined) {
    const [, address = 'DATABASE_URL'] = /^[^:]+:\/\/(?:[^/]*@)?([^?]*)/.exec(databaseUrl) ?? []
    return `PostgreSQL at ${address}`
  }
  return `PostgreSQL in ${resolve(dataDir)}`
}

/**
 * Throws ConfigurationError if DATA_DIR has no database, because opening it would create one. `isNew`: the value of the
 * option `--new`, for commands that have it. These commands also create a database in a DATA_DIR that the environment
 * sets.
 */
export function requireDatabase(
  { dataDir, databaseUrl, given }: Place & Pick<Settings, 'given'>,
  isNew?: boolean,
): void {
  if (databaseUrl !== undefined) return
  refuseFormerDatabase(dataDir)
  if (isNew || (isNew === false && given.has('DATA_DIR')) || hasCluster(dataDir)) return
  const advice = isNew === undefined ? '' : ', or make one here with --new'
  throw new ConfigurationError(
    `There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL as they are for the service${advice}.`,
  )
}

/** Text of the option `--new`. */
export const NEW_OPTION = ['--new', 'create the database if it does not exist'] as const

/**
 * Makes a command of root run as the user who owns the data: files created by root would keep the service from
 * starting. Throws ConfigurationError for any other user who does not own the database in DATA_DIR.
 */
export function becomeOwnerOfData({ dataDir, databaseUrl }: Place): void {
  const { getuid, setuid, setgid, setgroups } = process
  if (!getuid || !setuid || !setgid || !setgroups || !existsSync(dataDir)) return
  const user = getuid()
  // A server of DATABASE_URL manages its files itself, and a directory may be shared by a group.
  const directory = user === 0 || databaseUrl !== undefined ? dataDir : clusterDirectory(dataDir)
  const owner = ownerOf(directory)
  if (!owner || owner.uid === user) return
  const { uid, gid } = owner
  const owned = `${resolve(owner.of)} belongs to the user with the id ${uid}`
  if (user !== 0) {
    if (databaseUrl !== undefined) return
    throw new ConfigurationError(`${owned}: run this command as that user, or as root.`)
  }
  try {
    setgroups([])
    setgid(gid)
    setuid(uid)
  } catch (error) {
    throw new ConfigurationError(
      `${owned}, and this process may not run as that user (${error}): run this command as that user.`,
    )
  }
}

interface Owner {
  /** The directory that they own. */
  readonly of: string
  readonly uid: number
  readonly gid: number
}

/** The owner of the directory, or of the one above if this user may not look into that; undefined without a directory. */
function ownerOf(directory: string): Owner | undefined {
  try {
    const status = statSync(directory, { throwIfNoEntry: false })
    return status && { of: directory, uid: status.uid, gid: status.gid }
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error
    const above = dirname(directory)
    const { uid, gid } = statSync(above)
    return { of: above, uid, gid }
  }
}
