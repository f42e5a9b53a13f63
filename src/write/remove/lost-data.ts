import { columnsOf } from '../../schema/column.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import type { RowIds } from './find-dependents.ts'

/** What a deletion of definitions takes besides the rows themselves. It gets no change records of its own. */
export interface LostData {
  /** Ids of the objects of deleted custom models, by model. */
  readonly objects: RowIds
  /** Values of deleted fields and assignments of deleted tags, of objects that remain. */
  readonly values: readonly LostValues[]
  /** The deleted fields, whose names other objects may contain. */
  readonly fields: readonly LostField[]
}

interface LostValues {
  readonly model: Model
  readonly ids: readonly number[]
  /** Name of the model's field that changes: `custom_fields` for a custom field. */
  readonly field: string
  /** What people call the deleted field or tag. */
  readonly label: string
}

interface LostField {
  /** The model's name. */
  readonly type: string
  readonly name: string
  readonly isCustom: boolean
}

const NOTHING: LostData = { objects: new Map(), values: [], fields: [] }

type Reader = Pick<WriteContext, 'service' | 'transaction'>

/** What goes with the deleted rows. */
export async function findLostData(context: Reader, deleted: RowIds): Promise<LostData> {
  const byName = new Map([...deleted].map(([{ name }, ids]) => [name, [...ids]]))
  const parts = await Promise.all(
    LOSSES.map(async ([name, find]) => {
      const ids = byName.get(name)
      return ids === undefined || ids.length === 0 ? NOTHING : await find(context, ids)
    }),
  )
  const objects = new Map(parts.flatMap((part) => [...part.objects]))
  return {
    objects,
    // The objects of a deleted type go as a whole.
    values: parts.flatMap((part) => part.values).filter(({ model, ids }) => ids.length > 0 && !objects.has(model)),
    fields: parts.flatMap((part) => part.fields),
  }
}

const LOSSES: readonly (readonly [string, (context: Reader, ids: readonly number[]) => Promise<LostData>])[] = [
  [SYSTEM.customObjectType, ofTypes],
  [SYSTEM.customObjectField, ofOwnFields],
  [SYSTEM.customField, ofCustomFields],
  [SYSTEM.computedField, ofComputedFields],
  [SYSTEM.tag, ofTags],
]

async function ofTypes({ service, transaction }: Reader, ids: readonly number[]): Promise<LostData> {
  const names = await transaction.queryColumn(sql`
    select t.object_type_name from ${table(SYSTEM.customObjectType)} t
    where t.id = any(${ids}::bigint[]) and t.extends is null`)
  const models = names.flatMap((name) => service.registry.models.get(String(name)) ?? [])
  const objects = await Promise.all(
    models.map(async (model) => {
      const rows = await transaction.queryColumn(sql`select o.id from ${table(model)} o order by o.id`)
      return [model, new Set(rows.map(Number))] as const
    }),
  )
  return { ...NOTHING, objects: new Map(objects) }
}

interface OwnField extends Record<string, unknown> {
  readonly type: string
  readonly name: string
  readonly label: string
  /** Its column, or the beginning of the names of its columns and join tables. */
  readonly column: string
}

/** Whether a column or a table belongs to what has this name: `f1` and `f1_type`, but not `f10`. */
const isPart = (name: string, whole: string): boolean => name === whole || name.startsWith(`${whole}_`)

