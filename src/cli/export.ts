import { Command } from 'commander'
import { openCore } from '../app.ts'
import { readSettings } from '../config/settings.ts'
import { exportDataSet } from '../transfer/export-directory.ts'

/** Writes all data to a directory that `import` reads. */
export const exportCommand = new Command('export')
  .description('write all data as a data set: a directory with a file of objects for each endpoint')
  .argument('<directory>')
  .action(async (directory: string) => {
    const core = await openCore(readSettings(process.env), (sentence) => console.error(sentence))
    try {
      const { exported, media } = await exportDataSet(core.service, directory)
      const rows = exported.reduce((sum, { rows }) => sum + rows, 0)
      console.log(`${rows} objects of ${exported.length} collections and ${media} files written.`)
    } finally {
      await core.close()
    }
  })
