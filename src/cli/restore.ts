import { existsSync, rmSync } from 'node:fs'
import { Command } from 'commander'
import { loadApplication, registryIn } from '../app/core.ts'
import { makeDataDirectory } from '../config/data-directory.ts'
import { readSettings } from '../config/settings.ts'
import { clusterDirectory, hasCluster } from '../db/embedded/cluster-directory.ts'
import { openDatabase } from '../db/open.ts'
import { counted } from '../transfer/backup/counted.ts'
import { type RestoreReport, restoreBackup, verifyBackup } from '../transfer/backup/restore.ts'
import { withProgress } from './progress.ts'

/** Restores a backup, to a server of DATABASE_URL or to DATA_DIR. */
export const restoreCommand = new Command('restore')
  .description('Restore a backup into an empty database.')
  .argument('<file>')
  .option('--replace', 'delete the present content of the database and DATA_DIR first')
  .addHelpText('after', '\nExample:\n  DATA_DIR=/var/lib/cadastre cadastre restore /backups/2026-11-28.tar.gz')
  .action(async (file: string, { replace = false }: { readonly replace?: boolean }) => {
    const settings = readSettings(process.env)
    const application = await loadApplication(settings)
    // Read to its end before anything is created or replaced.
    await verifyBackup(file)
    const isNew = settings.databaseUrl === undefined && !hasCluster(settings.dataDir)
    const isNewDirectory = isNew && !existsSync(settings.dataDir)
    if (settings.databaseUrl === undefined) makeDataDirectory(settings.dataDir)
    try {
      const database = await openDatabase(settings, { warn: (sentence) => console.error(sentence) })
      try {
        const report = await withProgress((progress) =>
          restoreBackup(database, file, {
            registryIn: (restored) => registryIn(restored, application),
            steps: application.steps,
            settings,
            replace,
            progress,
          }),
        )
        tell(report)
      } finally {
        await database.close()
      }
    } catch (error) {
      if (isNew) rmSync(clusterDirectory(settings.dataDir), { recursive: true, force: true })
      if (isNewDirectory) rmSync(settings.dataDir, { recursive: true, force: true })
      throw error
    }
  })

function tell({ created, program, rows, media, scripts, otherSecrets }: RestoreReport): void {
  console.log(
    `${rows} rows, ${counted(media, 'uploaded file')} and ${counted(scripts, 'file')} of scripts restored, as they were at ${created} (version ${program}).`,
  )
  if (otherSecrets.length === 0) return
  console.log(
    `Secrets differ from those of the service that was backed up: ${otherSecrets.join(', ')}. Restore their former values, or its tokens cannot be used.`,
  )
}
