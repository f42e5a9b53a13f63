import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { cannotRun } from './postgres-programs.ts'

/** Ids of a user of the operating system and of its group. */
export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

/**
 * The user who has to run the server on `directory`; undefined for the user of this process. PostgreSQL refuses to run
 * as root, so root runs it as the owner of the directory, which is `nobody` unless another user has created it.
 */
export function serverUser(directory: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(directory, { throwIfNoEntry: false })
  return owner !== undefined && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : nobody()
}

/** The user of that name, who has no privileges. Throws ConfigurationError if there is none. */
export const nobody = (): SystemUser => ({ uid: idOfNobody('-u'), gid: idOfNobody('-g') })

function idOfNobody(option: '-u' | '-g'): number {
  const { stdout } = spawnSync('id', [option, 'nobody'], { encoding: 'utf8' })
  const id = Number.parseInt(stdout ?? '', 10)
  if (Number.isNaN(id)) throw cannotRun('it refuses to run as root, and there is no user "nobody"')
  return id
}
