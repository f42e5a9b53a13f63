import type { CustomFilter, FilterScope } from '../schema/filter.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { innerAlias } from './alias.ts'
import { columnOf } from './column.ts'
import { type FilterCall, givenValues, NULL_TOKEN } from './filter-call.ts'
import { parseBoolean, parseInteger, parseText, parseUuid } from './parse-value.ts'
import { notAChoice } from './refused-value.ts'

type CustomValues = readonly (string | number | boolean | null)[]

/** A filter whose meaning a function of the model says. */
export async function filterCustom(
  filter: CustomFilter,
  call: FilterCall,
): Promise<Sql | undefined> {
  const values = await PARSERS[filter.value](filter, call)
  return values.length === 0 ? undefined : sql`(${filter.where(scopeOf(call), values)})`
}

/** How the values of each kind are read; none at all means that the parameter does not count. */
const PARSERS: Readonly<
  Record<
    CustomFilter['value'],
    (filter: CustomFilter, call: FilterCall) => CustomValues | Promise<CustomValues>
  >
> = {
  text: (_filter, call) => givenValues(call).map(parseText),
  uuid: (_filter, call) => givenValues(call).map(parseUuid),
  integer: (_filter, call) => givenValues(call).map((value) => bounded(parseInteger(value))),
  boolean: (_filter, call) =>
    givenValues(call)
      .map(parseBoolean)
      .filter((value) => value !== undefined),
  choice: ({ choices }, call) => {
    const known = new Map(choices?.list.map(({ value }) => [String(value), value]))
    return givenValues(call).map((value) => {
      const choice = known.get(value)
      if (choice === undefined) throw notAChoice(value)
      return choice
    })
  },
  related: async ({ to, by = 'id' }, call) => {
    if (to === undefined) throw new Error(`${call.model.name}: a filter does not say of what`)
    const values = call.multiple ? call.values : givenValues(call)
    const isToken = (value: string) => call.multiple && value === NULL_TOKEN
    const names = values.filter((value) => !isToken(value))
    const ids = await call.related.idsOf(call.registry.model(to), by, names)
    return values.some(isToken) ? [...ids, null] : ids
  },
}

/** The nearest number that JavaScript holds exactly: no row has one beyond it. */
function bounded(value: bigint): number {
  const largest = BigInt(Number.MAX_SAFE_INTEGER)
  return Number(value > largest ? largest : value < -largest ? -largest : value)
}

function scopeOf({ registry, model, alias, user }: FilterCall): FilterScope {
  return {
    column: columnOf(model, alias),
    id: sql`${alias}.id`,
    user,
    select: (name, where) => {
      const other = registry.model(name)
      const inner = innerAlias(alias)
      return sql`select ${inner}.id from ${table(other)} ${inner} where (${where(columnOf(other, inner))})`
    },
  }
}
