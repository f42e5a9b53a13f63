import { Command, Option } from 'commander'
import { ConfigurationError } from '../base/errors.ts'
import type { Service } from '../service.ts'
import { documentText, exportDocuments, writeDocuments } from '../transfer/documents/export-documents.ts'
import { exportDataSet } from '../transfer/export-directory.ts'
import { withProgress } from './progress.ts'
import { withCore } from './with-core.ts'

/** Writes all data to a directory that `import` reads, or the inventory as documents that `apply` reads. */
export const exportCommand = new Command('export')
  .description('Write all data as a data set: a directory with one file for each endpoint.')
  .argument('[directory]', 'with --format=apply, optional: without it, one document goes to the standard output')
  .addOption(
    new Option('--format <format>', 'data set for import, or documents for apply')
      .choices(['dataset', 'apply'])
      .default('dataset'),
  )
  .addHelpText('after', '\nExamples:\n  cadastre export data/\n  cadastre export --format=apply > inventory.yaml')
  .action(async (directory: string | undefined, { format }: { readonly format: string }) => {
    if (directory === undefined && format === 'dataset') {
      throw new ConfigurationError('Name the directory to export to.')
    }
    await withCore(async ({ service }) => {
      if (format === 'apply') await writeInventory(service, directory)
      else await writeDataSet(service, directory ?? '')
    })
  })

async function writeDataSet(service: Service, directory: string): Promise<void> {
  const { exported, media } = await withProgress((progress) => exportDataSet(service, directory, progress))
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
