import { lchownSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresPrograms, postgresPrograms } from '../../src/db/embedded/postgres-programs.ts'
import { nobody, type SystemUser } from '../../src/db/embedded/server-user.ts'

/** PostgreSQL's programs, and the user that runs them; undefined: the user that runs the tests. */
export interface TestPrograms extends PostgresPrograms {
  readonly user: SystemUser | undefined
}

/** The programs that the service uses too. PostgreSQL refuses to run as root, so root runs them as an unprivileged user. */
export function testPrograms(): TestPrograms {
  const user = process.getuid?.() === 0 ? nobody() : undefined
  return { ...postgresPrograms(user), user }
}

/** Makes the user the owner of a directory and everything in it. */
export function giveTo({ uid, gid }: SystemUser, directory: string): void {
  lchownSync(directory, uid, gid)
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(directory, path), uid, gid)
  }
}
