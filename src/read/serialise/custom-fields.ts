import type { ApiVersion } from '../../base/api-version.ts'
import type { TextsById } from '../../schema/computed.ts'
import { quote } from '../../schema/fields/kind.ts'
import { ownValue, parseJson } from '../../schema/json.ts'
import { oncePerText } from '../../schema/once-per.ts'
import { type ChoicePair, choicesOf } from '../../schema/published-choices.ts'
import type { Model } from '../../schema/registry.ts'
import { CHOSEN, type Labels } from '../../schema/selection-shape.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { genericProjection } from './generic-projection.ts'
import type { Reader, ValueRenderer, ValueRow } from './plan.ts'
import type { PlanBuilder } from './plan-builder.ts'

/** The parts of a custom field that its values in responses depend on. */
export interface ShownField {
  readonly name: string
  /** Text before the value of the field. */
  readonly head: string
  /** `one` and `many`: the value is an id, or a list of ids, of objects of `related`. */
  readonly cardinality: 'value' | 'one' | 'many'
  /** How a selection shows its value; absent for other types. */
  readonly convert?: (value: unknown) => unknown
  readonly related: Model | undefined
}

type Values = Readonly<Record<string, unknown>>

/** All custom fields of the model, by group, weight and name; null if an object has no value. */
export function customFieldsRenderer(builder: PlanBuilder): ValueRenderer {
  const { model, service } = builder
  if (!service.registry.models.has(SYSTEM.customField)) return () => '{}'
  const { form } = builder
  const version = form.isPlain ? '4.6' : service.registry.version
  const index = builder.stored('custom_fields')
  const position = builder.loadByRows(async (rows, reader) => {
    const fields = await shownFields(reader, model, version)
    if (fields.length === 0) return new Map()
    const stored = new Map(rows.map((row) => [Number(row[0]), renderedValues(fields, String(row[index]))]))
    const objects = await loadObjects(reader, stored.values())
    return {
      get: (id) => {
        const rendered = stored.get(id)
        return rendered && textOf(rendered, objects)
      },
    }
  })
  return (row: ValueRow, loaded) => loaded[position]?.get(Number(row[0])) ?? '{}'
}

/** The text of an object's values, with gaps for the named objects: each row depends on those that it shows. */
interface RenderedValues {
  readonly named: readonly NamedObjects[]
  /** Text after the last of them. */
  readonly end: string
}

/** Objects that a value names. */
interface NamedObjects {
  /** Text before them. */
  readonly before: string
  readonly related: Model
  readonly ids: readonly number[]
  /** Whether the value is a list. */
  readonly isList: boolean
}

/** Maximum number of values per model whose texts are cached: many objects have the same values. */
const MOST_TEXTS = 100

/** Characters of stored values. Longer values seldom repeat, and would take too much memory. */
const LONGEST_TEXT = 2_000

function renderValues(fields: readonly ShownField[], stored: string): RenderedValues {
  const values = parseJson(stored) as Values // a JSON object
  const namedObjects: NamedObjects[] = []
  let text = '{'
  for (const [index, { name, head, cardinality, related, convert }] of fields.entries()) {
    const stored = ownValue(values, name)
    const value = convert && stored != null ? convert(stored) : stored
    text += index === 0 ? head : `,${head}`
    const ids = cardinality === 'value' ? [] : idsIn(value)
    const isList = cardinality === 'many' && Array.isArray(value)
    if (related && ids.length > 0) {
      namedObjects.push({ before: text, related, ids, isList })
      text = ''
    } else text += isList ? '[]' : cardinality === 'value' ? jsonOf(value) : 'null'
  }
  return { named: namedObjects, end: `${text}}` }
}

const jsonOf = (value: unknown): string => (value == null ? 'null' : JSON.stringify(value))

const renderedValues = oncePerText(MOST_TEXTS, renderValues, { longest: LONGEST_TEXT })

/** The custom fields of the model. They are not secret: every user who sees an object sees them. */
export const shownFields = (reader: Reader, model: Model, version: ApiVersion): Promise<readonly ShownField[]> =>
  reader.cached(`custom fields shown by ${model.name} in ${version}`, () => loadFields(reader, model, version))

interface FieldRow extends Record<string, unknown> {
  readonly name: string
  readonly type: string
  readonly related: string | null
  readonly base: string | null
  readonly extra: readonly ChoicePair[] | null
}

const SELECTIONS: ReadonlySet<string> = new Set(['select', 'multiselect'])

const shownChoice = (chosen: (typeof CHOSEN)[ApiVersion], labels: Labels) => (value: unknown) =>
  Array.isArray(value) ? value.map((item) => chosen(item, labels)) : chosen(value, labels)

async function loadFields({ service, database }: Reader, model: Model, version: ApiVersion): Promise<ShownField[]> {
  const rows = await database.query<FieldRow>(sql`
    select f.name, f.type, f.related_object_type as related, s.base_choices as base, s.extra_choices as extra
    from ${table(SYSTEM.customField)} f left join ${table(SYSTEM.customFieldChoiceSet)} s on s.id = f.choice_set_id
    where ${model.name} = any(f.object_types)
    order by f.group_name collate "C", f.weight, f.name collate "C"`)
  const chosen = CHOSEN[version]
  return await Promise.all(
    rows.map(async ({ name, type, related, base, extra }) => ({
      name,
      ...(SELECTIONS.has(type) && { convert: shownChoice(chosen, new Map(await choicesOf(base, extra))) }),
      head: `${quote(name)}:`,
      cardinality: type === 'object' ? 'one' : type === 'multiobject' ? 'many' : 'value',
      related: service.registry.models.get(related ?? ''),
    })),
  )
}

/** Nested texts, by model, of the objects that values name. */
type Objects = ReadonlyMap<Model, TextsById>

async function loadObjects(reader: Reader, values: Iterable<RenderedValues>): Promise<Objects> {
  const idsByModel = new Map<Model, Set<number>>()
  for (const { named } of values) {
    for (const { related, ids: idsInValue } of named) {
      const ids = idsByModel.get(related) ?? new Set<number>()
      idsByModel.set(related, ids)
      for (const id of idsInValue) ids.add(id)
    }
  }
  const loaded = await Promise.all(
    [...idsByModel].map(
      async ([model, ids]) => [model, await reader.nested(model, genericProjection(model), ids)] as const,
    ),
  )
  return new Map(loaded)
}

const idsIn = (value: unknown): readonly number[] =>
  (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'number')

/** Deleted objects are left out of lists, and shown as null in single values. */
function textOf({ named, end }: RenderedValues, objects: Objects): string {
  let text = ''
  for (const { before, related, ids, isList } of named) {
    const texts = ids.flatMap((id) => objects.get(related)?.get(id) ?? [])
    text += before + (isList ? `[${texts.join(',')}]` : (texts[0] ?? 'null'))
  }
  return text + end
}
