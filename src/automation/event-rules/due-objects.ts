import { applyRowSecurity, type RowSecurity } from '../../read/query/row-security.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { join, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { type DateRule, datedRows, dateRules, isActionFor } from './date-rules.ts'

/** An object with a date on which a rule will act, or has acted. */
export interface DueObject {
  /** Name of the object's model. */
  readonly type: string
  readonly id: number
  readonly field: string
  /** The date or timestamp, as text. */
  readonly date: string
  /** Timestamp from which the rule acts. */
  readonly due: string
  /** Timestamp at which it has acted; null if it has not. */
  readonly acted: string | null
}

interface DueList {
  readonly count: number
  readonly objects: readonly DueObject[]
}

/** Part of the list: `acted` selects what the rule has done, or has not done yet. */
interface DueWindow {
  readonly acted?: boolean | undefined
  readonly limit: number | undefined
  readonly offset: number
}

/** The objects on which the rule acts by their dates, of those that the user may view, in the order of the times. */
export async function dueObjects(
  service: Service,
  security: RowSecurity,
  ruleId: number,
  { acted, limit, offset }: DueWindow,
): Promise<DueList> {
  const { database } = service
  const [rule] = await dateRules(database, sql`r.id = ${ruleId}::bigint`)
  if (!rule) return { count: 0, objects: [] }
  const parts = await partsOf(service, security, rule)
  if (parts.length === 0) return { count: 0, objects: [] }
  const all = sql`(${join(parts, ' union all ')}) due`
  const where = acted === undefined ? sql`true` : acted ? sql`due.acted is not null` : sql`due.acted is null`
  const order = acted === true ? sql`due.acted desc, due.type, due.id` : sql`due.due, due.type, due.id`
  const [[row], objects] = await Promise.all([
    database.query<{ count: number }>(sql`select count(*) as count from ${all} where ${where}`),
    database.query<DueObject & Record<string, unknown>>(sql`
      select due.type, due.id, due.field, due.date, due.due, due.acted from ${all} where ${where}
      order by ${order} limit ${limit ?? null}::bigint offset ${offset}::bigint`),
  ])
  return { count: row?.count ?? 0, objects }
}

/** A query for each object type of the rule. Dates that had been reached before the rule counts are left out. */
async function partsOf(service: Service, security: RowSecurity, rule: DateRule): Promise<readonly Sql[]> {
  const parts = await Promise.all(
    rule.types.map(async (type) => {
      const model = service.registry.models.get(type)
      const rows = model && (await datedRows(service, service.database, model, rule))
      if (!model || !rows) return []
      return [
        sql`select ${type} as type, d.id, ${rule.field} as field, d.value as date, d.due, a.acted
          from (${applyRowSecurity(security, rows)}) d
          left join ${table(SYSTEM.dateAction)} a on ${isActionFor(rule, model)}
          where a.acted is not null or d.due > ${rule.since}::timestamptz`,
      ]
    }),
  )
  return parts.flat()
}
