import { spawnSync } from 'node:child_process'
import { lchownSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { cannotRun } from './postgres-programs.ts'

/** Ids of a user of the operating system and of its group. */
export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/**
 * The user of the server if root runs the service. Nobody else has it, unlike `nobody`: whoever has the server's user
 * can read its files. It lies in the range that systemd leaves unused.
 */
const DATABASE_USER: SystemUser = { uid: 60_602, gid: 60_602 }

/**
 * The user who has to run the server on `directory`; undefined for the user of this process. PostgreSQL refuses to run
 * as root, so root runs it as the owner of the directory, if that is a user of its own.
 */
export function serverUser(directory: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(directory, { throwIfNoEntry: false })
  const isOwn = owner !== undefined && owner.uid !== 0 && owner.uid !== nobody().uid
  return isOwn ? { uid: owner.uid, gid: owner.gid } : DATABASE_USER
}

/** Gives a directory and everything in it to the user; the directory itself last, so that this can be repeated. */
export function giveTo({ uid, gid }: SystemUser, directory: string): void {
  for (const name of readdirSync(directory, { recursive: true })) lchownSync(join(directory, String(name)), uid, gid)
  lchownSync(directory, uid, gid)
}

/** The user of that name, who has no privileges. Throws ConfigurationError if there is none. */
export const nobody = (): SystemUser => ({ uid: idOfNobody('-u'), gid: idOfNobody('-g') })

function idOfNobody(option: '-u' | '-g'): number {
  const { stdout } = spawnSync('id', [option, 'nobody'], { encoding: 'utf8' })
  const id = Number.parseInt(stdout ?? '', 10)
  if (Number.isNaN(id)) throw cannotRun('it refuses to run as root, and there is no user "nobody"')
  return id
}
