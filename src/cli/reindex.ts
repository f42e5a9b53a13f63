import { Command } from 'commander'
import { rebuildSearchIndex } from '../read/search/build-index.ts'
import { withProgress } from './progress.ts'
import { withCore } from './with-core.ts'

/** Rebuilds the search index. Writes keep it up to date; this is for rows that were changed by hand. */
export const reindexCommand = new Command('reindex')
  .description('Rebuild the search index, for example after rows were changed by hand.')
  .action(() =>
    withCore(async ({ service: { database, registry } }) => {
      const indexed = await withProgress((progress) =>
        database.transaction((transaction) => rebuildSearchIndex(transaction, registry, progress)),
      )
      console.log(`The objects of ${indexed.length} types are indexed.`)
    }),
  )
