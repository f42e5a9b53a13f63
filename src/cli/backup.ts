import { Command } from 'commander'
import { loadApplication, modelRegistry } from '../app/core.ts'
import { PROGRAM_VERSION } from '../config/program-version.ts'
import { readSettings, type Settings } from '../config/settings.ts'
import { openDatabase } from '../db/open.ts'
import { checkNewFile } from '../transfer/backup/archive-writer.ts'
import { type BackupReport, type SecretsPlace, writeBackup } from '../transfer/backup/backup.ts'
import { counted } from '../transfer/backup/counted.ts'
import { verifyBackup } from '../transfer/backup/restore.ts'
import { requireDatabase } from './chosen-database.ts'
import { JSON_OPTION, printJson } from './output.ts'
import { withProgress } from './progress.ts'

/** Writes everything to one file; the service can keep running. */
export const backupCommand = new Command('backup')
  .description('Write the database, uploaded files, scripts and secrets to a file for "restore".')
  .argument('<file>', 'new file, usually ….tar.gz')
  .option('--without-secrets', 'leave out secrets.json; without it, tokens and stored secrets cannot be used again')
  .option(...JSON_OPTION)
  .addHelpText('after', '\nExample:\n  cadastre backup /backups/$(date +%F).tar.gz')
  .action(async (file: string, options: { readonly withoutSecrets?: true; readonly json?: true }) => {
    const settings = readSettings(process.env)
    const application = await loadApplication(settings)
    checkNewFile(file)
    requireDatabase(settings)
    const database = await openDatabase(settings, { warn: (sentence) => console.error(sentence) })
    try {
      const report = await withProgress((progress) =>
        writeBackup(database, file, {
          registry: modelRegistry(application),
          settings,
          program: PROGRAM_VERSION,
          withSecrets: !options.withoutSecrets,
          progress,
        }),
      )
      await verifyBackup(file)
      if (options.json) printJson({ file, ...report })
      else tell(file, report, settings)
    } finally {
      await database.close()
    }
  })

const SECRETS: Readonly<Record<SecretsPlace, string>> = {
  inside: 'The file contains the secrets: whoever has it can use everything in it. Keep it safe.',
  partlyInside:
    'secrets.json is in the file, so keep it safe; SECRET_KEY and API_TOKEN_PEPPERS of the environment are NOT: keep those elsewhere.',
  leftOut:
    'The secrets are NOT in the file: keep secrets.json, or SECRET_KEY and API_TOKEN_PEPPERS, elsewhere; tokens are useless without them.',
  environment:
    'The secrets come from the environment and are NOT in the file: keep SECRET_KEY and API_TOKEN_PEPPERS elsewhere; tokens are useless without them.',
  unknown:
    'No secrets were found, and the file has none: keep secrets.json of the service elsewhere; tokens are useless without it.',
}

function tell(file: string, { rows, tables, media, scripts, secrets }: BackupReport, { scriptsRoot }: Settings): void {
  const files = [counted(media, 'uploaded file'), ...(scripts === undefined ? [] : [counted(scripts, 'file')])]
  console.log(
    `${rows} rows of ${tables} tables, ${files.join(' and ')}${scripts === undefined ? '' : ' of scripts'} are in ${file}, which has been read back.`,
  )
  if (scripts === undefined) console.log(`Scripts and validators in ${scriptsRoot} (SCRIPTS_ROOT) are NOT in the file.`)
  console.log('Browser sessions are left out.')
  console.log(SECRETS[secrets])
}
