import { pack, shippedRow } from '../../models/core/pack.ts'
import type { Service } from '../../service.ts'
import { sql, volatile } from '../../sql/fragment.ts'
import { insertInto, table, updateTable } from '../../sql/table.ts'
import type { Application } from './application.ts'

/**
 * Brings the list of packs in line with those that ship, switches on those that are always on, and switches off those
 * that cannot be used.
 */
export async function storePacks(
  { database }: Pick<Service, 'database'>,
  { catalogue, alwaysOn, unusable }: Application,
): Promise<void> {
  const rows = [...catalogue.values()].map(({ document, code }) => {
    const { adds, ...row } = shippedRow(document)
    return { ...row, adds: { ...adds, code: code !== undefined }, always: alwaysOn.includes(row.name) }
  })
  const source = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as q (name text, label text, version text, description text, source text, adds jsonb, always boolean)`
  const described = sql`q.label, q.version, q.description, q.source, q.adds`
  await database.transaction(async (transaction) => {
    await transaction.execute(volatile`
      ${insertInto(pack.name)} (name, label, version, description, source, adds, enabled, created, last_updated)
      select q.name, ${described}, false, now(), now() from ${source}
      where not exists (select from ${table(pack.name)} t where t.name = q.name) order by q.name`)
    await transaction.execute(sql`
      ${updateTable(pack.name)} t
      set (label, version, description, source, adds) = (${described}), enabled = t.enabled or q.always, document = null
      from ${source} where t.name = q.name
        and (t.label, t.version, t.description, t.source, t.adds, t.enabled)
          is distinct from (${described}, t.enabled or q.always)`)
    for (const [name, problem] of unusable) {
      await transaction.execute(
        sql`${updateTable(pack.name)} set enabled = false, problem = ${`${problem}.`} where name = ${name}`,
      )
    }
  })
}
