import type { Service } from '../../src/service.ts'
import { sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'

/** Tables of the service itself, and tables about the writes themselves. */
const OWN = /^core\.(objectchange|job)$|^dcim\.cablepath$|^users\.token$|^extras\.notification$/

/** All rows of the inventory as the database stores them, by model: one line for each, without the ids of computed paths. */
export async function storedRows({
  registry,
  database,
}: Pick<Service, 'registry' | 'database'>): Promise<Readonly<Record<string, readonly string[]>>> {
  const rows: Record<string, readonly string[]> = {}
  for (const model of registry.models.values()) {
    if (model.definition.internal || OWN.test(model.name)) continue
    const order = model.name === 'extras.taggeditem' ? sql`object_type, object_id, tag_id` : sql`id`
    const lines = await database.query<{ line: string }>(sql`
      select (to_jsonb(t) - '_path_id' - '_since')::text as line from ${table(model)} t order by ${order}`)
    rows[model.name] = lines.map(({ line }) =>
      model.name === 'extras.taggeditem' ? line.replace(/"id": \d+, /, '') : line,
    )
    for (const [name, field] of model.fields) {
      if (field.kind !== 'manyToMany') continue
      const pairs = await database.query<{ line: string }>(sql`
        select (to_jsonb(j) - '_since')::text as line from ${table(registry.joinTable(model, name, field))} j
        order by 1`)
      rows[`${model.name}.${name}`] = pairs.map(({ line }) => line.replace(/"id": \d+, /, ''))
    }
  }
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
