import { type Column, columnsOf } from '../../schema/column.ts'
import { parseJson } from '../../schema/json.ts'
import type { Definition } from '../../schema/model.ts'
import { type ChoicePair, choicesOf } from '../../schema/published-choices.ts'
import { volatile } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { systemTable } from '../../sql/table.ts'
import { pack } from '../core/pack.ts'
import { type ComputedFieldRow, computedField } from '../extras/computed-field.ts'
import { customFieldChoiceSet } from '../extras/custom-field-choice-set.ts'
import { type CustomModel, type CustomObjectType, tableOfType } from './custom-models.ts'
import { customObjectField } from './custom-object-field.ts'
import { customObjectType } from './custom-object-type.ts'
import { type CustomObjectField, columnOf, type ValueField } from './value-field.ts'

/**
 * All rows of a table by field, in the order of ids. They are read as JSON, which needs no knowledge of the columns: an
 * earlier version of the program may have created the table. Empty if it does not exist.
 */
async function storedRows(queryable: Queryable, definition: Definition): Promise<readonly Stored[]> {
  const { name, table = name.replace('.', '_'), fields } = definition
  const [exists] = await queryable.queryColumn(volatile`select to_regclass(${table}) is not null`)
  if (exists !== true) return []
  const rows = await queryable.queryColumn(
    volatile`select to_jsonb(t)::text from ${systemTable(table)} t order by t.id`,
  )
  const columns = Object.entries(fields).flatMap(([field, declaration]) => columnsOf(field, declaration))
  return rows.map((text) => {
    const values = parseJson(String(text)) as Readonly<Record<string, unknown>> // a row
    const value = ({ name: column, field }: Column) =>
      values[column] ?? ('default' in field && field.default !== undefined ? field.default : null)
    return { id: values.id, ...Object.fromEntries(columns.map((column) => [column.key, value(column)])) }
  })
}

type Stored = Readonly<Record<string, unknown>>

/** A pack in the list of packs. */
export interface StoredPack {
  readonly name: string
  readonly enabled: boolean
  /** The pack as data; null for one that ships. */
  readonly document: unknown
}

/** The models that users have defined, the computed fields, and the packs. */
export interface CustomModels {
  readonly types: readonly CustomModel[]
  readonly computed: readonly ComputedFieldRow[]
  readonly packs: readonly StoredPack[]
}

export const NO_CUSTOM_MODELS: CustomModels = { types: [], computed: [], packs: [] }

/** The custom models, computed fields and packs in a database, which may be of an earlier version of the program, or empty. */
export async function storedCustomModels(queryable: Queryable): Promise<CustomModels> {
  const rows = await storedRows(queryable, computedField)
  const computed = rows as unknown as readonly ComputedFieldRow[] // rows of the model
  return {
    types: await storedTypes(queryable),
    computed: computed.toSorted((left, right) => left.weight - right.weight || left.id - right.id),
    packs: await storedPacks(queryable),
  }
}

/** The packs, by name. Those that are off have no document. */
async function storedPacks(queryable: Queryable): Promise<readonly StoredPack[]> {
  const rows = await storedRows(queryable, pack)
  return rows
    .map(({ name, document, enabled }) => ({
      ...{ name: String(name), enabled: enabled === true },
      document: enabled === true ? document : null,
    }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

/** Maximum number of published values that forms, OPTIONS, OpenAPI and GraphQL can list. */
const MOST_PUBLISHED = 500

/** The choices of a stored set; undefined if any value may be valid, because the published list is too long or unknown. */
async function choiceRows(set: Stored): Promise<ValueField['choices']> {
  const base = set.base_choices === null ? null : String(set.base_choices)
  const published = await choicesOf(base, null)
  if (base !== null && (published.length === 0 || published.length > MOST_PUBLISHED)) return undefined
  const extra = Array.isArray(set.extra_choices) ? (set.extra_choices as readonly ChoicePair[]) : [] // as the rules check
  const colours = (set.choice_colors ?? {}) as Readonly<Record<string, string>>
  // A choice of the set replaces one of the list.
  return [...new Map([...published, ...extra])].map(([value, label]) => {
    const colour = colours[value]
    return colour === undefined ? ([value, label] as const) : ([value, label, colour] as const)
  })
}

/** The custom models of the database with their fields, by weight. */
export async function storedTypes(queryable: Queryable): Promise<readonly CustomModel[]> {
  const types = (await storedRows(queryable, customObjectType)) as unknown as readonly CustomObjectType[] // its rows
  if (types.length === 0) return []
  const fields = (await storedRows(queryable, customObjectField)) as unknown as readonly CustomObjectField[] // as above
  const used = new Set<unknown>(fields.map(({ choice_set }) => choice_set))
  const sets = (await storedRows(queryable, customFieldChoiceSet)).filter(({ id }) => used.has(id))
  const rowsOf = new Map(await Promise.all(sets.map(async (set) => [set.id, await choiceRows(set)] as const)))
  const byType = Map.groupBy(fields, ({ custom_object_type }) => custom_object_type)
  return types.map((type) => ({
    type,
    fields: (byType.get(type.id) ?? [])
      .toSorted((left, right) => left.weight - right.weight || left.id - right.id)
      .map((row) => ({
        row,
        table: tableOfType(type),
        column: columnOf(row, type),
        choices: rowsOf.get(row.choice_set),
      })),
  }))
}
