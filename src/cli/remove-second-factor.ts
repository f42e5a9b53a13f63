import { Command } from 'commander'
import { removeFactor } from '../identity/second-factor.ts'
import { userNamed } from './accounts.ts'
import { warnOfUnknownSettings } from './unknown-settings.ts'
import { withCore } from './with-core.ts'

/** Removes the second factor of a user who has lost it. */
export const removeSecondFactorCommand = new Command('remove-second-factor')
  .description('Remove the second factor of a user who has lost both the app and the recovery codes.')
  .argument('<username>')
  .action(async (username: string) => {
    warnOfUnknownSettings((sentence) => console.error(sentence))
    await withCore(
      async (core) => {
        await removeFactor(core, await userNamed(core, username))
        console.log(`"${username}" has no second factor now.`)
      },
      { namesDatabase: true },
    )
  })
