import type { Registry } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { join, sql } from '../sql/fragment.ts'
import type { Queryable } from '../sql/queryable.ts'
import { table } from '../sql/table.ts'
import { allEntries, outdatedModels } from './build-index.ts'
import { ENTRY_COLUMNS, searchedFields } from './entries.ts'

/** Number of entries that are missing, wrong or left over, by the name of the model; models that the next start indexes are left out. */
export async function compareSearchIndex(
  database: Queryable,
  registry: Registry,
): Promise<ReadonlyMap<string, number>> {
  const outdated = new Set(await outdatedModels(database, registry))
  const wrong = new Map<string, number>()
  for (const model of searchedFields(registry).keys()) {
    if (outdated.has(model)) continue
    const [[count] = []] = await database.queryArrays(sql`
      with expected (${ENTRY_COLUMNS}) as (${join(allEntries(registry, model), ' union all ')}),
        stored as (select ${ENTRY_COLUMNS} from ${table(SYSTEM.searchEntry)} where object_type = ${model.name})
      select (select count(*) from (table expected except all table stored) m)
        + (select count(*) from (table stored except all table expected) s)`)
    if (Number(count) > 0) wrong.set(model.name, Number(count))
  }
  return wrong
}
