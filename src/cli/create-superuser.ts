import { Command } from 'commander'
import { pino } from 'pino'
import { openCore } from '../app.ts'
import { auditLog } from '../auth/audit-log.ts'
import { makeSuperuser } from '../auth/superuser.ts'
import { readSettings } from '../config/settings.ts'

/** Makes one more superuser, or a superuser of a user, whose password is then a new one. */
export const createSuperuserCommand = new Command('create-superuser')
  .description(
    'make a superuser, or give one a new password; it comes from SUPERUSER_PASSWORD or is generated',
  )
  .argument('<username>')
  .action(async (username: string) => {
    const settings = readSettings(process.env)
    // The log goes to the other stream: what is printed may be read by a program.
    const logger = pino({ level: settings.logLevel }, pino.destination(2))
    const warn = (sentence: string) => console.error(sentence)
    const core = await openCore(settings, warn, auditLog(logger))
    try {
      const { generated } = await core.service.database.transaction((transaction) =>
        makeSuperuser(
          transaction,
          { superuserName: username, superuserPassword: settings.superuserPassword },
          'getsPassword',
        ),
      )
      core.audit({ event: 'superuserMade', user: username })
      console.log(`"${username}" is a superuser.`)
      if (generated !== undefined) console.log(`The password, shown only this once: ${generated}`)
    } finally {
      await core.close()
    }
  })
