import { Command } from 'commander'
import { openCore } from '../app.ts'
import { makeSuperuser } from '../auth/superuser.ts'
import { readSettings } from '../config/settings.ts'

/** Makes one more superuser, or a superuser of a user. */
export const createSuperuserCommand = new Command('create-superuser')
  .description('make a superuser; the password comes from SUPERUSER_PASSWORD or is generated')
  .argument('<username>')
  .action(async (username: string) => {
    const settings = readSettings(process.env)
    const core = await openCore(settings, (sentence) => console.error(sentence))
    try {
      const { generated } = await core.service.database.transaction((transaction) =>
        makeSuperuser(transaction, {
          superuserName: username,
          superuserPassword: settings.superuserPassword,
        }),
      )
      console.log(`"${username}" is a superuser.`)
      if (generated !== undefined) console.log(`The password, shown only this once: ${generated}`)
    } finally {
      await core.close()
    }
  })
