import type { Messages } from '../../base/errors.ts'
import { isJsonObject, parseJson } from '../../schema/json.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { definedCustomFields, parametersOfCustomFields } from '../query/custom-field-parameters.ts'
import type { DynamicGroupCondition, Filter } from '../query/filter.ts'
import type { FilterContext } from '../query/filter-context.ts'
import { parametersOf } from '../query/parameters.ts'
import { parseFilters } from '../query/parse-filters.ts'
import { parseInteger } from '../query/parse-value.ts'
import { notAChoice, RefusedValue } from '../query/refused-value.ts'
import { applyRowSecurity } from '../query/row-security.ts'

/** How many dynamic groups may refer to one another in a row: each level adds to the condition of a statement. */
export const MOST_NESTED_GROUPS = 5

interface Group extends Record<string, unknown> {
  readonly id: number
  readonly slug: string
  readonly object_type: string
  /** JSON. */
  readonly parameters: string
}

/** The filters of a dynamic group, by parameter. */
export interface GroupFilters {
  readonly group: Pick<Group, 'slug'>
  /** Ids of the groups that lead to these filters, the group last. */
  readonly path: readonly number[]
  readonly filters: ReadonlyMap<string, Filter>
}

/**
 * The filters of the groups that a condition names, as the context's database and user see the groups. Throws
 * RefusedValue for a group that is not visible, has objects of another type, or contains itself, and for parameters
 * that can no longer be used.
 */
export async function membersOf(
  { by, names }: DynamicGroupCondition,
  context: FilterContext,
): Promise<readonly GroupFilters[]> {
  const { registry, database, visibleRows, model, groups: path = [] } = context
  const values = by === 'id' ? names.map((name) => String(parseInteger(name))) : names
  const isNamed = by === 'id' ? sql`g.id::text = any(${values}::text[])` : sql`g.slug = any(${values}::text[])`
  const groups = await database.query<Group>(
    applyRowSecurity(
      { registry, visibleRows },
      sql`select g.id, g.slug, g.object_type, g.parameters from ${table(SYSTEM.dynamicGroup)} g where ${isNamed} order by g.id`,
    ),
  )
  const existing = new Set(groups.map((group) => String(group[by])))
  const missing = values.find((value) => !existing.has(value))
  if (missing !== undefined) throw notAChoice(missing)
  return await Promise.all(
    groups.map(async (group) => {
      if (group.object_type !== model.name) {
        throw new RefusedValue(`The dynamic group "${group.slug}" has no objects of the type ${model.name}.`)
      }
      if (path.includes(group.id)) throw unusableGroup(group, 'It contains itself.')
      if (path.length >= MOST_NESTED_GROUPS) {
        throw unusableGroup(group, `More than ${MOST_NESTED_GROUPS} groups refer to one another.`)
      }
      const { filters, refused } = await parseGroup(context, model, parseJson(group.parameters))
      const [first] = Object.entries(refused)
      if (first) throw unusableGroup(group, `${first[0]}: ${[first[1]].flat().join(' ')}`)
      return { group, path: [...path, group.id], filters }
    }),
  )
}

export const unusableGroup = ({ slug }: Pick<Group, 'slug'>, reason: string): RefusedValue =>
  new RefusedValue(`The dynamic group "${slug}" cannot be used. ${reason}`)

/** The filters of a group's parameters, and messages for those that do not exist or have values that can't be used. */
export async function parseGroup(
  { registry, database }: Pick<FilterContext, 'registry' | 'database'>,
  model: Model,
  parameters: unknown,
): Promise<{ readonly filters: ReadonlyMap<string, Filter>; readonly refused: Readonly<Record<string, Messages>> }> {
  const search = searchOf(parameters)
  const names = [...new Set(search.keys())]
  const customFields = names.some((name) => name.startsWith('cf_'))
    ? parametersOfCustomFields(model, await definedCustomFields(database))
    : new Map()
  const { filters, refused } = parseFilters(registry, model, search, customFields)
  const existing = parametersOf(registry, model)
  const unknown = names.filter((name) => !existing.has(name) && !customFields.has(name) && !filters.has(name))
  const messages = [
    ...unknown.map((name) => [name, [`There is no filter ${name}.`]] as const),
    ...Object.entries(isJsonObject(parameters) ? parameters : {}).flatMap(([name, value]) =>
      [value].flat().every(isParameter)
        ? []
        : [[name, ['Expected a text, a number, a boolean, or a list of these.']] as const],
    ),
  ]
  return { filters, refused: { ...Object.fromEntries(messages), ...refused } }
}

/** Whether the URL of a list could contain the value. */
const isParameter = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value)

/** Stored parameters, each with a value or a list of values, as those of a URL. */
export function searchOf(parameters: unknown): URLSearchParams {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(isJsonObject(parameters) ? parameters : {})) {
    for (const item of Array.isArray(value) ? value : [value]) search.append(name, String(item))
  }
  return search
}
