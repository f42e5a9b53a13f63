import { T } from '../../read/query/alias.ts'
import { compileFilter } from '../../read/query/compile-filter.ts'
import type { Filter } from '../../read/query/filter.ts'
import type { FilterContext } from '../../read/query/filter-context.ts'
import { allOf } from '../../read/query/join-step.ts'
import { compileOrder, isOrderable, type Order } from '../../read/query/order.ts'
import { RefusedValue } from '../../read/query/refused-value.ts'
import type { VisibleRows } from '../../read/query/row-predicate.ts'
import { relatedRows, type ToMany } from '../../read/query/to-many.ts'
import type { Window } from '../../read/query/window.ts'
import type { ValueRenderer } from '../../read/serialise/plan.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { empty, type Sql, sql } from '../../sql/fragment.ts'
import { type Execution, VOID } from './execution.ts'
import { filterOf, type InputValues, isAll } from './filter-values.ts'
import type { ObjectPlan, SelectedField } from './selected-field.ts'
import { windowOf } from './window.ts'

/** The related objects of all rows of a level: one statement, or one for their ids and one for the objects. */
export function loadList(
  { step, single }: { readonly step: ToMany; readonly single?: boolean },
  { execution, builder, args, plan: planOf }: SelectedField,
): ValueRenderer {
  const plan = planOf(step.to)
  const list = requestedList(execution, step.to, args, step)
  const position = builder.loadByIds(async ({ ids: owners }) => {
    const where = await predicateOf(execution, step.to, list.filter)
    const rows: RelatedRows = { step, owners, where, list }
    const texts = areOwned(step)
      ? await plan.readLists((select) => relatedStatement(rows, select))
      : await sharedTexts(execution, plan, relatedStatement(rows, sql`t.id`))
    return {
      get: (id) => {
        const items = texts.get(id) ?? []
        return single ? (items[0] ?? 'null') : listText(execution, items)
      },
    }
  })
  return (row, loaded) => loaded[position]?.get(Number(row[0])) ?? 'null'
}

/** Whether a related object belongs to one owner. */
const areOwned = ({ kind }: ToMany): boolean => kind === 'reverseForeignKey' || kind === 'reverseGeneric'

/** Texts by owner of objects that may belong to several, each of which is read once. */
async function sharedTexts(
  { database }: Execution,
  plan: ObjectPlan,
  statement: Sql,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await database.queryArrays(statement)
  const texts = await plan.read([...new Set(rows.map(([id]) => Number(id)))])
  const lists = new Map<number, string[]>()
  for (const [id, owner] of rows) {
    const text = texts.get(Number(id))
    if (text === undefined) continue
    const list = lists.get(Number(owner))
    if (list) list.push(text)
    else lists.set(Number(owner), [text])
  }
  return lists
}

function listText({ grow }: Execution, items: readonly string[]): string {
  for (const item of items) {
    if (item === VOID) return VOID
    grow(item.length)
  }
  return `[${items.join(',')}]`
}

/** The requested objects of a list. */
export interface ListRequest {
  readonly filter: Filter | undefined
  readonly window: Window
  readonly order: Order
  /** Each object once, however many related objects match. */
  readonly isDistinct: boolean
}

/**
 * The requested list: all objects of the model, or with `step` the related objects of other ones. Throws RefusedValue
 * for arguments that cannot be used.
 */
export function requestedList(
  { catalogue, service, security }: Execution,
  model: Model,
  args: InputValues,
  step?: ToMany,
): ListRequest {
  const { registry, settings } = service
  const values = args.filters as InputValues | undefined | null
  const filter = values ? filterOf(catalogue, registry, model, values) : undefined
  const constant = step?.kind === 'reverseForeignKey' ? step.column.key : undefined
  return {
    filter: filter && !isAll(filter) ? filter : undefined,
    isDistinct: values?.DISTINCT === true,
    window: windowOf(args.pagination, settings.maxPageSize),
    order: orderAsked(registry, model, args.order_by, security.visibleRows, constant),
  }
}

/** Predicate over `t`; undefined if every row is requested. */
export const predicateOf = async (
  execution: Execution,
  model: Model,
  filter: Filter | undefined,
): Promise<Sql | undefined> => filter && (await compileFilter(filter, filterContext(execution, model)))

export const filterContext = (
  { service, security, user, database, related }: Execution,
  model: Model,
): FilterContext => ({
  ...{ registry: service.registry, model, alias: T, related, database, user },
  visibleRows: security.visibleRows,
})

interface RelatedRows {
  readonly step: ToMany
  readonly owners: readonly number[]
  readonly where: Sql | undefined
  readonly list: ListRequest
}

/**
 * Selects expressions over the related rows `t`, followed by the id of the owner; the rows of each owner are in order.
 */
function relatedStatement({ step, owners, where: matches, list }: RelatedRows, select: Sql): Sql {
  const { order, window } = list
  const { from, owner, condition } = relatedRows(step, T)
  const where = allOf(
    sql`${owner} = any(${owners}::bigint[])`,
    condition,
    matches,
    window.start === undefined ? undefined : sql`t.id >= ${window.start}::bigint`,
  )
  const terms = window.start === undefined ? order.terms : sql`t.id`
  if (window.limit === undefined && window.offset === 0) {
    return sql`select ${select}, ${owner} from ${from} ${order.joins} where ${where} order by ${terms}`
  }
  const ranked = sql`select t.*, ${owner} as "list owner", row_number() over (partition by ${owner} order by ${terms}) as "list place"
    from ${from} ${order.joins} where ${where}`
  const end = window.limit === undefined ? empty : sql` and t."list place" <= ${window.offset + window.limit}::bigint`
  return sql`select ${select}, t."list owner" from (${ranked}) t
    where t."list place" > ${window.offset}::bigint${end} order by t."list place"`
}

/**
 * The order in `order_by`, otherwise the model's own; `constant`: a foreign key that has the same value in all rows.
 * Throws RefusedValue for a field that cannot be used for sorting.
 */
function orderAsked(
  registry: Registry,
  model: Model,
  requested: unknown,
  visibleRows: VisibleRows,
  constant: string | undefined,
): Order {
  const names = (requested ?? []) as readonly string[]
  for (const name of names) {
    if (!isOrderable(registry, model, name.replace(/^-/, ''))) {
      throw new RefusedValue(`Objects cannot be ordered by '${name}'.`)
    }
  }
  const ordering = names.join(',') || undefined
  const options = { choices: 'emptyAsNull', constant } as const
  return compileOrder({ registry }, model, ordering, visibleRows, options)
}
