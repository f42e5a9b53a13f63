import { Command, InvalidArgumentError } from 'commander'
import { openCore } from '../src/app/core.ts'
import { ConfigurationError } from '../src/base/errors.ts'
import { readSettings } from '../src/config/settings.ts'
import { generateInventory } from './data/generate.ts'
import type { SizeOptions } from './data/sizes.ts'

// Fills the configured database with a generated inventory of any size, for measurements.

const program = new Command('generate')
  .description('adds a large generated inventory to the configured database (DATA_DIR, DATABASE_URL)')
  .option('--devices <number>', 'number of devices (default: 1000)', wholeNumber)
  .option('--interfaces <number>', 'number of interfaces (default: 10 per device)', wholeNumber)
  .option('--addresses <number>', 'number of addresses (default: 5 per device)', wholeNumber)
  .option('--prefixes <number>', 'number of prefixes (default: 1 per two devices)', wholeNumber)
  .option('--cables <number>', 'number of cables (default: as many as devices)', wholeNumber)
  .option('--seed <number>', 'the same seed gives the same inventory', wholeNumber, 1)
  .action(async (options: SizeOptions & { seed: number }) => {
    const core = await openCore(readSettings(process.env), (sentence) => console.error(sentence))
    try {
      const made = await generateInventory(core.service, options)
      const rows = [...made.values()].reduce((sum, count) => sum + count, 0)
      console.log(`${rows} objects created, ${made.get('dcim.device') ?? 0} of them devices.`)
    } finally {
      await core.close()
    }
  })

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('A whole number is expected.')
  return Number(text)
}

try {
  await program.parseAsync()
} catch (error) {
  console.error(error instanceof ConfigurationError ? error.message : error)
  process.exit(1)
}
