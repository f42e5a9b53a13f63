import { Command, Option } from 'commander'
import { openCore } from '../app/core.ts'
import { ConfigurationError } from '../base/errors.ts'
import { readSettings } from '../config/settings.ts'
import type { Service } from '../service.ts'
import { documentText, exportDocuments, writeDocuments } from '../transfer/documents/export-documents.ts'
import { exportDataSet } from '../transfer/export-directory.ts'
import { requireDatabase } from './chosen-database.ts'

/** Writes all data to a directory that `import` reads, or the inventory as documents that `apply` reads. */
export const exportCommand = new Command('export')
  .description('write all data as a data set: a directory with a file of objects for each endpoint')
  .argument('[directory]', 'with --format=apply, none writes one document to the standard output')
  .addOption(
    new Option('--format <format>', 'data set for import, or documents for apply')
      .choices(['dataset', 'apply'])
      .default('dataset'),
  )
  .action(async (directory: string | undefined, { format }: { readonly format: string }) => {
    if (directory === undefined && format === 'dataset') {
      throw new ConfigurationError('Name the directory to export to.')
    }
    const settings = readSettings(process.env)
    requireDatabase(settings)
    const core = await openCore(settings, (sentence) => console.error(sentence))
    try {
      if (format === 'apply') await writeInventory(core.service, directory)
      else await writeDataSet(core.service, directory ?? '')
    } finally {
      await core.close()
    }
  })

async function writeDataSet(service: Service, directory: string): Promise<void> {
  const { exported, media } = await exportDataSet(service, directory)
  const rows = exported.reduce((sum, { rows }) => sum + rows, 0)
  console.log(`${rows} objects of ${exported.length} collections and ${media} files written.`)
}

async function writeInventory(service: Service, directory: string | undefined): Promise<void> {
  const documents = await exportDocuments(service)
  const { objects, leftOut, unidentified } = documents
  if (directory === undefined) process.stdout.write(documentText(objects))
  else await writeDocuments(directory, service, documents)
  const count = [...objects.values()].reduce((sum, { length }) => sum + length, 0)
  console.error(`${count} objects of ${objects.size} types written.`)
  for (const [type, number] of unidentified) {
    console.error(`${number} objects of ${type} are left out: none of their values identifies them.`)
  }
  console.error(`Documents cannot contain these types: ${leftOut.join(', ')}.`)
}
