import type { TextsById } from '../schema/computed.ts'
import { oncePerText } from '../schema/once-per.ts'
import type { Model } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { genericProjection } from './generic-projection.ts'
import type { Reader, ValueRow, WriteValue } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'
import { quote } from './value-text.ts'

/** A custom field as far as showing its values needs it. */
interface ShownField {
  readonly name: string
  /** Text before its value. */
  readonly head: string
  /** `one` and `many`: the value is an id, or a list of ids, of objects of `related`. */
  readonly cardinality: 'value' | 'one' | 'many'
  readonly related: Model | undefined
}

type Values = Readonly<Record<string, unknown>>

/** All custom fields of the model, by group, weight and name; null where an object has no value. */
export function writeCustomFields(builder: PlanBuilder): WriteValue {
  const { model, service } = builder
  if (!service.registry.models.has(SYSTEM.customField)) return () => '{}'
  const index = builder.stored('custom_fields')
  const position = builder.loadByRows(async (rows, reader) => {
    const fields = await shownFields(reader, model)
    if (fields.length === 0) return new Map()
    const stored = new Map(
      rows.map((row) => [Number(row[0]), storedValues(fields, String(row[index]))]),
    )
    const naming = [...stored.values()].filter(({ text }) => text === undefined)
    const objects = await loadObjects(
      reader,
      fields,
      naming.map(({ values }) => values),
    )
    return {
      get: (id) => {
        const own = stored.get(id)
        return own && (own.text ?? textOf(fields, own.values, objects))
      },
    }
  })
  return (row: ValueRow, loaded) => loaded[position]?.get(Number(row[0])) ?? '{}'
}

/** Values of an object as they are stored. */
interface StoredValues {
  readonly values: Values
  /** How they are shown; undefined where they name objects: each row depends on those that it shows. */
  readonly text: string | undefined
}

/** Different values per model whose texts stay: many objects have the same. */
const MOST_TEXTS = 100

/** Characters of stored values. Longer ones seldom repeat, and would take too much memory. */
const LONGEST_TEXT = 2_000

function readValues(fields: readonly ShownField[], stored: string): StoredValues {
  const values = JSON.parse(stored)
  const isShownAlone = !namesObjects(fields, values)
  return { values, text: isShownAlone ? textOf(fields, values, NO_OBJECTS) : undefined }
}

const storedValues = oncePerText(MOST_TEXTS, readValues, { longest: LONGEST_TEXT })

const shownFields = (reader: Reader, model: Model): Promise<readonly ShownField[]> =>
  reader.cached(`custom fields shown by ${model.name}`, () => loadFields(reader, model))

async function loadFields({ service, database }: Reader, model: Model): Promise<ShownField[]> {
  const rows = await database.query<{ name: string; type: string; related: string | null }>(sql`
    select name, type, related_object_type as related from ${table(SYSTEM.customField)}
    where ${model.name} = any(object_types)
    order by group_name collate "C", weight, name collate "C"`)
  return rows.map(({ name, type, related }) => ({
    name,
    head: `${quote(name)}:`,
    cardinality: type === 'object' ? 'one' : type === 'multiobject' ? 'many' : 'value',
    related: service.registry.models.get(related ?? ''),
  }))
}

/** Nested texts, by model, of the objects that values name. */
type Objects = ReadonlyMap<Model, TextsById>

async function loadObjects(
  reader: Reader,
  fields: readonly ShownField[],
  values: readonly Values[],
): Promise<Objects> {
  const wanted = new Map<Model, Set<number>>()
  for (const { name, related, cardinality } of fields) {
    if (!related || cardinality === 'value') continue
    const ids = wanted.get(related) ?? new Set<number>()
    wanted.set(related, ids)
    for (const value of values) for (const id of idsIn(value[name])) ids.add(id)
  }
  const loaded = await Promise.all(
    [...wanted].map(
      async ([model, ids]) =>
        [model, await reader.nested(model, genericProjection(model), ids)] as const,
    ),
  )
  return new Map(loaded)
}

const NO_OBJECTS: Objects = new Map()

const namesObjects = (fields: readonly ShownField[], values: Values): boolean =>
  fields.some(({ name, cardinality }) => cardinality !== 'value' && idsIn(values[name]).length > 0)

const idsIn = (value: unknown): readonly number[] =>
  (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'number')

const textOf = (fields: readonly ShownField[], values: Values, objects: Objects): string =>
  `{${fields.map((field) => field.head + valueText(field, values[field.name], objects)).join(',')}}`

/** Objects that are gone are left out of lists, and null where only one is meant. */
function valueText({ cardinality, related }: ShownField, value: unknown, objects: Objects): string {
  if (cardinality === 'value') return value == null ? 'null' : JSON.stringify(value)
  const texts = idsIn(value).flatMap((id) => (related && objects.get(related)?.get(id)) ?? [])
  if (cardinality === 'many' && Array.isArray(value)) return `[${texts.join(',')}]`
  return texts[0] ?? 'null'
}
