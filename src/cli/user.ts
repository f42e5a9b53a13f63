import { Command } from 'commander'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { createObjects } from '../write/create-objects.ts'
import { updateObjects } from '../write/update-objects.ts'
import {
  type NewPassword,
  newPassword,
  PASSWORD_OPTION,
  type PasswordOptions,
  userNamed,
  writeFromCommand,
} from './accounts.ts'
import { JSON_OPTION, printJson, printTable } from './output.ts'
import { withCore } from './with-core.ts'

const tell = (sentence: string, { password, isGenerated }: NewPassword): void => {
  console.log(sentence)
  if (isGenerated) console.log(`The password, shown only this once: ${password}`)
}

const create = new Command('create')
  .description(
    'Create a user. The password is generated, unless you pass it on the standard input. For superusers, use create-superuser.',
  )
  .argument('<username>')
  .option('--email <address>', 'e-mail address', '')
  .option(...PASSWORD_OPTION)
  .action(async (username: string, options: PasswordOptions & { readonly email: string }) => {
    const chosen = await newPassword(options)
    await withCore(
      async (core) => {
        const body = { username, email: options.email, password: chosen.password }
        await writeFromCommand(core, (context) =>
          createObjects(context, core.service.registry.model(SYSTEM.user), [body], { bulk: false }),
        )
        tell(`"${username}" is a user, and may do nothing without a permission.`, chosen)
      },
      { namesDatabase: true },
    )
  })

const password = new Command('password')
  .description('Set a new password for a user. It is generated, unless you pass it on the standard input.')
  .argument('<username>')
  .option(...PASSWORD_OPTION)
  .action(async (username: string, options: PasswordOptions) => {
    const chosen = await newPassword(options)
    await withCore(
      async (core) => {
        const target = { id: await userNamed(core, username), body: { password: chosen.password } }
        await writeFromCommand(core, (context) =>
          updateObjects(context, core.service.registry.model(SYSTEM.user), [target], { partial: true, bulk: false }),
        )
        tell(`"${username}" has a new password.`, chosen)
      },
      { namesDatabase: true },
    )
  })

interface UserRow {
  readonly username: string
  readonly email: string
  readonly active: boolean
  readonly superuser: boolean
  readonly last_login: string | null
}

const list = new Command('list')
  .description('List the users.')
  .option(...JSON_OPTION)
  .action(({ json }: { readonly json?: true }) =>
    withCore(async ({ service }) => {
      const users = await service.database.query<UserRow & Record<string, unknown>>(sql`
        select username, email, is_active as active, is_superuser as superuser, last_login
        from ${table(SYSTEM.user)} order by username`)
      if (json) return printJson(users)
      const stateOf = ({ active, superuser }: UserRow): string =>
        [superuser ? 'superuser' : '', active ? '' : 'inactive'].filter(Boolean).join(', ')
      printTable(
        ['USER', 'E-MAIL', 'STATE', 'LAST LOGIN'],
        users.map((user) => [user.username, user.email, stateOf(user), user.last_login ?? 'never']),
      )
    }),
  )

/** Adds users, lists them and changes their passwords. */
export const userCommand = new Command('user')
  .description('Create and list users, and set passwords.')
  .addCommand(create)
  .addCommand(list)
  .addCommand(password)
