import { Command } from 'commander'
import { openCore } from '../app/core.ts'
import { ConfigurationError } from '../base/errors.ts'
import { readSettings } from '../config/settings.ts'
import { removeFactor } from '../identity/second-factor.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { databaseText, requireDatabase } from './chosen-database.ts'
import { warnOfUnknownSettings } from './unknown-settings.ts'

/** Removes the second factor of a user who has lost it. */
export const removeSecondFactorCommand = new Command('remove-second-factor')
  .description('remove the second factor of a user who has lost the application and the recovery codes')
  .argument('<username>')
  .action(async (username: string) => {
    const settings = readSettings(process.env)
    const warn = (sentence: string) => console.error(sentence)
    warnOfUnknownSettings(warn)
    requireDatabase(settings)
    console.error(`Database: ${databaseText(settings)}.`)
    const core = await openCore(settings, warn)
    try {
      const [user] = await core.service.database.query<{ id: number }>(sql`
        select id from ${table(SYSTEM.user)} where lower(username) = lower(${username})`)
      if (!user) throw new ConfigurationError(`There is no user "${username}".`)
      await removeFactor(core, user.id)
      console.log(`"${username}" has no second factor now.`)
    } finally {
      await core.close()
    }
  })
