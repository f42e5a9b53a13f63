import type { Field } from '../../schema/field.ts'
import { genericPart } from '../../schema/generic-keys.ts'
import { isJsonObject, type JsonObject, ownValue } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { sentenceCase, translateLabel } from '../texts/translate.ts'
import { humanize } from './humanize.ts'

/** Label, in the language of the page, of a field or of the field at the end of a path: `Facility ID`, `Region`. */
export function fieldLabel(registry: Registry, model: Model, path: string): string {
  const [name = '', ...remaining] = path.split('.')
  const field = model.fields.get(name)
  if (remaining.length > 0 && field && 'to' in field) {
    return fieldLabel(registry, registry.model(field.to), remaining.join('.'))
  }
  const described = field && 'label' in field ? field.label : undefined
  const label = registry.view(model).fieldLabels?.[name] ?? described
  return sentenceCase(typeof label === 'string' ? label : (ownValue(PLAIN_NAMES, name) ?? humanize(name)))
}

/** Labels of fields whose names say little outside the API. */
const PLAIN_NAMES: Readonly<Record<string, string>> = {
  assigned_object: 'Assigned to',
  assigned_object_type: 'Object type',
  action_object: 'Action',
  action_object_type: 'Action type',
  parent_object_type: 'Parent type',
}

/** Label next to a value: without the unit in which the API takes it (`Speed (Kbps)`) if pages show another one. */
export function valueLabel(registry: Registry, model: Model, path: string, label: string): string {
  return unitAt(registry, model, path) === 'kbps' ? label.replace(/ \([^()]*\)$/, '') : label
}

/** The field at the end of a path. */
export function fieldAt(registry: Registry, model: Model, path: string): Field | undefined {
  const [name = '', ...remaining] = path.split('.')
  const field = model.fields.get(name)
  if (remaining.length === 0) return field ?? typeRelation(model, name)
  return field && 'to' in field ? fieldAt(registry, registry.model(field.to), remaining.join('.')) : undefined
}

/** Unit of the value at a path: that of the field, or the one chosen by another field of the object. */
export function unitAt(registry: Registry, model: Model, path: string, object?: JsonObject): string | undefined {
  const [name = '', ...remaining] = path.split('.')
  const field = model.fields.get(name)
  if (remaining.length > 0) {
    return field && 'to' in field ? unitAt(registry, registry.model(field.to), remaining.join('.')) : undefined
  }
  const unit = field && 'unit' in field ? field.unit : undefined
  if (unit === undefined || !model.fields.has(unit)) return unit
  const chosen = object?.[unit]
  return isJsonObject(chosen) ? translateLabel(String(chosen.label).toLowerCase()) : undefined
}

/** The generic relation whose object type has this name. */
function typeRelation(model: Model, name: string): Field | undefined {
  const part = genericPart(model, name)
  return part?.part === 'type' ? part.field : undefined
}

/** Heading of a column of a list. */
export const columnLabel = (registry: Registry, model: Model, path: string): string =>
  sentenceCase(registry.view(model).labels?.[path] ?? fieldLabel(registry, model, path))
