import { invalid } from '../../base/errors.ts'
import { displayOf } from '../../read/query/display.ts'
import type { Json } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, join, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import type { RowIds } from '../remove/find-dependents.ts'
import type { LostData } from '../remove/lost-data.ts'
import { loadRows, type StoredRow } from '../rows.ts'
import {
  inColumns,
  inConditions,
  inConstraints,
  inExpression,
  inParameters,
  type RenameIn,
  type Renaming,
} from './rename-in.ts'

/** A model whose objects store names of fields. */
interface Place {
  readonly model: string
  /** The field with the type, or the types, of the objects whose fields it names. */
  readonly of: string
  /** The fields that contain names. */
  readonly fields: Readonly<Record<string, RenameIn>>
}

/** Everything that stores names of fields, except the definitions of the fields' own type. */
const PLACES: readonly Place[] = [
  { model: SYSTEM.savedFilter, of: 'object_types', fields: { parameters: inParameters } },
  { model: SYSTEM.savedView, of: 'object_type', fields: { parameters: inParameters, columns: inColumns } },
  { model: SYSTEM.tableConfig, of: 'object_type', fields: { columns: inColumns, ordering: inColumns } },
  { model: SYSTEM.dynamicGroup, of: 'object_type', fields: { parameters: inParameters } },
  { model: SYSTEM.objectPermission, of: 'object_types', fields: { constraints: inConstraints } },
  { model: SYSTEM.changePolicy, of: 'object_types', fields: { constraints: inConstraints } },
  { model: SYSTEM.eventRule, of: 'object_types', fields: { date_field: inColumns, conditions: inConditions } },
  { model: SYSTEM.computedField, of: 'object_type', fields: { expression: inExpression } },
  { model: SYSTEM.rule, of: 'object_type', fields: { expression: inExpression } },
]

/** Further models whose objects name the types that they are for, by the field with the types. */
const FOR_TYPES: readonly (readonly [string, string])[] = [
  ...PLACES.map(({ model, of }) => [model, of] as const),
  [SYSTEM.customField, 'object_types'],
  [SYSTEM.customLink, 'object_types'],
  [SYSTEM.exportTemplate, 'object_types'],
]

/** Ids of the remaining objects that name deleted fields or types, by model. */
export async function usesOfDeleted(
  context: Pick<WriteContext, 'service' | 'transaction'>,
  deleted: RowIds,
  lost: LostData,
): Promise<RowIds> {
  const uses = new Map<Model, Set<number>>()
  const note = (model: Model, id: number): void => {
    if (deleted.get(model)?.has(id)) return
    const ids = uses.get(model) ?? new Set<number>()
    uses.set(model, ids.add(id))
  }
  const removals = lost.fields.map(({ type, name, isCustom }) => ({ type, from: name, to: undefined, isCustom }))
  for (const { model, row } of await usesOfFields(context, removals)) note(model, row.id)
  const types = [...lost.objects.keys()].map(({ name }) => name)
  if (types.length === 0) return uses
  for (const [name, field] of FOR_TYPES) {
    const model = context.service.registry.models.get(name)
    const column = model?.columns.get(field)
    if (!model || !column) continue
    const value = sql`to_jsonb(o.${identifier(column.name)})`
    const ids = await context.transaction.queryColumn(
      sql`select o.id from ${table(model)} o where ${value} ?| ${types}::text[] order by o.id`,
    )
    for (const id of ids) note(model, Number(id))
  }
  return uses
}

/** An object that names a field. */
interface FieldUse {
  readonly model: Model
  readonly row: StoredRow
  /** Its values with the new name. */
  readonly changes: Readonly<Record<string, Json>>
  /** Whether one of its values names fields of several types, of which only some are renamed. */
  readonly isShared: boolean
}

/** The objects that name one of the fields. */
async function usesOfFields(
  { service, transaction }: Pick<WriteContext, 'service' | 'transaction'>,
  renamings: readonly Renaming[],
): Promise<readonly FieldUse[]> {
  const uses: FieldUse[] = []
  if (renamings.length === 0) return uses
  for (const place of PLACES) {
    const model = service.registry.models.get(place.model)
    if (!model) continue
    const columns = Object.keys(place.fields).flatMap((name) => model.columns.get(name)?.name ?? [])
    const patterns = renamings.map(({ from }) => `%${from.replaceAll('_', '\\_')}%`)
    const contains = columns.map((column) => sql`o.${identifier(column)}::text like any(${patterns}::text[])`)
    const ids = await transaction.queryColumn(sql`
      select o.id from ${table(model)} o where ${join(contains, ' or ')} order by o.id`)
    const rows = await loadRows(service, transaction, model, ids.map(Number))
    uses.push(...rows.flatMap((row) => useOf(service.registry.models, model, place, row, renamings) ?? []))
  }
  return uses
}

function useOf(
  models: ReadonlyMap<string, Model>,
  model: Model,
  { of, fields }: Place,
  row: StoredRow,
  renamings: readonly Renaming[],
): FieldUse | undefined {
  const types = [row[of]].flat().flatMap((name) => models.get(String(name)) ?? [])
  const isEqual = (left: Json, right: Json): boolean => JSON.stringify(left) === JSON.stringify(right)
  const results = Object.entries(fields).map(([name, rename]) => {
    const value = (row[name] ?? null) as Json // a column of JSON or text
    const alternatives = types.map((type) => rename(value, type, renamings))
    const changed = alternatives.find((alternative) => !isEqual(alternative, value))
    return { name, changed, isShared: alternatives.some((alternative) => isEqual(alternative, value)) }
  })
  const used = results.flatMap(({ name, changed, isShared }) =>
    changed === undefined ? [] : [{ name, changed, isShared }],
  )
  if (used.length === 0) return undefined
  return {
    model,
    row,
    changes: Object.fromEntries(used.map(({ name, changed }) => [name, changed])),
    isShared: used.some(({ isShared }) => isShared),
  }
}

/**
 * Lets everything that stores names of these fields follow their new names. Throws `invalid` for an object that names
 * fields of several types, of which others keep the name.
 */
export async function renameFields(context: WriteContext, renamings: readonly Renaming[]): Promise<void> {
  const uses = await usesOfFields(context, renamings)
  const shared = uses.find(({ isShared }) => isShared)
  if (shared) {
    const label = await labelOf(context, shared)
    throw invalid({ name: [`The ${label} names this field for several object types. Change it first.`] })
  }
  const writer = context.makeWriter(context)
  for (const [model, list] of Map.groupBy(uses, (use) => use.model)) {
    await writer.update(
      model.definition,
      list.map(({ row, changes }) => ({ id: row.id, ...changes })),
    )
  }
}

async function labelOf({ transaction }: Pick<WriteContext, 'transaction'>, { model, row }: FieldUse): Promise<string> {
  const [display] = await transaction.queryColumn(
    sql`select ${displayOf(model, sql`t`)} from ${table(model)} t where t.id = ${row.id}::bigint`,
  )
  return `${model.definition.labels[0]} "${display}"`
}
