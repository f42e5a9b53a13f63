import { nextTime } from '../../automation/jobs/scheduled-job.ts'
import type { Settings } from '../../config/settings.ts'
import { BRANCH, branchedTables } from '../../db/branches/branch-tables.ts'
import type { Database } from '../../db/database.ts'
import { unfitConstraints } from '../../identity/unfit-constraints.ts'
import { compareSearchIndex } from '../../read/search/compare-index.ts'
import { completeSearchIndex } from '../../read/search/complete-index.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { join, raw, sql } from '../../sql/fragment.ts'
import { systemTable, table } from '../../sql/table.ts'
import { counted, isOrAre } from '../../transfer/backup/counted.ts'
import { existingSecrets } from '../../transfer/backup/existing-secrets.ts'
import { backupPlace, backupState } from '../../transfer/backup/scheduled-backup.ts'
import { type Finding, ok, problem, warning } from './finding.ts'
import { checkHistory } from './history.ts'
import { checkFiles } from './media.ts'
import { checkScripts } from './scripts.ts'

/** Checks that the search index matches the objects. */
async function checkSearchIndex(database: Database, registry: Registry): Promise<Finding> {
  await completeSearchIndex(database, registry)
  const wrong = await compareSearchIndex(database, registry)
  if (wrong.size === 0) return ok('search', 'The search index matches the objects.')
  const count = [...wrong.values()].reduce((sum, number) => sum + number, 0)
  return warning(
    'search',
    `${counted(count, 'value')} of the search index ${count === 1 ? 'differs' : 'differ'} from the objects: ${[...wrong.keys()].join(', ')}.`,
    'Rows were changed by hand: run reindex.',
  )
}

/**
 * Checks that everything the database refers to exists: uploaded files, scripts, the secrets of tokens, an active superuser, all
 * events.
 */
export async function checkStoredData(
  database: Database,
  registry: Registry,
  settings: Settings,
): Promise<readonly Finding[]> {
  return [
    await checkFiles(database, registry, settings),
    ...(await checkScripts(database, settings)),
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

/** Checks that the constraints of every enabled permission fit its object types. */
async function checkPermissions(database: Database, registry: Registry): Promise<Finding> {
  const rows = await database.query<{
    id: number
    name: string
    object_types: readonly string[]
    constraints: string
  }>(sql`
    select id, name, object_types, constraints from ${table(SYSTEM.objectPermission)}
    where enabled and constraints is not null order by id`)
  const perPermission = await Promise.all(
    rows.map(async ({ id, name, object_types, constraints }) => {
      const unfit = await unfitConstraints(database, registry, object_types, JSON.parse(constraints))
      return unfit.map(
        ({ objectType, complaint }) => `Permission ${id} (${name}) grants nothing on ${objectType}: ${complaint}`,
      )
    }),
  )
  const unfit = perPermission.flat()
  if (unfit.length === 0) return ok('permissions', 'The constraints of all permissions fit.')
  return warning(
    'permissions',
    unfit.join(' '),
    'Change the constraints, or remove the object type from the permission.',
  )
}

/** Checks that the positions of events have no gaps: readers would assume that a missing event is hidden from them. */
async function checkEvents(database: Database): Promise<Finding> {
  const [row] = await database.query<{ count: number; first: number | null; last: number | null }>(
    sql`select coalesce(sum(count), 0) as count, min(position - count + 1) as first, max(position) as last
      from ${table(SYSTEM.event)} where position is not null`,
  )
  const { count = 0, first, last } = row ?? {}
  if (first == null || last == null) return ok('events', 'There are no events yet.')
  if (last - first + 1 === count) {
    return ok('events', `The positions of events, ${first} to ${last}, have no gaps.`)
  }
  return problem(
    'events',
    `${last - first + 1 - count} of the positions ${first} to ${last} of the stream of events are missing.`,
    'Rows were deleted by hand; readers of the stream should read the objects again.',
  )
}

/** Checks that each row of a branch belongs to a branch that exists. */
async function checkBranches(database: Database, registry: Registry): Promise<Finding> {
  const parts = [...branchedTables(registry).values()].map(
    ({ overlay }) => sql`
      select ${overlay}::text as name, count(*) as count from ${systemTable(overlay)} o
      where not exists (select from ${table(SYSTEM.branch)} b where b.id = o.${raw(BRANCH)})`,
  )
  const rows = await database.query<{ name: string; count: number }>(
    sql`select * from (${join(parts, ' union all ')}) counted where count > 0`,
  )
  const [branches] = await database.query<{ count: number }>(
    sql`select count(*) as count from ${table(SYSTEM.branch)} where status = 'ready'`,
  )
  if (rows.length === 0)
    return ok('branches', `${counted(Number(branches?.count ?? 0), 'branch is', 'branches are')} open.`)
  const lost = rows.map(({ name, count }) => `${counted(Number(count), 'row')} of ${name}`)
  return warning(
    'branches',
    `Rows belong to branches that do not exist: ${lost.join(', ')}.`,
    'They were deleted by hand. The rows do no harm.',
  )
}
