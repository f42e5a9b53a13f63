import type { Field } from '../../schema/field.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { isSecret } from '../../schema/writable.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { columnLabel, fieldAt } from '../components/field-label.ts'
import { type ValuesByPath, valueAt } from '../lists/path-values.ts'

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
async function customColumns({ database, registry }: Service, model: Model): Promise<readonly ExportColumn[]> {
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

/** A value of a response in the form of a table export: names of objects, labels of choices, empty for nothing. */
function exportValue(field: Field | undefined, value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return listText(field, value)
  if (isJsonObject(value)) return objectText(value)
  if (typeof value === 'boolean') return booleanText(value)
  if (typeof value === 'number' && field?.kind === 'decimal') return value.toFixed(field.places)
  if (typeof value === 'string') return textOf(field, value)
  return String(value)
}

/** Booleans in the reference's notation. */
const booleanText = (value: boolean): string => (value ? 'True' : 'False')

function textOf(field: Field | undefined, value: string): string {
  if (field?.kind === 'dateTime') return value.replace(/Z$/, '+00:00')
  if (field?.kind === 'text' && field.format === 'color') return value && `#${value}`
  if (field?.kind === 'choice') return field.choices.labels.get(value) ?? value
  return value
}

function listText(field: Field | undefined, list: readonly Json[]): string {
  if (field?.kind === 'list' && field.of === 'range') {
    return list.map((range) => (Array.isArray(range) ? rangeText(range) : '')).join(', ')
  }
  return list.map((item) => exportValue(undefined, item)).join(field?.kind === 'tags' ? ',' : ', ')
}

const rangeText = ([low, high]: readonly Json[]): string => (low === high ? String(low) : `${low}-${high}`)

function objectText(object: Json & object): string {
  if (!isJsonObject(object)) return ''
  if (isJsonObject(object.object)) return objectText(object.object)
  if ('label' in object && 'value' in object) return String(object.label ?? '')
  if ('display' in object) return String(object.display ?? '')
  return JSON.stringify(object)
}

/** The value of a custom field. */
function customFieldText(type: string, value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  if (type === 'json') return JSON.stringify(value)
  if (Array.isArray(value)) return value.map((item) => customFieldText('', item)).join(',')
  if (type === 'datetime' && typeof value === 'string') return value.replace('T', ' ').replace(/Z$/, '+00:00')
  return exportValue(undefined, value)
}
