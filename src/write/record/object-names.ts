import { T } from '../../read/query/alias.ts'
import { displayOf } from '../../read/query/display.ts'
import { scalarPath } from '../../read/query/scalar-path.ts'
import { genericPart } from '../../schema/generic-keys.ts'
import type { Json, JsonObject } from '../../schema/json.ts'
import { keyOfObject, keysInOrder } from '../../schema/natural-key.ts'
import { oncePer } from '../../schema/once-per.ts'
import type { Model } from '../../schema/registry.ts'
import { empty, join, raw, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { WriteContext } from '../context.ts'
import { type ObjectReference, objectKey } from '../related-object.ts'
import type { StoredRow } from '../rows.ts'

/** An object by its display text and the values that identify it; related objects by their display texts. */
interface ObjectName extends JsonObject {
  readonly display: string
  readonly key: JsonObject
}

/** Rows that have already been read, by model and id. */
type ReadRows = ReadonlyMap<string, ReadonlyMap<number, StoredRow>>
type Names = Map<string, ObjectName>

/**
 * Names of the objects, by `objectKey`. Names of rows that have been read are taken from the rows if possible; the
 * others need one query per model.
 */
export async function objectNames(
  context: Pick<WriteContext, 'service' | 'transaction'>,
  objects: readonly ObjectReference[],
  rows: ReadRows,
): Promise<ReadonlyMap<string, ObjectName>> {
  const names: Names = new Map()
  const reads: Promise<void>[] = []
  const namedRows: NamedRow[] = []
  for (const [type, list] of Map.groupBy(objects, ({ type }) => type)) {
    const model = context.service.registry.models.get(type)
    if (!model) continue
    const unread: number[] = []
    const read = isNamedByRow(model) ? rows.get(type) : undefined
    for (const id of new Set(list.map(({ id }) => id))) {
      const row = read?.get(id)
      if (row) namedRows.push({ model, row })
      else unread.push(id)
    }
    if (unread.length > 0) reads.push(readNames(context, model, unread, names))
  }
  await Promise.all([...reads, nameRows(context, namedRows, rows, names)])
  return names
}

async function readNames(
  { transaction }: Pick<WriteContext, 'transaction'>,
  model: Model,
  ids: readonly number[],
  names: Names,
): Promise<void> {
  const displays = await transaction.query<{ id: number; display: string; values: string }>(sql`
    select t.id, ${displayOf(model, T)} as display, ${keyValues(model)}::text as values
    from ${table(model)} t where t.id = any(${ids}::bigint[])`)
  for (const { id, display, values } of displays) {
    const key = keyIn(model, display, JSON.parse(values) as JsonObject) // built by keyValues
    names.set(objectKey(model.name, id), { display, key })
  }
}

/** Fields of all keys of the model. */
const keyFields = oncePer((model: Model): readonly string[] => [
  ...new Set(keysInOrder(model).flatMap(({ fields, absent }) => [...fields, ...absent])),
])

/** JSON object of the key values of row `t` for all keys of its model; related objects by their display texts. */
const keyValues = oncePer((model: Model): Sql => {
  const parts = keyFields(model).flatMap((name) => {
    const generic = genericPart(model, name)
    const isRelated = model.fields.get(name)?.kind === 'foreignKey'
    const path = generic?.part === 'id' ? generic.relation : name
    const isNamed = isRelated || generic?.part === 'id'
    return [raw(`'${name}'`), scalarPath(model, T, isNamed ? `${path}.display` : path, displayOf)]
  })
  return sql`json_build_object(${parts.length === 0 ? empty : join(parts)})`
})

/** The values that identify the object, or its display text. */
function keyIn(model: Model, display: string, values: JsonObject): JsonObject {
  const names = keyOfObject(model, values)
  return names ? Object.fromEntries(names.map((name) => [name, values[name] ?? null])) : { display }
}

interface NamedRow {
  readonly model: Model
  readonly row: StoredRow
}

/** Kinds of fields whose values in rows equal those of `keyValues`, or differ as described at `plainValue`. */
const PLAIN_KINDS: ReadonlySet<string> = new Set([...['text', 'choice', 'integer', 'network', 'address', 'foreignKey']])

const isNamedByRow = oncePer((model: Model): boolean =>
  keyFields(model).every((name) => PLAIN_KINDS.has(model.fields.get(name)?.kind ?? '')),
)

interface RowKeyField {
  readonly name: string
  readonly kind: string
  /** Model of the related object. */
  readonly to: string | undefined
}

const rowKeyFields = oncePer((model: Model): readonly RowKeyField[] =>
  keyFields(model).flatMap((name) => {
    const field = model.fields.get(name)
    if (!field) return []
    return [{ name, kind: field.kind, to: field.kind === 'foreignKey' ? field.to : undefined }]
  }),
)

async function nameRows(
  context: Pick<WriteContext, 'service' | 'transaction'>,
  namedRows: readonly NamedRow[],
  rows: ReadRows,
  names: Names,
): Promise<void> {
  const displays = await relatedDisplays(context, namedRows, rows)
  for (const { model, row } of namedRows) {
    const values: Record<string, Json> = {}
    for (const { name, kind, to } of rowKeyFields(model)) {
      values[name] = to === undefined ? plainValue(kind, row[name]) : displays(to, row[name])
    }
    const { display } = row
    names.set(objectKey(model.name, row.id), { display, key: keyIn(model, display, values) })
  }
}

/** A value in the form of PostgreSQL's JSON, in which the address of a host has no length. */
const plainValue = (kind: string, value: unknown): Json =>
  kind === 'address' && typeof value === 'string'
    ? value.replace(value.includes(':') ? /\/128$/ : /\/32$/, '')
    : ((value ?? null) as Json) // of a plain kind

/** Display texts of the objects in the rows' keys; one query for each model with unread rows. */
async function relatedDisplays(
  { service, transaction }: Pick<WriteContext, 'service' | 'transaction'>,
  namedRows: readonly NamedRow[],
  rows: ReadRows,
): Promise<(model: string, id: unknown) => string | null> {
  const missing = new Map<string, Set<number>>()
  for (const { model, row } of namedRows) {
    for (const { name, to } of rowKeyFields(model)) {
      const id = row[name]
      if (to === undefined || typeof id !== 'number' || rows.get(to)?.has(id)) continue
      missing.set(to, (missing.get(to) ?? new Set()).add(id))
    }
  }
  const namesByModel = new Map<string, ReadonlyMap<number, string | null>>()
  await Promise.all(
    [...missing].map(async ([name, ids]) => {
      const model = service.registry.model(name)
      const read = await transaction.query<{ id: number; display: string | null }>(sql`
        select t.id, ${displayOf(model, T)} as display
        from ${table(model)} t where t.id = any(${[...ids]}::bigint[])`)
      namesByModel.set(name, new Map(read.map(({ id, display }) => [id, display])))
    }),
  )
  return (model, id) => {
    if (typeof id !== 'number') return null
    return rows.get(model)?.get(id)?.display ?? namesByModel.get(model)?.get(id) ?? null
  }
}
