import { installedRow, NOT_INSTALLED, pack } from '../../models/core/pack.ts'
import type { Service } from '../../service.ts'
import { sql, volatile } from '../../sql/fragment.ts'
import { insertInto, table, updateTable } from '../../sql/table.ts'
import type { Application } from './application.ts'

/**
 * Brings the list of packs in line with those in folders, switches on those that are always on, and switches off those
 * that cannot be used.
 */
export async function storePacks(
  { database }: Pick<Service, 'database'>,
  { catalogue, alwaysOn, unusable }: Application,
): Promise<void> {
  const rows = [...catalogue.values()].map(({ document, source, code, hasPages }) => {
    const { adds, ...row } = installedRow(document, source)
    return {
      ...row,
      adds: { ...adds, code: code !== undefined, pages: hasPages },
      begins_on: document.enabled === true || alwaysOn.includes(row.name),
      always: alwaysOn.includes(row.name),
    }
  })
  const source = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as q (name text, label text, version text, description text, source text, adds jsonb, begins_on boolean, always boolean)`
  const described = sql`q.label, q.version, q.description, q.source, q.adds`
  await database.transaction(async (transaction) => {
    await transaction.execute(volatile`
      ${insertInto(pack.name)} (name, label, version, description, source, adds, enabled, created, last_updated)
      select q.name, ${described}, q.begins_on, now(), now() from ${source}
      where not exists (select from ${table(pack.name)} t where t.name = q.name) order by q.name`)
    await transaction.execute(sql`
      ${updateTable(pack.name)} t
      set (label, version, description, source, adds) = (${described}), enabled = t.enabled or q.always, document = null,
        problem = case t.problem when ${NOT_INSTALLED} then '' else t.problem end
      from ${source} where t.name = q.name
        and (t.label, t.version, t.description, t.source, t.adds, t.enabled, t.problem = ${NOT_INSTALLED})
          is distinct from (${described}, t.enabled or q.always, false)`)
    await transaction.execute(sql`
      ${updateTable(pack.name)} set problem = ${NOT_INSTALLED}
      where source <> 'own' and problem <> ${NOT_INSTALLED} and name <> all(${rows.map(({ name }) => name)}::text[])`)
    for (const [name, problem] of unusable) {
      await transaction.execute(
        sql`${updateTable(pack.name)} set enabled = false, problem = ${`${problem}.`} where name = ${name}`,
      )
    }
  })
}
