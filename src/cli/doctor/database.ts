import type { Settings } from '../../config/settings.ts'
import type { Database } from '../../db/database.ts'
import { obstaclesText } from '../../db/migrate/compatibility.ts'
import type { PendingMigration } from '../../db/migrate/pending.ts'
import { volatile } from '../../sql/fragment.ts'
import { counted } from '../../transfer/backup/counted.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Clock difference, in seconds, that makes the expiry of tokens and sessions unreliable. */
const NOTICEABLE = 2
const HARMFUL = 60

/** Checks version, connection limit and clock. Throws the errors of the database. */
export async function checkDatabase(database: Database, settings: Settings): Promise<readonly Finding[]> {
  return [await checkServer(database), await checkConnections(database, settings), await checkClock(database)]
}

async function checkServer(database: Database): Promise<Finding> {
  const [[version, bytes] = []] = await database.queryArrays(volatile`
    select current_setting('server_version'), pg_database_size(current_database()) / 1048576`)
  return ok('database', `PostgreSQL ${String(version)} responds; the data takes ${String(bytes)} MiB.`)
}

async function checkConnections(database: Database, { databasePoolSize }: Settings): Promise<Finding> {
  const [[most, used] = []] = await database.queryArrays(volatile`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
      (select count(*) from pg_stat_activity where backend_type = 'client backend')`)
  const text = `The server has ${counted(Number(most), 'connection')}, ${String(used)} of them in use; each process of the service takes up to ${databasePoolSize + 1}.`
  if (Number(most) > databasePoolSize) return ok('connections', text)
  return problem('connections', text, 'Lower DATABASE_POOL_SIZE, or raise max_connections.')
}

async function checkClock(database: Database): Promise<Finding> {
  const before = Date.now()
  const [[timestamp] = []] = await database.queryArrays(volatile`select extract(epoch from clock_timestamp())::float8`)
  const here = (before + Date.now()) / 2000
  const apart = Math.abs(Number(timestamp) - here)
  const text = `The clocks of this machine and of the database are ${apart.toFixed(1)} s apart.`
  const advice = 'Synchronise both clocks with NTP; otherwise tokens and sessions expire at the wrong time.'
  if (apart > HARMFUL) return problem('clock', text, advice)
  return apart > NOTICEABLE ? warning('clock', text, advice) : ok('clock', text)
}

/** Checks that the tables are those of this version. */
export function checkTables(pending: PendingMigration): Finding {
  switch (pending.state) {
    case 'current':
      return ok('tables', 'The tables are those of this version.')
    case 'empty':
      return ok('tables', 'The database is empty; the first start creates the tables.')
    case 'behind':
      return warning(
        'tables',
        `The next start changes the tables (${counted(pending.changes, 'statement')})${
          pending.obstacles.length === 0
            ? '; processes of the earlier version can go on meanwhile.'
            : `, and processes of the earlier version cannot work with them: ${obstaclesText(pending.obstacles)}.`
        }`,
        `Make a backup first: backup <file>.${pending.obstacles.length === 0 ? '' : ' Then stop all processes before the start.'}`,
      )
    case 'foreign':
      return problem(
        'tables',
        `Another version of the program has created the tables: ${pending.problems.slice(0, 3).join('; ')}.`,
        'Start that version, or restore a backup.',
      )
  }
}
