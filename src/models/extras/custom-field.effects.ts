import type { EffectFunction, RowOf } from '../../schema/rule.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import type { customField } from './custom-field.ts'

type FieldRow = RowOf<typeof customField.fields>

/**
 * Objects carry their values under the field's name: types that gain the field get its default, types
 * that lose it (all of them when it is deleted) give the values up, a new name takes them along.
 */
export const carryValues: EffectFunction<typeof customField.fields> = async ({
  rows,
  database,
  tableOf,
  touch,
}) => {
  for (const { next, previous } of rows) {
    const before = previous?.object_types ?? []
    const after = next?.object_types ?? []
    for (const type of new Set([...before, ...after])) {
      const table = tableOf(type)
      if (table === undefined) continue
      const isKept = before.includes(type) && after.includes(type)
      const changed = isKept
        ? await rename(database, table, previous?.name ?? '', next?.name ?? '')
        : after.includes(type)
          ? await fill(database, table, next)
          : await strip(database, table, previous?.name ?? '')
      if (changed > 0) touch({ name: type })
    }
  }
}

const rename = async (database: Queryable, table: string, from: string, to: string) =>
  from === to
    ? 0
    : await database.execute(sql`
        update ${identifier(table)} set custom_field_data = (custom_field_data - ${from}::text)
          || jsonb_build_object(${to}::text, custom_field_data -> ${from}::text)
        where custom_field_data ? ${from}::text`)

const fill = async (database: Queryable, table: string, field: FieldRow | undefined) =>
  field === undefined || field.default === null
    ? 0
    : await database.execute(sql`
        update ${identifier(table)} set custom_field_data = custom_field_data
          || jsonb_build_object(${field.name}::text, ${JSON.stringify(field.default)}::jsonb)`)

const strip = (database: Queryable, table: string, name: string) =>
  database.execute(sql`
    update ${identifier(table)} set custom_field_data = custom_field_data - ${name}::text
    where custom_field_data ? ${name}::text`)
