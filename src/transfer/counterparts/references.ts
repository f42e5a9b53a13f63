import { genericKeys } from '../../schema/generic-keys.ts'
import { isJsonObject, type Json, type JsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { CustomFieldTypes } from '../custom-fields.ts'
import type { ImportedRow } from '../parse-row.ts'

/** A reference of a row: to a row that must exist, or to an object that may have been deleted. */
type ReferenceKind = 'required' | 'loose'

/** Returns the id that takes the place of a reference. */
export type Redirect = (field: string, model: string, id: number, kind: ReferenceKind) => number

/** What the values of rows mean. */
export interface Meanings {
  readonly registry: Registry
  readonly customFields: CustomFieldTypes
  /** Names of object types by their ids at the source, which change records contain. */
  readonly typeNames: ReadonlyMap<number, string>
}

/** The row with other ids in all its references; its own id stays. */
export function withReferences(meanings: Meanings, model: Model, row: ImportedRow, redirect: Redirect): ImportedRow {
  const next: ImportedRow = { ...row }
  Object.assign(next, redirectedFields(meanings, model, row, redirect))
  if (model.name === SYSTEM.objectChange) Object.assign(next, redirectedRecord(meanings, row, redirect))
  if (model.name === SYSTEM.customField) Object.assign(next, redirectedDefault(row, redirect))
  return next
}

/** The values of all fields of the row that refer to other objects. */
function redirectedFields(
  { registry, customFields }: Meanings,
  model: Model,
  row: Readonly<Record<string, unknown>>,
  redirect: Redirect,
): Record<string, unknown> {
  const changed: Record<string, unknown> = {}
  for (const [name, field] of model.fields) {
    const value = row[name]
    if (field.kind === 'foreignKey') {
      if (typeof value === 'number') changed[name] = redirect(name, field.to, value, 'required')
    } else if (field.kind === 'manyToMany' && field.write !== 'slug') {
      if (Array.isArray(value)) changed[name] = value.map((id: number) => redirect(name, field.to, id, 'required'))
    } else if (field.kind === 'tags') {
      if (Array.isArray(value)) changed[name] = value.map((id: number) => redirect(name, SYSTEM.tag, id, 'required'))
    } else if (field.kind === 'genericForeignKey') {
      const keys = genericKeys(name, field)
      const [type, id] = [row[keys.type], row[keys.id]]
      if (typeof type === 'string' && typeof id === 'number' && registry.models.has(type)) {
        changed[keys.id] = redirect(keys.id, type, id, 'loose')
      }
    } else if (field.kind === 'customFields' && isJsonObject(value)) {
      changed[name] = redirectedValues(value, customFields, redirect)
    }
  }
  return changed
}

/** Values of custom fields by name. */
function redirectedValues(values: JsonObject, customFields: CustomFieldTypes, redirect: Redirect): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const to = customFields.get(name)?.relatedType
      return [name, to === undefined ? value : redirectedIds(`custom_fields.${name}`, to, value, redirect)]
    }),
  )
}

const redirectedIds = (field: string, to: string, value: Json, redirect: Redirect): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => redirectedIds(field, to, item, redirect))
  return typeof value === 'number' ? redirect(field, to, value, 'loose') : value
}

/** The default of a custom field whose values are objects. */
function redirectedDefault(row: ImportedRow, redirect: Redirect): Record<string, unknown> {
  const { related_object_type: to, default: value } = row
  return typeof to === 'string' && value !== undefined && value !== null
    ? { default: redirectedIds('default', to, value as Json, redirect) } // a column of JSON
    : {}
}

/** The data of a change record, which has the ids that the object referred to. */
function redirectedRecord(meanings: Meanings, row: ImportedRow, redirect: Redirect): Record<string, unknown> {
  const model = meanings.registry.models.get(String(row.changed_object_type))
  const of = (name: string): Json => (row[name] ?? null) as Json // columns of JSON
  const undo = of('undo_data')
  return {
    ...(model && {
      prechange_data: redirectedSnapshot(meanings, model, of('prechange_data'), redirect),
      postchange_data: redirectedSnapshot(meanings, model, of('postchange_data'), redirect),
    }),
    object_context: redirectedPairs(meanings, of('object_context'), redirect),
    undo_data: model && isJsonObject(undo) ? redirectedUndo(meanings, model, undo, redirect) : undo,
  }
}

/** A snapshot as change records contain it: objects by their ids, types by theirs. */
function redirectedSnapshot(meanings: Meanings, model: Model, data: Json, redirect: Redirect): Json {
  if (!isJsonObject(data)) return data
  const next: Record<string, Json> = { ...data }
  const loosely: Redirect = (field, to, id) => redirect(field, to, id, 'loose')
  for (const [name, field] of model.fields) {
    const value = data[name]
    if (value === undefined) continue
    if (field.kind === 'foreignKey' || (field.kind === 'manyToMany' && field.write !== 'slug')) {
      next[name] = redirectedIds(name, field.to, value, loosely)
    } else if (field.kind === 'customFields' && isJsonObject(value)) {
      next[name] = redirectedValues(value, meanings.customFields, loosely)
    }
  }
  for (const [name, field] of model.fields) {
    if (field.kind !== 'genericForeignKey') continue
    const keys = genericKeys(name, field)
    const [type, id] = [data[keys.type], data[keys.id]]
    const to = typeof type === 'number' ? meanings.typeNames.get(type) : type
    if (typeof type === 'number') next[keys.type] = redirect(keys.type, SYSTEM.objectType, type, 'loose')
    if (typeof to === 'string' && typeof id === 'number' && meanings.registry.models.has(to)) {
      next[keys.id] = redirect(keys.id, to, id, 'loose')
    }
  }
  return next
}

/** Data for an undo: values of the row, and rows that were deleted with it. */
function redirectedUndo(meanings: Meanings, model: Model, undo: JsonObject, redirect: Redirect): JsonObject {
  const loosely: Redirect = (field, to, id) => redirect(field, to, id, 'loose')
  const rowOf = (of: Model | undefined, row: Json | undefined): Json =>
    of && isJsonObject(row)
      ? { ...row, ...(redirectedFields(meanings, of, row, loosely) as JsonObject) }
      : (row ?? null)
  const { dependents } = undo
  return {
    ...undo,
    row: rowOf(model, undo.row),
    ...(Array.isArray(dependents) && {
      dependents: dependents.map((dependent: Json) => {
        if (!isJsonObject(dependent)) return dependent
        const of = meanings.registry.models.get(String(dependent.model))
        const row = rowOf(of, dependent.row)
        const rowId =
          isJsonObject(row) && of && typeof row.id === 'number' ? loosely('id', of.name, row.id, 'loose') : 0
        return { ...dependent, row: rowId > 0 && isJsonObject(row) ? { ...row, id: rowId } : row }
      }),
    }),
  }
}

/** A document in which objects are named by `object_type` and `object_id`. */
function redirectedPairs(meanings: Meanings, value: Json, redirect: Redirect): Json {
  if (Array.isArray(value)) return value.map((item: Json) => redirectedPairs(meanings, item, redirect))
  if (!isJsonObject(value)) return value
  const next = Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, redirectedPairs(meanings, item, redirect)]),
  )
  const { object_type: type, object_id: id } = value
  const isNamed = typeof type === 'string' && typeof id === 'number' && meanings.registry.models.has(type)
  return isNamed ? { ...next, object_id: redirect('object_id', type, id, 'loose') } : next
}
