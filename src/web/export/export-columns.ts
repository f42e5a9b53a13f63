import type { Field } from '../../schema/field.ts'
import { pairText } from '../../schema/fields/list.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { isSecret } from '../../schema/writable.ts'
import type { Service } from '../../service.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { columnLabel, fieldAt } from '../components/field-label.ts'
import { CUSTOM_FIELD, valueAt } from '../data/page-objects.ts'

/** A column of an export. */
export interface ExportColumn {
  readonly heading: string
  /** Path of the value, or `cf_` and the name of a custom field. */
  readonly name: string
  /** Field or path that must be read. */
  readonly path: string
  textOf(object: JsonObject): string
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
        name: path,
        path,
        textOf: (object) => exportValue(field, valueAt(object, path)),
      },
    ]
  })

/** All columns that a list of the model can have, custom fields last. */
export async function allColumns(service: Service, model: Model): Promise<readonly ExportColumn[]> {
  const { columns: defaults, moreColumns } = service.registry.view(model)
  const further = moreColumns ?? model.answer.filter((name) => !NEVER.has(name))
  // The id makes an import change the object.
  const paths = [...new Set([...defaults, ...further, 'id'])]
  const columns = [...columnsAt(service, model, paths)]
  const taken = new Set([...model.fields.keys(), ...columns.map(({ heading }) => heading)])
  for (const column of await customColumns(service, model)) {
    // A label may be the heading of another column, or the name of a field, which an import would read instead.
    const heading = taken.has(column.heading) ? column.name : column.heading
    taken.add(heading)
    columns.push({ ...column, heading })
  }
  return columns
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
    name: `${CUSTOM_FIELD}${name}`,
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
  if (field?.kind === 'list' && field.of === 'textPair') {
    return list.map((pair) => pairText(pair as [string, string])).join(', ') // as stored by the field
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
