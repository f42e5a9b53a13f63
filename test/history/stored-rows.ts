import type { Service } from '../../src/service.ts'
import { join, type Sql, sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import type { TableReference } from '../../src/sql/table-names.ts'

/** Tables of the service itself, and tables about the writes themselves. */
const OWN = /^core\.(objectchange|job)$|^dcim\.cablepath$|^users\.token$|^extras\.notification$/

/** All rows of the inventory as the database stores them, by model: one line for each, without the ids of computed paths. */
export async function storedRows({
  registry,
  database,
}: Pick<Service, 'registry' | 'database'>): Promise<Readonly<Record<string, readonly string[]>>> {
  // Few of some 180 tables have rows, and tests read them before and after each change.
  const tablesWithRows = await database.query<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`)
  const haveRows = new Set(tablesWithRows.map(({ name }) => name))
  const rows: Record<string, readonly string[]> = {}
  const selects: Sql[] = []
  const select = (name: string, from: TableReference, row: Sql, order: Sql): void => {
    rows[name] = []
    if (!haveRows.has(from.table)) return
    selects.push(sql`
      select ${name}::text as name, json_agg((${row})::text order by ${order})::text as lines from ${table(from)} t`)
  }
  const withoutId = sql`to_jsonb(t) - 'id' - '_since'`
  for (const model of registry.models.values()) {
    if (model.definition.internal || OWN.test(model.name)) continue
    const own: TableReference = { table: model.table, model: model.name }
    if (model.name === 'extras.taggeditem') select(model.name, own, withoutId, sql`object_type, object_id, tag_id`)
    else select(model.name, own, sql`to_jsonb(t) - '_path_id' - '_since'`, sql`t.id`)
    for (const [name, field] of model.fields) {
      if (field.kind !== 'manyToMany') continue
      select(`${model.name}.${name}`, registry.joinTable(model, name, field), withoutId, withoutId)
    }
  }
  const tables = await database.query<{ name: string; lines: string | null }>(join(selects, ' union all '))
  for (const { name, lines } of tables) rows[name] = JSON.parse(lines ?? '[]')
  return rows
}

/** The lines that differ, with a sign for the side that has them. */
export function rowDifferences(
  before: Readonly<Record<string, readonly string[]>>,
  after: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  return Object.entries(before).flatMap(([name, lines]) => {
    const [one, other] = [new Set(lines), new Set(after[name] ?? [])]
    return [
      ...lines.filter((line) => !other.has(line)).map((line) => `- ${name} ${line}`),
      ...[...other].filter((line) => !one.has(line)).map((line) => `+ ${name} ${line}`),
    ]
  })
}
