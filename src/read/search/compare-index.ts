import type { Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { join, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { table } from '../../sql/table.ts'
import { allEntries, outdatedModels } from './build-index.ts'
import { ENTRY_COLUMNS, searchedFields } from './entries.ts'

/**
 * Number of entries that are missing, wrong or left over, by the name of the model. Models that the next start will
 * index are left out, as are those with changes that are not indexed yet.
 */
export async function compareSearchIndex(
  database: Queryable,
  registry: Registry,
): Promise<ReadonlyMap<string, number>> {
  const outdated = new Set(await outdatedModels(database, registry))
  const unindexed = await unindexedTypes(database)
  const wrong = new Map<string, number>()
  for (const model of searchedFields(registry).keys()) {
    if (outdated.has(model) || unindexed.has(model.name)) continue
    const [[count] = []] = await database.queryArrays(sql`
      with expected (${ENTRY_COLUMNS}) as (${join(allEntries(registry, model), ' union all ')}),
        stored as (select ${ENTRY_COLUMNS} from ${table(SYSTEM.searchEntry)} where object_type = ${model.name})
      select (select count(*) from (table expected except all table stored) m)
        + (select count(*) from (table stored except all table expected) s)`)
    if (Number(count) > 0) wrong.set(model.name, Number(count))
  }
  return wrong
}

/** The types with changes that are not indexed yet. */
async function unindexedTypes(database: Queryable): Promise<ReadonlySet<string>> {
  const types = await database.queryColumn(sql`select distinct object_type from ${table(SYSTEM.unindexedChange)}`)
  return new Set(types.map(String))
}
