import { isStored } from '../../schema/column.ts'
import { isEmpty } from '../../schema/custom-value.ts'
import type { Field } from '../../schema/field.ts'
import { isJsonObject } from '../../schema/json.ts'
import { isRefused } from '../../schema/outcome.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { WriteContext } from '../../write/context.ts'
import { parseValue } from '../../write/parse/parse.ts'
import { loadRows, type StoredRow } from '../../write/rows.ts'
import { sameValue } from '../../write/values.ts'

/** A field that an import changes, with its values in readable form. */
export interface FieldChange {
  readonly field: string
  readonly before: string
  readonly after: string
}

type Body = Readonly<Record<string, unknown>>

/** Whether a body would leave the stored row unchanged. */
export const changesNothing = (registry: Registry, model: Model, body: Body, stored: StoredRow): boolean =>
  Object.entries(body).every(
    ([name, value]) => name === 'changelog_message' || isStoredAs(registry, model, name, value, stored),
  )

function isStoredAs(registry: Registry, model: Model, name: string, value: unknown, stored: StoredRow): boolean {
  const field = model.fields.get(name)
  const column = model.columns.get(name)
  if (field?.kind === 'manyToMany' || field?.kind === 'tags') return sameIds(value, stored[name])
  if (field?.kind === 'customFields') return sameParts(value, stored[name])
  if (!column) return false
  if (!field || field.kind === 'foreignKey') return value === stored[name]
  if (!isStored(field)) return false
  const outcome = parseValue(registry, field, value)
  if (isRefused(outcome)) return false
  // The empty text and null both mean that a choice has no value.
  if (field.kind === 'choice' && isEmpty(outcome.value) && isEmpty(stored[name])) return true
  return sameValue(column, outcome.value, stored[name])
}

function sameIds(left: unknown, right: unknown): boolean {
  const sorted = (ids: unknown): string => JSON.stringify(Array.isArray(ids) ? [...ids].sort() : [])
  return sorted(left) === sorted(right)
}

const sameParts = (parts: unknown, whole: unknown): boolean =>
  isJsonObject(parts) &&
  isJsonObject(whole) &&
  Object.entries(parts).every(([key, value]) => JSON.stringify(value) === JSON.stringify(whole[key] ?? null))

/** A row before and after its change. */
interface RowRevision {
  readonly before: StoredRow
  readonly after: StoredRow
}

/** Changes of each row, in the order of the revisions. One query for each related model. */
export async function changesOf(
  context: WriteContext,
  model: Model,
  revisions: readonly RowRevision[],
): Promise<readonly (readonly FieldChange[])[]> {
  const compared = comparedFields(model)
  const changed = revisions.map(({ before, after }) =>
    compared.filter(([name]) => JSON.stringify(before[name]) !== JSON.stringify(after[name])),
  )
  const names = await displaysOf(context, revisions, changed)
  return revisions.map(({ before, after }, index) =>
    (changed[index] ?? []).flatMap(([name, field]) =>
      field.kind === 'customFields'
        ? customChanges(before[name], after[name])
        : [
            {
              field: name,
              before: textOf(context, field, before[name], names),
              after: textOf(context, field, after[name], names),
            },
          ],
    ),
  )
}

type Compared = readonly [string, Field]

const comparedFields = (model: Model): readonly Compared[] =>
  [...model.fields].filter(
    ([name, field]) =>
      !name.startsWith('_') &&
      !(field.kind === 'dateTime' && field.auto) &&
      (isStored(field) || ['manyToMany', 'tags', 'customFields'].includes(field.kind)),
  )

const relatedModel = (registry: Registry, field: Field): Model | undefined => {
  if (field.kind === 'tags') return registry.model(SYSTEM.tag)
  return field.kind === 'foreignKey' || field.kind === 'manyToMany' ? registry.model(field.to) : undefined
}

type Displays = ReadonlyMap<Model, ReadonlyMap<number, string>>

async function displaysOf(
  context: WriteContext,
  revisions: readonly RowRevision[],
  changed: readonly (readonly Compared[])[],
): Promise<Displays> {
  const idsByModel = new Map<Model, Set<number>>()
  revisions.forEach(({ before, after }, index) => {
    for (const [name, field] of changed[index] ?? []) {
      const model = relatedModel(context.service.registry, field)
      if (!model) continue
      const ids = idsByModel.get(model) ?? new Set()
      idsByModel.set(model, ids)
      for (const id of [before[name], after[name]].flat()) {
        if (typeof id === 'number') ids.add(id)
      }
    }
  })
  return new Map(
    await Promise.all(
      [...idsByModel].map(async ([model, ids]) => {
        const rows = await loadRows(context.service, context.transaction, model, [...ids])
        return [model, new Map(rows.map(({ id, display }) => [id, display]))] as const
      }),
    ),
  )
}

function textOf(context: WriteContext, field: Field, value: unknown, names: Displays): string {
  if (value === null || value === undefined) return ''
  const model = relatedModel(context.service.registry, field)
  if (model)
    return [value]
      .flat()
      .map((id) => names.get(model)?.get(id as number))
      .join(', ')
  if (field.kind === 'choice') {
    return field.choices.list.find((choice) => choice.value === value)?.label ?? String(value)
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function customChanges(before: unknown, after: unknown): readonly FieldChange[] {
  const [old, current] = [isJsonObject(before) ? before : {}, isJsonObject(after) ? after : {}]
  const text = (value: unknown): string =>
    value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  return [...new Set([...Object.keys(old), ...Object.keys(current)])].flatMap((key) =>
    text(old[key]) === text(current[key])
      ? []
      : [{ field: `cf_${key}`, before: text(old[key]), after: text(current[key]) }],
  )
}
