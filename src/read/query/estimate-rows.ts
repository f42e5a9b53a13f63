import { invalid } from '../../base/errors.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { volatile } from '../../sql/fragment.ts'
import { countRows } from './count.ts'
import { lastValue } from './last-value.ts'
import { anyRows, type Selection } from './slice.ts'

/**
 * In the planner's units; PostgreSQL processes about a million of them per second, so counting 40,000 rows takes about
 * this much.
 */
const CHEAP = 1_000

/** A number of rows, and whether it is the planner's estimate. */
export interface RowCount {
  readonly count: number
  readonly isEstimated: boolean
}

/**
 * `count=estimated`: whether the client accepts an estimate for the number of objects. Throws for any value except that
 * and `exact`.
 */
export function takesEstimate(search: URLSearchParams): boolean {
  const value = lastValue(search, 'count') ?? 'exact'
  if (value === 'exact' || value === 'estimated') return value === 'estimated'
  throw invalid({ count: [`'${value}' is neither exact nor estimated.`] })
}

/** Number of rows of the selection, counted. */
export const exactRows = async (service: Service, model: Model, selection: Selection): Promise<RowCount> => ({
  count: await countRows(service, model, selection),
  isEstimated: false,
})

/**
 * Number of rows of the selection: counted if the planner expects that to take about a millisecond, otherwise estimated
 * by the planner from statistics.
 */
export async function estimateRows(service: Service, model: Model, selection: Selection): Promise<RowCount> {
  // There are no statistics on past rows.
  const plan = service.isPast ? undefined : await planOf(service, model, selection)
  if (plan && plan.cost > CHEAP) return { count: plan.rows, isEstimated: true }
  return await exactRows(service, model, selection)
}

async function planOf(service: Service, model: Model, selection: Selection) {
  // The result depends on the statistics too, which change without a write.
  const [top] = await service.database.queryArrays(volatile`explain ${anyRows(model, selection)}`)
  const [, cost, rows] = /cost=[\d.]+\.\.([\d.]+) rows=(\d+)/.exec(String(top?.[0])) ?? []
  return cost === undefined ? undefined : { cost: Number(cost), rows: Number(rows) }
}
