import type { EffectFunction, RowOf } from '../../schema/rule.ts'
import { sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { updateTable } from '../../sql/table.ts'
import type { customField } from './custom-field.ts'

type FieldRow = RowOf<typeof customField.fields>

/**
 * Updates the values in objects, which are stored under the field's name: types that gain the field get its default,
 * types that lose it (all of them when it is deleted) lose the values, a rename moves the values. Values of a field that comes back
 * are restored by its undo.
 */
export const carryValues: EffectFunction<typeof customField.fields> = async ({
  action,
  rows,
  database,
  isModel,
}) => {
  if (action === 'restore') return
  for (const { next, previous } of rows) {
    const before = previous?.object_types ?? []
    const after = next?.object_types ?? []
    for (const type of new Set([...before, ...after])) {
      if (!isModel(type)) continue
      const isKept = before.includes(type) && after.includes(type)
      if (isKept) await rename(database, type, previous?.name ?? '', next?.name ?? '')
      else if (after.includes(type)) await fill(database, type, next)
      else await strip(database, type, previous?.name ?? '')
    }
  }
}

const rename = async (database: Queryable, model: string, from: string, to: string) =>
  from === to
    ? 0
    : await database.execute(sql`
        ${updateTable(model)} set custom_field_data = (custom_field_data - ${from}::text)
          || jsonb_build_object(${to}::text, custom_field_data -> ${from}::text)
        where custom_field_data ? ${from}::text`)

const fill = async (database: Queryable, model: string, field: FieldRow | undefined) =>
  field === undefined || field.default === null
    ? 0
    : await database.execute(sql`
        ${updateTable(model)} set custom_field_data = custom_field_data
          || jsonb_build_object(${field.name}::text, ${JSON.stringify(field.default)}::jsonb)`)

const strip = (database: Queryable, model: string, name: string) =>
  database.execute(sql`
    ${updateTable(model)} set custom_field_data = custom_field_data - ${name}::text
    where custom_field_data ? ${name}::text`)
