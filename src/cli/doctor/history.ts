import type { Database } from '../../db/database.ts'
import { TIMESTAMP_TABLE } from '../../db/versions/number.ts'
import { hasHistory, SINCE, UNTIL, type VersionedTable, versionedTables } from '../../db/versions/versioned-tables.ts'
import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, join, type Sql, sql, volatile } from '../../sql/fragment.ts'
import { systemTable, table } from '../../sql/table.ts'
import { counted } from '../../transfer/backup/counted.ts'
import { type Finding, ok, warning } from './finding.ts'

const since = identifier(SINCE)
const until = identifier(UNTIL)

/** Checks that past versions, change records and tables agree. */
export async function checkHistory(database: Database, registry: Registry): Promise<Finding> {
  const tables = [...versionedTables(registry).values()]
  const versions = await tablesWith(database, tables.map(wrongVersions))
  const models = [...registry.models.values()].filter((model) => hasHistory(model) && model.has('changeLogging'))
  const records = await tablesWith(
    database,
    models.map((model) => [model.table, wrongRecords(model.name, model.table)]),
  )
  if (versions.size + records.size === 0) {
    return ok('history', 'Past versions, change records and objects agree.')
  }
  const parts = [
    ...[...versions].map(([name, count]) => `${counted(count, 'version')} of ${name}`),
    ...[...records].map(([name, count]) => `${counted(count, 'change record')} of ${name}`),
  ]
  return warning(
    'history',
    `The history does not agree with the objects: ${parts.join(', ')}.`,
    'Rows were changed by hand: with as_of they are shown from the next change on.',
  )
}

/** Numbers greater than 0 by the name of the table. */
async function tablesWith(
  database: Database,
  counts: readonly (readonly [string, Sql])[],
): Promise<ReadonlyMap<string, number>> {
  if (counts.length === 0) return new Map()
  const parts = counts.map(([name, count]) => sql`select ${name}::text, (${count})`)
  const rows = await database.queryArrays(
    sql`select * from (${join(parts, ' union all ')}) counted (name, count) where count > 0`,
  )
  return new Map(rows.map(([name, count]) => [String(name), Number(count)]))
}

/** Versions that end before they begin or overlap the next one, or whose transaction is not recorded. */
function wrongVersions({ table: name, past, key }: VersionedTable): readonly [string, Sql] {
  const keys = join(key.map((column) => identifier(column)))
  const timestamps = systemTable(TIMESTAMP_TABLE)
  return [
    name,
    volatile`select count(*) from (
      select ${since}, ${until}, lead(${since}) over (partition by ${keys} order by ${since}) as next from (
        select ${keys}, ${since}, ${until} from ${systemTable(past)}
        union all select ${keys}, ${since}, null from ${systemTable(name)}) v
    ) v where ${until} <= ${since} or next < ${until} or (${until} > (select min(number) from ${timestamps})
      and not exists (select from ${timestamps} m where m.number = v.${until}))`,
  ]
}

/**
 * Objects whose last change record since the start of the history contradicts their existence: a deletion although they
 * exist, or no deletion although they do not.
 */
const wrongRecords = (model: string, name: string): Sql => volatile`
  select count(*) from (
    select distinct on (c.changed_object_id) c.changed_object_id as id, c.action
    from ${table(SYSTEM.objectChange)} c
    where c.changed_object_type = ${model} and c.id >= (
      select min(e.change) from ${table(SYSTEM.event)} e
      where e.transaction >= (select min(number) from ${systemTable(TIMESTAMP_TABLE)}))
    order by c.changed_object_id, c.id desc
  ) last where (action = 'delete') = exists (select from ${systemTable(name)} t where t.id = last.id)`