async function ofOwnFields({ service, transaction }: Reader, ids: readonly number[]): Promise<LostData> {
  const rows = await transaction.query<OwnField>(sql`
    select coalesce(y.extends, y.object_type_name) as type, f.name, f.label,
      case when y.extends is null then '' else 'x' || y.id || '_' end || 'f' || f.schema_id as column
    from ${table(SYSTEM.customObjectField)} f join ${table(SYSTEM.customObjectType)} y on y.id = f.custom_object_type_id
    where f.id = any(${ids}::bigint[]) order by f.weight, f.id`)
  const parts = await Promise.all(
    rows.map(async ({ type, name, label, column }): Promise<LostData> => {
      const model = service.registry.models.get(type)
      if (!model) return NOTHING
      const declared = [...model.fields].filter(([key, field]) => {
        if (field.kind !== 'manyToMany') return columnsOf(key, field).some(({ name }) => isPart(name, column))
        return isPart(service.registry.joinTable(model, key, field).table, `${model.table}_${column}`)
      })
      const filled = declared.flatMap(([key, field]): readonly Sql[] => {
        if (field.kind !== 'manyToMany') {
          return columnsOf(key, field).map((stored) => sql`o.${identifier(stored.name)} is not null`)
        }
        const joined = service.registry.joinTable(model, key, field)
        return [sql`exists (select from ${table(joined)} j where j.${identifier(joined.ownColumn)} = o.id)`]
      })
      const fields = declared.map(([key]) => ({ type, name: key, isCustom: false }))
      if (filled.length === 0) return { ...NOTHING, fields }
      const objects = await idsWith(transaction, model, join(filled, ' or '))
      return {
        ...NOTHING,
        values: [{ model, ids: objects, field: declared[0]?.[0] ?? name, label: label === '' ? name : label }],
        fields,
      }
    }),
  )
  return { ...NOTHING, values: parts.flatMap(({ values }) => values), fields: parts.flatMap(({ fields }) => fields) }
}

async function ofCustomFields({ service, transaction }: Reader, ids: readonly number[]): Promise<LostData> {
  const rows = await transaction.query<{ name: string; label: string; types: readonly string[] }>(sql`
    select f.name, f.label, f.object_types as types from ${table(SYSTEM.customField)} f
    where f.id = any(${ids}::bigint[]) order by f.id`)
  const parts = rows.flatMap(({ name, label, types }) =>
    types.flatMap((type) => {
      const model = service.registry.models.get(type)
      return model?.has('customFields') ? [{ name, label: label === '' ? name : label, model }] : []
    }),
  )
  const values = await Promise.all(
    parts.map(async ({ name, label, model }) => {
      const value = sql`o.custom_field_data -> ${name}::text`
      const objects = await idsWith(transaction, model, sql`${value} is not null and ${value} <> 'null'::jsonb`)
      return { model, ids: objects, field: 'custom_fields', label }
    }),
  )
  return { ...NOTHING, values, fields: parts.map(({ name, model }) => ({ type: model.name, name, isCustom: true })) }
}

/** Their values are computed, so that nothing is lost but the name. */
async function ofComputedFields({ transaction }: Reader, ids: readonly number[]): Promise<LostData> {
  const rows = await transaction.query<{ type: string; name: string }>(sql`
    select f.object_type as type, f.name from ${table(SYSTEM.computedField)} f where f.id = any(${ids}::bigint[])`)
  return { ...NOTHING, fields: rows.map(({ type, name }) => ({ type, name, isCustom: false })) }
}

async function ofTags({ service, transaction }: Reader, ids: readonly number[]): Promise<LostData> {
  const rows = await transaction.query<{ type: string; id: number; label: string }>(sql`
    select i.object_type as type, i.object_id as id, g.name as label
    from ${table(SYSTEM.taggedItem)} i join ${table(SYSTEM.tag)} g on g.id = i.tag_id
    where i.tag_id = any(${ids}::bigint[]) order by g.name, i.object_type, i.object_id`)
  const byTag = Map.groupBy(rows, ({ type, label }) => JSON.stringify([type, label]))
  const values = [...byTag.values()].flatMap((items) => {
    const [first] = items
    const model = first && service.registry.models.get(first.type)
    return model ? [{ model, ids: items.map(({ id }) => Number(id)), field: 'tags', label: first.label }] : []
  })
  return { ...NOTHING, values }
}

const idsWith = async (transaction: Reader['transaction'], model: Model, condition: Sql): Promise<readonly number[]> =>
  (await transaction.queryColumn(sql`select o.id from ${table(model)} o where ${condition} order by o.id`)).map(Number)
