import { randomUUID } from 'node:crypto'
import { text as readAll } from 'node:stream/consumers'
import type { Core } from '../app/core.ts'
import { ConfigurationError } from '../base/errors.ts'
import { SERVICE_ACTOR, type User } from '../identity/actor.ts'
import { generatedPassword } from '../identity/password.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import type { WriteContext } from '../write/context.ts'
import { runWrite } from '../write/run.ts'

/** The user that change records name. */
const actor: User = { ...SERVICE_ACTOR, username: 'command line' }

/** Changes objects as the API does: with its rules, change records and events. Throws ApiError. */
export const writeFromCommand = <T>({ service }: Core, work: (context: WriteContext) => Promise<T>): Promise<T> =>
  runWrite(service, { actor, requestId: randomUUID() }, work)

/** Id of the user with the name. Throws ConfigurationError if there is none. */
export async function userNamed({ service }: Core, username: string): Promise<number> {
  const [user] = await service.database.query<{ id: number }>(sql`
    select id from ${table(SYSTEM.user)} where lower(username) = lower(${username})`)
  if (!user) throw new ConfigurationError(`There is no user "${username}".`)
  return user.id
}

/** Options of the commands that set a password. */
export interface PasswordOptions {
  readonly passwordStdin?: true
}

export const PASSWORD_OPTION = ['--password-stdin', 'read the password from the standard input'] as const

/** A password, and whether it was generated and must be shown. */
export interface NewPassword {
  readonly password: string
  readonly isGenerated: boolean
}

/** The password from the standard input without its line end, or a generated one. */
export async function newPassword({ passwordStdin }: PasswordOptions): Promise<NewPassword> {
  if (!passwordStdin) return { password: generatedPassword(), isGenerated: true }
  return { password: (await readAll(process.stdin)).replace(/\r?\n$/, ''), isGenerated: false }
}
