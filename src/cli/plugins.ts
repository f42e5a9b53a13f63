import { Command, Option } from 'commander'
import { modelRegistry } from '../app/core.ts'
import { ConfigurationError } from '../base/errors.ts'
import { yamlText } from '../schema/yaml-text.ts'
import { type DerivedPack, derivePacks } from '../transfer/derive/derive-packs.ts'
import { knownModels, readDocuments } from '../transfer/derive/source-packs.ts'
import { parseAddress } from '../transfer/remote/address.ts'
import { Client } from '../transfer/remote/client.ts'
import { SourceError } from '../transfer/remote/source-error.ts'

/** Works on the plugins of a running NetBox. */
export const pluginsCommand = new Command('plugins')
  .description('Derive packs from the plugins of a running NetBox.')
  .addCommand(
    new Command('derive')
      .description('Print a pack for each plugin of a running NetBox, as it follows from its documents.')
      .argument('<address>', 'https://…')
      .argument('[names...]', 'addresses of the plugins, such as netbox-dns; by default all')
      .addOption(new Option('--token <token>', 'API token').env('IMPORT_TOKEN'))
      .action(async (source: string, names: readonly string[], { token = '' }: { readonly token?: string }) => {
        try {
          const client = new Client(parseAddress(source), token, { parallel: 4 })
          const packs = derivePacks(await readDocuments(client), knownModels(modelRegistry()))
          const unknown = names.find((name) => !packs.some(({ document }) => document.name === name))
          if (unknown !== undefined) throw new SourceError(`The source has no plugin ${unknown} with lists of objects.`)
          for (const pack of packs) if (names.length === 0 || names.includes(pack.document.name)) print(pack)
        } catch (error) {
          if (error instanceof SourceError) throw new ConfigurationError(error.message)
          throw error
        }
      }),
  )

function print({ document, notes, leftOut }: DerivedPack): void {
  console.log('---')
  for (const { model, field, note } of notes) console.log(`# ${model}.${field}: ${note}.`)
  for (const { path, reason } of leftOut) console.log(`# ${path} is left out: ${reason}.`)
  console.log(yamlText(document))
}
