import { Command, InvalidArgumentError, Option } from 'commander'
import { generateSecret } from '../identity/vault.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { empty, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { createObjects } from '../write/create-objects.ts'
import { deleteObjects } from '../write/remove/delete-objects.ts'
import { userNamed, writeFromCommand } from './accounts.ts'
import { JSON_OPTION, printJson, printTable } from './output.ts'
import { withCore } from './with-core.ts'

interface CreateOptions {
  readonly description: string
  readonly readOnly?: boolean
  readonly expires?: string | null
  readonly v1?: true
  readonly json?: true
}

/** A time that the API reads: a date counts from its beginning in UTC. */
function timeOf(text: string): string {
  if (Number.isNaN(Date.parse(text))) throw new InvalidArgumentError('Enter a date or a time, such as 2027-12-31.')
  return new Date(text).toISOString()
}

const create = new Command('create')
  .description('Create a token for a user and print it. It is shown only once.')
  .argument('<username>')
  .option('--description <text>', 'what the token is for', '')
  .option('--read-only', 'allow reads only')
  .addOption(new Option('--expires <time>', 'date or time at which it expires').argParser(timeOf))
  .option('--v1', 'create a token of version 1, for older clients')
  .option(...JSON_OPTION)
  .action((username: string, { description, readOnly = false, expires = null, v1, json }: CreateOptions) =>
    withCore(async (core) => {
      const { database, registry } = core.service
      const version = v1 ? 1 : 2
      const secret = generateSecret(version)
      const user = await userNamed(core, username)
      const body = { user, version, key: secret, description, expires, write_enabled: !readOnly }
      const [id] = await writeFromCommand(core, (context) =>
        createObjects(context, registry.model(SYSTEM.token), [body], { bulk: false }),
      )
      const [stored] = await database.query<{ key: string | null }>(sql`
        select key from ${table(SYSTEM.token)} where id = ${id}::bigint`)
      const token = version === 2 ? `nbt_${stored?.key}.${secret}` : secret
      if (json) return printJson({ id, user: username, token })
      // The token alone, so that a script can take it; the rest is for people.
      console.error(`Token ${id} of "${username}", shown only this once:`)
      console.log(token)
    }),
  )

interface TokenRow extends Record<string, unknown> {
  readonly id: number
  readonly user: string
  readonly version: number
  readonly name: string
  readonly description: string
  readonly write_enabled: boolean
  readonly enabled: boolean
  readonly expires: string | null
  readonly last_used: string | null
}

const list = new Command('list')
  .description('List the tokens of all users, or of one.')
  .argument('[username]')
  .option(...JSON_OPTION)
  .action((username: string | undefined, { json }: { readonly json?: true }) =>
    withCore(async (core) => {
      const only = username === undefined ? empty : sql`where t.user_id = ${await userNamed(core, username)}::bigint`
      const tokens = await core.service.database.query<TokenRow>(sql`
        select t.id, u.username as user, t.version, case t.version when 2 then t.key else '…' || t._ending end as name,
          t.description, t.write_enabled, t.enabled, t.expires, t.last_used
        from ${table(SYSTEM.token)} t join ${table(SYSTEM.user)} u on u.id = t.user_id ${only}
        order by u.username, t.id`)
      if (json) return printJson(tokens)
      const stateOf = ({ write_enabled: mayWrite, enabled }: TokenRow): string =>
        [mayWrite ? '' : 'read only', enabled ? '' : 'disabled'].filter(Boolean).join(', ')
      printTable(
        ['ID', 'USER', 'TOKEN', 'STATE', 'EXPIRES', 'LAST USED', 'DESCRIPTION'],
        tokens.map((token) => [
          String(token.id),
          token.user,
          `v${token.version} ${token.name}`,
          stateOf(token),
          token.expires ?? 'never',
          token.last_used ?? 'never',
          token.description,
        ]),
      )
    }),
  )

function tokenId(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new InvalidArgumentError('Enter the id that "token list" shows.')
  return Number(text)
}

const revoke = new Command('revoke')
  .description('Delete a token, so that it is refused from now on.')
  .argument('<id>', 'as "token list" shows it', tokenId)
  .action((id: number) =>
    withCore(async (core) => {
      await writeFromCommand(core, (context) =>
        deleteObjects(context, core.service.registry.model(SYSTEM.token), [{ id }], { bulk: false }),
      )
      console.log(`Token ${id} is revoked.`)
    }),
  )

/** Creates, lists and revokes tokens. */
export const tokenCommand = new Command('token')
  .description('Create, list and revoke API tokens.')
  .addCommand(create)
  .addCommand(list)
  .addCommand(revoke)
