import { Command } from 'commander'
import { pino } from 'pino'
import { auditLog } from '../auth/audit-log.ts'
import { type MadeSuperuser, makeSuperuser } from '../auth/superuser.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { openCore, superuserPasswordProblems } from '../core.ts'
import { ConfigurationError } from '../errors.ts'
import { warnOfUnknownSettings } from './unknown-settings.ts'

/** Creates a superuser, or makes an existing user a superuser with a new password. */
export const createSuperuserCommand = new Command('create-superuser')
  .description(
    'make a superuser, or give one a new password; it comes from SUPERUSER_PASSWORD or is generated',
  )
  .argument('<username>')
  .action(async (username: string) => {
    const settings = readSettings(process.env)
    const warn = (sentence: string) => console.error(sentence)
    warnOfUnknownSettings(warn)
    await checkPassword(username, settings)
    // The log goes to standard error, since a program may read standard output.
    const logger = pino({ level: settings.logLevel }, pino.destination(2))
    const core = await openCore(settings, warn, auditLog(logger))
    try {
      const superuser = await core.service.database.transaction((transaction) =>
        makeSuperuser(
          transaction,
          { superuserName: username, superuserPassword: settings.superuserPassword },
          'getsPassword',
        ),
      )
      core.audit({ event: 'superuserMade', user: username })
      console.log(reportOf(username, superuser))
    } finally {
      await core.close()
    }
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
