import { SingleBar } from 'cli-progress'
import { Command } from 'commander'
import { openCore } from '../app.ts'
import { readSettings } from '../config/settings.ts'
import { BrokenRow } from '../transfer/broken-row.ts'
import { type ImportReport, importDataSet, type Progress } from '../transfer/import-directory.ts'

/** Loads a data set into the database, which is made where there is none. */
export const importCommand = new Command('import')
  .description('load a data set: a directory with a file of objects for each endpoint')
  .argument('<directory>')
  .action(async (directory: string) => {
    const core = await openCore(readSettings(process.env), (sentence) => console.error(sentence))
    try {
      const report = await withProgress((progress) =>
        importDataSet(core.service, directory, { vault: core.vault, progress }),
      )
      tell(report)
    } catch (error) {
      if (!(error instanceof BrokenRow)) throw error
      console.error(`${error.message}\nNothing has been imported.`)
      process.exitCode = 1
    } finally {
      await core.close()
    }
  })

async function withProgress<T>(
  work: (progress: (now: Progress) => void) => Promise<T>,
): Promise<T> {
  if (!process.stderr.isTTY) return await work(() => undefined)
  const bar = new SingleBar({ format: '{bar} {percentage} %  {stage}', hideCursor: true })
  let isStarted = false
  try {
    return await work(({ done, total, stage }) => {
      if (isStarted) bar.update(done, { stage })
      else bar.start(total, done, { stage })
      isStarted = true
    })
  } finally {
    if (isStarted) bar.stop()
  }
}

function tell({ imported, leftOut, media }: ImportReport): void {
  const added = imported.reduce((sum, each) => sum + each.added, 0)
  const rows = imported.reduce((sum, each) => sum + each.rows, 0)
  console.log(
    `${rows} objects of ${imported.length} collections read: ${added} imported, ${rows - added} there already; ${media} files copied.`,
  )
  if (leftOut.length > 0) console.log(`Left out, not built yet: ${leftOut.join(', ')}.`)
}
