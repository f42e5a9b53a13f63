import { Command } from 'commander'
import { openCore } from '../app/core.ts'
import { readSettings } from '../config/settings.ts'
import { rebuildSearchIndex } from '../read/search/build-index.ts'
import { requireDatabase } from './chosen-database.ts'

/** Rebuilds the search index. Writes keep it up to date; this is for rows that were changed by hand. */
export const reindexCommand = new Command('reindex')
  .description('build the search index again, after rows were changed by hand')
  .action(async () => {
    const settings = readSettings(process.env)
    requireDatabase(settings)
    const core = await openCore(settings, (sentence) => console.error(sentence))
    try {
      const { database, registry } = core.service
      const indexed = await database.transaction((transaction) => rebuildSearchIndex(transaction, registry))
      console.log(`The objects of ${indexed.length} types are indexed.`)
    } finally {
      await core.close()
    }
  })
