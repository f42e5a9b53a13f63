import { Command } from 'commander'
import { superuserPasswordProblems } from '../app/core.ts'
import { ConfigurationError } from '../base/errors.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { type MadeSuperuser, makeSuperuser } from '../identity/superuser.ts'
import { NEW_OPTION } from './chosen-database.ts'
import { warnOfUnknownSettings } from './unknown-settings.ts'
import { withCore } from './with-core.ts'

/** Creates a superuser, or makes an existing user a superuser with a new password. */
export const createSuperuserCommand = new Command('create-superuser')
  .description('Create a superuser, or set a new password for one: SUPERUSER_PASSWORD, or a generated one.')
  .argument('<username>')
  .option(...NEW_OPTION)
  .action(async (username: string, options: { readonly new?: true }) => {
    const settings = readSettings(process.env)
    warnOfUnknownSettings((sentence) => console.error(sentence))
    await checkPassword(username, settings)
    const { superuserPassword } = settings
    await withCore(
      async ({ service }) => {
        const superuser = await service.database.transaction((transaction) =>
          makeSuperuser(transaction, { superuserName: username, superuserPassword }, 'getsPassword'),
        )
        console.log(reportOf(username, superuser))
      },
      { isNew: options.new === true, namesDatabase: true },
    )
  })

async function checkPassword(username: string, settings: Settings): Promise<void> {
  if (settings.superuserPassword === undefined) return
  const problems = await superuserPasswordProblems(settings.superuserPassword, username, settings)
  if (problems.length === 0) return
  throw new ConfigurationError(
    `SUPERUSER_PASSWORD breaks the password rules: ${problems.join(' ')} Leave it out to have one generated.`,
  )
}

function reportOf(username: string, { existed, source, password }: MadeSuperuser): string {
  const first = existed
    ? `"${username}" existed already: the password was changed, and the user is a superuser.`
    : `"${username}" is a superuser.`
  const second =
    source === 'generated'
      ? `The password, shown only this once: ${password}`
      : 'The password is that of SUPERUSER_PASSWORD.'
  return `${first}\n${second}`
}
