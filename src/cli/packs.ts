import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { readPack } from '../app/plugins/catalogue.ts'
import { runPackCommand } from '../app/plugins/pack-jobs.ts'
import { ConfigurationError } from '../base/errors.ts'
import type { JsonObject } from '../schema/json.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { switchPacks } from '../transfer/switch-packs.ts'
import { JSON_OPTION, printJson, printTable } from './output.ts'
import { withCore } from './with-core.ts'

interface ListedPack extends Record<string, unknown> {
  readonly name: string
  readonly enabled: boolean
  readonly version: string
  readonly label: string
  readonly description: string
  readonly adds: JsonObject
  readonly problem: string
}

const listedPacks = ({ database }: Service): Promise<readonly ListedPack[]> =>
  database.query<ListedPack>(
    sql`select name, enabled, version, label, description, adds, problem from ${table(SYSTEM.pack)} order by name`,
  )

/** Lists packs, and switches them on and off. */
export const packsCommand = new Command('packs')
  .description('List the packs with further kinds of objects, or switch one on or off.')
  .option(...JSON_OPTION)
  .action(({ json }: { readonly json?: true }) =>
    withCore(async ({ service }) => {
      const packs = await listedPacks(service)
      if (json) printJson(packs)
      else {
        printTable(
          ['name', 'state', 'version', 'label'],
          packs.map(({ name, enabled, version, label }) => [name, enabled ? 'on' : 'off', version, label]),
        )
      }
    }),
  )
  .addCommand(
    new Command('show')
      .description('Show what a pack adds.')
      .argument('<name>')
      .action((name: string) =>
        withCore(async ({ service }) => {
          printJson(packNamed(await listedPacks(service), name))
        }),
      ),
  )
  .addCommand(switching('on', true))
  .addCommand(switching('off', false))
  .addCommand(
    new Command('run')
      .description('Run a command of a pack.')
      .argument('<pack>')
      .argument('<command>')
      .argument('[words...]', 'arguments of the command')
      .action((pack: string, command: string, words: readonly string[]) =>
        withCore(async ({ service, application }) => {
          await runPackCommand(application, service, [pack, command, ...words])
        }),
      ),
  )
  .addCommand(
    new Command('add')
      .description('Add a pack of your own, or change one, and switch it on.')
      .argument('<file>', 'its pack.yaml')
      .action((file: string) =>
        withCore(async ({ service }) => {
          const document = readPack(file, readFileSync(file, 'utf8'))
          await switchPacks(service, [{ name: document.name, enabled: true, document }])
          console.log(`The pack ${document.name} is on.`)
        }),
      ),
  )

/** A command that switches packs on or off. */
function switching(word: 'on' | 'off', enabled: boolean): Command {
  return new Command(word)
    .description(enabled ? 'Switch packs on.' : 'Switch packs off; their data is kept.')
    .argument('<names...>')
    .action((names: readonly string[]) =>
      withCore(async ({ service }) => {
        const packs = await listedPacks(service)
        for (const name of names) packNamed(packs, name)
        await switchPacks(
          service,
          names.map((name) => ({ name, enabled })),
        )
        console.log(`${names.join(', ')}: ${word}.`)
      }),
    )
}

function packNamed(packs: readonly ListedPack[], name: string): ListedPack {
  const found = packs.find((pack) => pack.name === name)
  if (found) return found
  throw new ConfigurationError(`There is no pack ${name}. There are: ${packs.map((pack) => pack.name).join(', ')}.`)
}
