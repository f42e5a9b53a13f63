import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Settings } from '../config/settings.ts'
import { ConfigurationError } from '../errors.ts'

type Place = Pick<Settings, 'dataDir' | 'databaseUrl'>

/** The configured database in readable form: without user and password. */
export function databaseText({ dataDir, databaseUrl }: Place): string {
  if (databaseUrl !== undefined) {
    const [, address = 'DATABASE_URL'] = /^[^:]+:\/\/(?:[^/]*@)?([^?]*)/.exec(databaseUrl) ?? []
    return `PostgreSQL at ${address}`
  }
  return dataDir === 'memory://' ? dataDir : `embedded, in ${resolve(dataDir)}`
}

/**
 * Throws ConfigurationError if there is no embedded database, because opening it would create one. `isNew`: the value
 * of the option `--new`, for commands that have it. These commands also create a database in a DATA_DIR that the
 * environment sets.
 */
export function requireDatabase(
  { dataDir, databaseUrl, given }: Place & Pick<Settings, 'given'>,
  isNew?: boolean,
): void {
  if (databaseUrl !== undefined || dataDir === 'memory://') return
  if (isNew || (isNew === false && given.has('DATA_DIR'))) return
  if (existsSync(join(dataDir, 'database'))) return
  const advice = isNew === undefined ? '' : ', or make one here with --new'
  throw new ConfigurationError(
    `There is no database in ${dataDir}: set DATA_DIR or DATABASE_URL as they are for the service${advice}.`,
  )
}

/** Text of the option `--new`. */
export const NEW_OPTION = ['--new', 'make the database where there is none'] as const

/**
 * Makes a command of root run as the user who owns the data: files created by root would keep the service from
 * starting. Throws ConfigurationError for any other user who does not own the embedded database.
 */
export function becomeOwnerOfData({ dataDir, databaseUrl }: Place): void {
  const { getuid, setuid, setgid, setgroups } = process
  if (dataDir === 'memory://' || !getuid || !setuid || !setgid || !setgroups) return
  const directory = [join(dataDir, 'database'), dataDir].find((path) => existsSync(path))
  if (directory === undefined) return
  const { uid, gid } = statSync(directory)
  const user = getuid()
  if (uid === user) return
  if (user !== 0) {
    // A server manages its files itself, and a directory may be shared by a group.
    if (databaseUrl !== undefined || directory === dataDir) return
    throw new ConfigurationError(
      `${resolve(directory)} belongs to the user with the id ${uid}: run this command as that user, or as root.`,
    )
  }
  try {
    setgroups([])
    setgid(gid)
    setuid(uid)
  } catch (error) {
    throw new ConfigurationError(
      `${resolve(directory)} belongs to the user with the id ${uid}, and this process may not run as that user (${error}): run this command as that user.`,
    )
  }
}
