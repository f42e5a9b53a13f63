import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../base/errors.ts'
import type { SystemUser } from './server-user.ts'

/** Name of the server's superuser, whom the service and its commands are. */
export const USER = 'cadastre'

/** File with the password: among the database's own files, so that it is copied with them and read by their user only. */
const fileOf = (directory: string): string => join(directory, 'cadastre.password')

/** The password of the server on the directory; empty if it has none yet. */
export const passwordOf = (directory: string): string =>
  existsSync(fileOf(directory)) ? readFileSync(fileOf(directory), 'utf8').trim() : ''

/** Runs a statement on a connection of its own, with the password of the file. Throws the driver's errors. */
type Ask = (text: string) => Promise<unknown>

/** PostgreSQL's code for a wrong password. */
const WRONG_PASSWORD = '28P01'
/** Milliseconds between two attempts to connect while the server reads its configuration. */
const CHECK_INTERVAL = 20

/** The password of a server, and which connections it accepts. */
export class ServerPassword {
  readonly #directory: string
  readonly #user: SystemUser | undefined

  constructor(directory: string, user: SystemUser | undefined) {
    this.#directory = directory
    this.#user = user
  }

  /** Lets the server accept only connections with the password, if there is one. To be called before it starts. */
  require(): void {
    this.#accept(passwordOf(this.#directory) === '' ? 'trust' : 'scram-sha-256')
  }

  /**
   * Makes the password of the file that of the running server: a new server has none, nor do those of earlier versions.
   * `reload` lets the server read its configuration.
   */
  async agree(ask: Ask, reload: () => void): Promise<void> {
    if (passwordOf(this.#directory) === '') this.#write(fileOf(this.#directory), randomBytes(32).toString('hex'))
    else if (await isAccepted(ask)) return
    // For this moment, and only for those who can enter the directory.
    this.#accept('trust')
    reload()
    while (!(await isAccepted(ask))) await sleep(CHECK_INTERVAL)
    await ask(`alter role ${USER} password '${passwordOf(this.#directory)}'`)
    this.#accept('scram-sha-256')
    reload()
  }

  #accept(method: 'trust' | 'scram-sha-256'): void {
    this.#write(join(this.#directory, 'pg_hba.conf'), `# Written at each start.\nlocal all all ${method}\n`)
  }

  #write(path: string, text: string): void {
    writeFileSync(path, text, { mode: 0o600 })
    if (this.#user) chownSync(path, this.#user.uid, this.#user.gid)
  }
}

/** False if the server refuses the password. Throws other errors of the driver. */
async function isAccepted(ask: Ask): Promise<boolean> {
  try {
    await ask('select 1')
    return true
  } catch (error) {
    if (codeOf(error) === WRONG_PASSWORD) return false
    throw error
  }
}
