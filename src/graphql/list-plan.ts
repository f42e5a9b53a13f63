import type { WriteValue } from '../output/plan.ts'
import { T } from '../query/alias.ts'
import { compileFilter } from '../query/compile-filter.ts'
import type { Filter } from '../query/filter.ts'
import type { FilterContext } from '../query/filter-context.ts'
import { allOf } from '../query/join-step.ts'
import type { Order } from '../query/order.ts'
import { relatedRows, type ToMany } from '../query/to-many.ts'
import type { Window } from '../query/window.ts'
import type { Model } from '../schema/registry.ts'
import { type Sql, sql } from '../sql/fragment.ts'
import type { AskedField } from './asked-field.ts'
import { type Execution, VOID } from './execution.ts'
import { filterOf, type InputValues, isAll } from './filter-values.ts'
import { orderAsked } from './list-order.ts'
import { windowOf } from './window.ts'

/** The related objects of all rows of a level: one statement for their ids, and one for the objects. */
export function loadList(
  { step, single }: { readonly step: ToMany; readonly single?: boolean },
  { execution, builder, args, plan: planOf }: AskedField,
): WriteValue {
  const plan = planOf(step.to)
  const list = listAsked(execution, step.to, args)
  const position = builder.loadByIds(async (ids) => {
    const found = await relatedIds(execution, step, ids, list)
    const texts = await plan.read([...new Set([...found.values()].flat())])
    return {
      get: (id) => {
        const items = (found.get(id) ?? []).flatMap((one) => texts.get(one) ?? [])
        for (const item of items) execution.grow(item.length)
        if (single) return items[0] ?? 'null'
        return items.includes(VOID) ? VOID : `[${items.join(',')}]`
      },
    }
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
}

/** Which objects of a list are asked for. */
export interface ListAsked {
  readonly filter: Filter | undefined
  readonly window: Window
  readonly order: Order
  /** Each object once, however many related objects match. */
  readonly isDistinct: boolean
}

/** Throws RefusedValue for arguments that can't be used. */
export function listAsked(
  { catalogue, service, security }: Execution,
  model: Model,
  args: InputValues,
): ListAsked {
  const { registry, settings } = service
  const values = args.filters as InputValues | undefined | null
  const filter = values ? filterOf(catalogue, registry, model, values) : undefined
  return {
    filter: filter && !isAll(filter) ? filter : undefined,
    isDistinct: values?.DISTINCT === true,
    window: windowOf(args.pagination, settings.maxPageSize),
    order: orderAsked(registry, model, args.order_by, security.visibleRows),
  }
}

/** Predicate over `t`; undefined where every row is asked for. */
export const predicateOf = async (
  execution: Execution,
  model: Model,
  filter: Filter | undefined,
): Promise<Sql | undefined> =>
  filter && (await compileFilter(filter, filterContext(execution, model)))

export const filterContext = (
  { service, security, user, database, related }: Execution,
  model: Model,
): FilterContext => ({
  ...{ registry: service.registry, model, alias: T, related, database, user },
  visibleRows: security.visibleRows,
})

/** Ids of the related objects by the id of their owner, in order. */
async function relatedIds(
  execution: Execution,
  step: ToMany,
  owners: readonly number[],
  { filter, window, order }: ListAsked,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { from, owner, condition } = relatedRows(step, T)
  const where = allOf(
    sql`${owner} = any(${owners}::bigint[])`,
    condition,
    await predicateOf(execution, step.to, filter),
    window.start === undefined ? undefined : sql`t.id >= ${window.start}::bigint`,
  )
  const terms = window.start === undefined ? order.terms : sql`t.id`
  const rows = await execution.database.queryArrays(
    window.limit === undefined && window.offset === 0
      ? sql`select ${owner}, t.id from ${from} ${order.joins} where ${where} order by ${terms}`
      : sql`select owner, id from (
          select ${owner} as owner, t.id, row_number() over (partition by ${owner} order by ${terms}) as place
          from ${from} ${order.joins} where ${where}) ranked
        where place > ${window.offset}::bigint and (${window.limit ?? null}::bigint is null or place <= ${window.offset}::bigint + ${window.limit ?? null}::bigint)
        order by place`,
  )
  const found = new Map<number, number[]>()
  for (const [id, one] of rows) {
    const known = found.get(Number(id))
    if (known) known.push(Number(one))
    else found.set(Number(id), [Number(one)])
  }
  return found
}
