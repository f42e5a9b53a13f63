import { Command, InvalidArgumentError } from 'commander'
import { openCore } from '../app.ts'
import { readSettings } from '../config/settings.ts'
import { generateInventory } from '../transfer/generate/generate.ts'

/** Fills the database with a made-up inventory of any size, to see how the service behaves with it. */
export const generateCommand = new Command('generate')
  .description('add a large made-up inventory: sites, racks, devices with interfaces, addresses')
  .option('--devices <number>', 'number of devices', wholeNumber, 1000)
  .option('--interfaces <number>', 'interfaces of each device', wholeNumber, 4)
  .option('--seed <number>', 'the same seed makes the same inventory', wholeNumber, 1)
  .action(async (options: { devices: number; interfaces: number; seed: number }) => {
    const core = await openCore(readSettings(process.env), (sentence) => console.error(sentence))
    try {
      const made = await generateInventory(core.service, options)
      const rows = [...made.values()].reduce((sum, count) => sum + count, 0)
      console.log(`${rows} objects made, ${made.get('dcim.device') ?? 0} of them devices.`)
    } finally {
      await core.close()
    }
  })

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('A whole number is expected.')
  return Number(text)
}
