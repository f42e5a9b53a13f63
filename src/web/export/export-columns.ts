import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { isSecret } from '../../schema/writable.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { columnLabel, fieldAt } from '../components/field-label.ts'
import { type ValuesByPath, valueAt } from '../lists/path-values.ts'
import { customFieldText, exportValue } from './export-value.ts'

/** A column of an export. */
export interface ExportColumn {
  readonly heading: string
  /** Field or path that must be read. */
  readonly path: string
  textOf(object: JsonObject, values: ValuesByPath): string
}

/** Columns of an export at these paths, without secrets. */
export const columnsAt = (
  { registry }: Service,
  model: Model,
  paths: readonly string[],
  headings: readonly string[] = [],
): readonly ExportColumn[] =>
  paths.flatMap((path, index): readonly ExportColumn[] => {
    const field = fieldAt(registry, model, path)
    if (isSecret(field)) return []
    return [
      {
        heading: headings[index] ?? columnLabel(registry, model, path),
        path,
        textOf: (object, values) => exportValue(field, valueAt(values, object, path)),
      },
    ]
  })

/** All columns that a list of the model can have, custom fields last. */
export async function allColumns(service: Service, model: Model): Promise<readonly ExportColumn[]> {
  const { columns, moreColumns } = service.registry.view(model)
  const others = moreColumns ?? model.answer.filter((name) => !NEVER.has(name))
  const paths = [...new Set([...columns, ...others])]
  return [...columnsAt(service, model, paths), ...(await customColumns(service, model))]
}

const NEVER: ReadonlySet<string> = new Set(['url', 'display_url', 'display', 'custom_fields'])

/** Columns of the visible custom fields, by group, weight and name. */
async function customColumns(
  { database, registry }: Service,
  model: Model,
): Promise<readonly ExportColumn[]> {
  if (!model.fields.has('custom_fields') || !registry.models.has(SYSTEM.customField)) return []
  const fields = await database.query<{ name: string; label: string; type: string }>(sql`
    select f.name, coalesce(nullif(f.label, ''), f.name) as label, f.type
    from ${table(SYSTEM.customField)} f
    where ${model.name} = any(f.object_types) and f.ui_visible <> 'hidden'
    order by f.group_name, f.weight, f.name`)
  return fields.map(({ name, label, type }) => ({
    heading: label,
    path: 'custom_fields',
    textOf: ({ custom_fields }) => customFieldText(type, customValue(custom_fields, name)),
  }))
}

const customValue = (values: Json | undefined, name: string): Json | undefined =>
  isJsonObject(values) ? values[name] : undefined
