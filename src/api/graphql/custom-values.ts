import type { WriteValue } from '../../read/serialise/plan.ts'
import { isJsonObject, ownValue, parseJson } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { AskedField } from './asked-field.ts'
import type { Execution } from './execution.ts'

/** The stored values of all custom fields of the model, by group, weight and name; null where an object has none. */
export function writeCustomValues({ builder, execution }: AskedField): WriteValue {
  const index = builder.stored('custom_fields')
  const position = builder.loadByRows(async (rows) => {
    const names = await fieldNames(execution, builder.model)
    const unset = textOf(names, {})
    const texts = new Map<number, string>()
    for (const row of rows) {
      const stored = row[index]
      const values = stored === '{}' ? undefined : parseJson(String(stored))
      texts.set(Number(row[0]), isJsonObject(values) ? textOf(names, values) : unset)
    }
    return texts
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? '{}'
}

const textOf = (names: readonly string[], values: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(Object.fromEntries(names.map((name) => [name, ownValue(values, name) ?? null])))

/** Names of the model's custom fields. They are no secret: every user who sees an object sees them. */
const fieldNames = ({ whole }: Execution, model: Model): Promise<readonly string[]> =>
  whole.cached(`custom field names of ${model.name}`, async () => {
    const rows = await whole.database.query<{ name: string }>(sql`
      select name from ${table(SYSTEM.customField)} where ${model.name} = any(object_types)
      order by group_name collate "C", weight, name collate "C"`)
    return rows.map(({ name }) => name)
  })
