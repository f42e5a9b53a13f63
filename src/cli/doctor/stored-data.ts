import type { Settings } from '../../config/settings.ts'
import type { Database } from '../../db/database.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { counted, isOrAre } from '../../transfer/backup/counted.ts'
import { existingSecrets } from '../../transfer/backup/existing-secrets.ts'
import { backupPlace, backupState, nextTime } from '../../transfer/backup/scheduled-backup.ts'
import { checkBranches } from './branches.ts'
import { checkEvents } from './events.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { checkHistory } from './history.ts'
import { checkFiles } from './media.ts'
import { checkPermissions } from './permissions.ts'
import { checkSearchIndex } from './search-index.ts'

/**
 * Checks that everything the database refers to exists: uploaded files, the secrets of tokens, an active superuser, all
 * events.
 */
export async function checkStoredData(
  database: Database,
  registry: Registry,
  settings: Settings,
): Promise<readonly Finding[]> {
  return [
    await checkFiles(database, registry, settings),
    await checkTokens(database, settings),
    await checkSuperusers(database),
    await checkPermissions(database, registry),
    await checkEvents(database),
    await checkHistory(database, registry),
    await checkBranches(database, registry),
    await checkSearchIndex(database, registry),
    ...(await checkBackups(database, settings)),
  ]
}

/** Milliseconds that a backup may take. */
const PATIENCE = 3_600_000

async function checkBackups(database: Database, settings: Settings): Promise<readonly Finding[]> {
  const { backupSchedule } = settings
  if (!backupSchedule) return []
  const { lastSuccess, hasFailed } = await backupState(database)
  const advice = `Look at the log of the job "System Backup", and at ${backupPlace(settings)}.`
  if (lastSuccess === undefined) return [warning('backups', 'None has been made by BACKUP_SCHEDULE yet.', advice)]
  const text = `The last one was made at ${new Date(lastSuccess).toISOString()}`
  if (hasFailed) return [problem('backups', `${text}; the one after it has failed.`, advice)]
  const isLate = nextTime(backupSchedule, lastSuccess) + PATIENCE < Date.now()
  return [isLate ? problem('backups', `${text}, and the next one is overdue.`, advice) : ok('backups', `${text}.`)]
}

async function checkTokens(database: Database, settings: Settings): Promise<Finding> {
  const rows = await database.queryArrays(sql`
    select pepper_id, count(*) from ${table(SYSTEM.token)} where pepper_id is not null group by 1 order by 1`)
  const secrets = existingSecrets(settings)
  const lost = rows.filter(([pepper]) => !secrets?.peppers.has(Number(pepper)))
  if (lost.length === 0) return ok('tokens', 'The peppers of all tokens are known.')
  const count = lost.reduce((sum, [, tokens]) => sum + Number(tokens), 0)
  return problem(
    'tokens',
    `${counted(count, 'token')} cannot be used: pepper ${lost.map(([pepper]) => pepper).join(', ')} is missing.`,
    'Restore secrets.json, or add the pepper to API_TOKEN_PEPPERS; otherwise create new tokens.',
  )
}

async function checkSuperusers(database: Database): Promise<Finding> {
  const [[count] = []] = await database.queryArrays(
    sql`select count(*) from ${table(SYSTEM.user)} where is_superuser and is_active`,
  )
  const active = Number(count)
  if (active > 0) {
    return ok('superusers', `There ${isOrAre(active)} ${counted(active, 'active superuser')}.`)
  }
  return warning('superusers', 'There is no active superuser.', 'Run create-superuser <username>.')
}
