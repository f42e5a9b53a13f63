import type { Model } from '../schema/registry.ts'
import { identifier, sql } from '../sql/fragment.ts'
import { genericForm } from './form.ts'
import { orderOf } from './many.ts'
import type { Reader, ValueRow, WriteValue } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'

const DEFINITION_MODEL = 'extras.customfield'

/** A custom field as far as showing its values needs it. */
interface ShownField {
  readonly name: string
  /** `one` and `many`: the value is an id, or a list of ids, of objects of `related`. */
  readonly shape: 'value' | 'one' | 'many'
  readonly related: Model | undefined
}

type Values = Readonly<Record<string, unknown>>

/** All custom fields of the model, by group, weight and name; null where an object has no value. */
export function writeCustomFields(builder: PlanBuilder): WriteValue {
  const { model, service } = builder
  builder.isTraceable = false
  if (!service.registry.models.has(DEFINITION_MODEL)) return () => '{}'
  const index = builder.stored('custom_fields')
  const position = builder.load(async (rows, reader) => {
    const fields = await shownFields(reader, model)
    if (fields.length === 0) return new Map()
    const unset = textOf(fields, {}, new Map())
    const values = new Map<number, Values>()
    for (const row of rows) {
      const text = row[index]
      if (text !== '{}') values.set(Number(row[0]), JSON.parse(String(text)))
    }
    const objects = await loadObjects(reader, fields, [...values.values()])
    return new Map(
      rows.map(([id]) => {
        const own = values.get(Number(id))
        return [Number(id), own ? textOf(fields, own, objects) : unset]
      }),
    )
  })
  return (row: ValueRow, loaded) => loaded[position]?.get(Number(row[0])) ?? '{}'
}

const shownFields = (reader: Reader, model: Model): Promise<readonly ShownField[]> =>
  reader.service.memory.get(`custom fields shown by ${model.name}`, [DEFINITION_MODEL], () =>
    loadFields(reader, model),
  )

async function loadFields({ service, database }: Reader, model: Model): Promise<ShownField[]> {
  const rows = await database.query<{ name: string; type: string; related: string | null }>(sql`
    select name, type, related_object_type as related from extras_customfield
    where ${model.name} = any(object_types)
    order by group_name collate "C", weight, name collate "C"`)
  return rows.map(({ name, type, related }) => ({
    name,
    shape: type === 'object' ? 'one' : type === 'multiobject' ? 'many' : 'value',
    related: service.registry.models.get(related ?? ''),
  }))
}

/** Objects that values name, with the place that the model's own order gives them among the others. */
interface Objects {
  readonly texts: ReadonlyMap<number, string>
  readonly places: ReadonlyMap<number, number>
}

async function loadObjects(
  reader: Reader,
  fields: readonly ShownField[],
  values: readonly Values[],
): Promise<ReadonlyMap<Model, Objects>> {
  const wanted = new Map<Model, { ids: Set<number>; isOrdered: boolean }>()
  for (const { name, related, shape } of fields) {
    if (!related || shape === 'value') continue
    const wish = wanted.get(related) ?? { ids: new Set<number>(), isOrdered: false }
    wanted.set(related, wish)
    for (const value of values) {
      const ids = idsIn(value[name])
      for (const id of ids) wish.ids.add(id)
      wish.isOrdered ||= ids.length > 1
    }
  }
  const loaded = await Promise.all(
    [...wanted].map(async ([model, { ids, isOrdered }]) => {
      const [texts, places] = await Promise.all([
        reader.nested(model, genericForm(model), ids),
        isOrdered ? placesOf(reader, model, [...ids]) : new Map<number, number>(),
      ])
      return [model, { texts, places }] as const
    }),
  )
  return new Map(loaded)
}

async function placesOf(reader: Reader, model: Model, ids: readonly number[]) {
  const { joins, terms } = orderOf(reader.service, model)
  const rows = await reader.database.queryArrays(
    sql`select t.id from ${identifier(model.table)} t${joins} where t.id = any(${ids}::bigint[]) order by ${terms}`,
  )
  return new Map(rows.map(([id], place) => [Number(id), place]))
}

const idsIn = (value: unknown): readonly number[] =>
  (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'number')

const textOf = (
  fields: readonly ShownField[],
  values: Values,
  objects: ReadonlyMap<Model, Objects>,
): string =>
  `{${fields.map((field) => `${JSON.stringify(field.name)}:${valueText(field, values[field.name], objects)}`).join(',')}}`

function valueText(
  { shape, related }: ShownField,
  value: unknown,
  objects: ReadonlyMap<Model, Objects>,
): string {
  if (shape === 'value') return JSON.stringify(value) ?? 'null'
  const known = related && objects.get(related)
  if (!known) return 'null'
  const ids = idsIn(value).filter((id) => known.texts.has(id))
  const [first] = ids
  if (first === undefined) return 'null'
  if (shape === 'one') return known.texts.get(first) ?? 'null'
  const place = (id: number) => known.places.get(id) ?? 0
  const texts = ids.toSorted((a, b) => place(a) - place(b)).map((id) => known.texts.get(id))
  return `[${texts.join(',')}]`
}
