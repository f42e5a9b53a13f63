import type { Field } from '../../schema/field.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'

/** A value of an answer as an export of a table has it: names of objects, labels of choices, empty for nothing. */
export function exportValue(field: Field | undefined, value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return listText(field, value)
  if (isJsonObject(value)) return objectText(value)
  if (typeof value === 'boolean') return booleanText(value)
  if (typeof value === 'number' && field?.kind === 'decimal') return value.toFixed(field.places)
  if (typeof value === 'string') return textOf(field, value)
  return String(value)
}

/** Truth values are written as the reference writes them. */
export const booleanText = (value: boolean): string => (value ? 'True' : 'False')

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

const rangeText = ([low, high]: readonly Json[]): string =>
  low === high ? String(low) : `${low}-${high}`

function objectText(object: Json & object): string {
  if (!isJsonObject(object)) return ''
  if (isJsonObject(object.object)) return objectText(object.object)
  if ('label' in object && 'value' in object) return String(object.label ?? '')
  if ('display' in object) return String(object.display ?? '')
  return JSON.stringify(object)
}

/** The value of a custom field. */
export function customFieldText(type: string, value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  if (type === 'json') return JSON.stringify(value)
  if (Array.isArray(value)) return value.map((item) => customFieldText('', item)).join(',')
  if (type === 'datetime' && typeof value === 'string')
    return value.replace('T', ' ').replace(/Z$/, '+00:00')
  return exportValue(undefined, value)
}
