import type { RequestedList } from '../../api/verbs/list.ts'
import { cachedResult } from '../../read/query/cached-column.ts'
import { lastValue } from '../../read/query/last-value.ts'
import { isOrderable } from '../../read/query/order.ts'
import { countsByValue } from '../../read/query/slice.ts'
import { isJsonObject, type Json } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'

/** Parameter with the field whose equal values form groups of rows. */
export const GROUP_BY = 'group_by'

/** Kinds of fields of which many objects have the same value. */
const KINDS: ReadonlySet<string> = new Set(['choice', 'boolean', 'foreignKey'])

/** Whether rows can be grouped by the field. */
function isGroupable(registry: Registry, model: Model, name: string): boolean {
  const field = model.fields.get(name)
  const isOfFew = field !== undefined && KINDS.has(field.kind)
  return isOfFew && model.columns.has(name) && model.answer.includes(name) && isOrderable(registry, model, name)
}

/** The columns of the list by which its rows can be grouped. */
export const groupableColumns = (registry: Registry, model: Model, columns: readonly string[]): readonly string[] =>
  columns.filter((name) => isGroupable(registry, model, name))

/** The field by which the query groups the rows; undefined if it names none. */
export function groupOf(registry: Registry, model: Model, search: URLSearchParams): string | undefined {
  const name = lastValue(search, GROUP_BY)
  return name !== undefined && isGroupable(registry, model, name) ? name : undefined
}

/** The order of a grouped list: groups first, in each the order of the query or of the model. */
export function groupedOrder({ definition }: Model, group: string, ordering: string | undefined): string {
  const order = ordering ?? definition.order.filter((term) => typeof term === 'string').join(',')
  return order === '' ? group : `${group},${order}`
}

/** Number of objects of the list with a value in its group's field; the value as it is in a response. */
export type GroupSizes = (value: Json | undefined) => number

/** The sizes of all groups of the list, on whatever page their rows are. */
export async function groupSizes(
  service: Service,
  model: Model,
  list: RequestedList,
  group: string,
): Promise<GroupSizes> {
  const rows = await cachedResult(service, countsByValue(model, list, group))
  const sizes = new Map(rows.map(([value, count]) => [groupKey(value as Json), Number(count)]))
  return (value) => sizes.get(groupKey(value)) ?? 0
}

/** A text that is equal for equal values: of a choice, of an object, or of a column. */
export function groupKey(value: Json | undefined): string {
  const plain = isJsonObject(value) ? (value.value ?? value.id) : value
  return String(plain ?? '')
}
