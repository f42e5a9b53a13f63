import { createHash } from 'node:crypto'
import { currentTimestamp } from '../../base/clock.ts'
import type { Transaction } from '../../db/database.ts'
import { isAffected } from '../../read/rules/affected-objects.ts'
import type { CompiledRule } from '../../read/rules/compile-rule.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { expressionKey, sql } from '../../sql/fragment.ts'
import { deleteFrom, insertInto, table, updateTable } from '../../sql/table.ts'
import { announceRows } from '../../write/record/announce-rows.ts'

/** A text that changes when other objects may break the rule than before. */
export const signatureOf = ({ isBroken, causes, model, stored }: CompiledRule): string =>
  createHash('sha256')
    .update([model.name, expressionKey(isBroken), expressionKey(causes), stored.severity].join('\n'))
    .digest('hex')

/** A difference between the findings of a rule and the objects that break it. */
interface Difference extends Record<string, unknown> {
  /** Id of the finding; null for an object without one. */
  readonly finding: number | null
  /** Id of the object; null if it does not break the rule. */
  readonly object: number | null
  /** JSON text. */
  readonly causes: string | null
}

/**
 * Brings the findings of the rule in line with the objects, or with these objects: adds and removes findings, and
 * stores their events. The caller holds the lock of findings.
 */
export async function evaluateRule(
  { service, transaction }: { readonly service: Service; readonly transaction: Transaction },
  rule: CompiledRule,
  ids: ReadonlySet<number> | 'all',
): Promise<void> {
  if (ids !== 'all' && ids.size === 0) return
  const { model, stored } = rule
  const differences = await transaction.query<Difference>(sql`
    with broken as materialized (
      select t.id, ${rule.causes} as causes from ${table(model)} t where ${isAffected(sql`t.id`, ids)} and ${rule.isBroken})
    select f.id as finding, b.id as object, b.causes::text as causes
    from broken b full join (
      select f.id, f.object_id, f.causes from ${table(SYSTEM.finding)} f
      where f.rule_id = ${stored.id}::bigint and f.object_type = ${model.name} and ${isAffected(sql`f.object_id`, ids)}) f
    on f.object_id = b.id
    where f.id is null or b.id is null or f.causes::jsonb is distinct from b.causes
    order by b.id`)
  if (ids === 'all') await noteReads(transaction, rule)
  const opened = differences.filter(({ finding }) => finding === null)
  const closed = differences.flatMap(({ finding, object }) => (finding !== null && object === null ? [finding] : []))
  const changed = differences.filter(({ finding, object }) => finding !== null && object !== null)
  const now = currentTimestamp(service.clock)
  const finding = service.registry.model(SYSTEM.finding)
  const closing = await announceRows({ service, transaction }, finding, 'object_deleted', closed)
  if (closed.length > 0) {
    await transaction.execute(sql`${deleteFrom(SYSTEM.finding)} where id = any(${closed}::bigint[])`)
  }
  closing()
  if (changed.length > 0) {
    await transaction.execute(sql`
      ${updateTable(SYSTEM.finding)} f set causes = q.causes::json
      from unnest(${changed.map(({ finding }) => finding)}::bigint[], ${changed.map(({ causes }) => causes)}::text[]) q (id, causes)
      where f.id = q.id`)
  }
  if (opened.length > 0) {
    const added = await transaction.queryColumn(sql`
      ${insertInto(SYSTEM.finding)} (rule_id, object_type, object_id, since, causes, reads)
      select ${stored.id}::bigint, ${model.name}, q.id, ${now}::timestamptz, q.causes::json, ${[...rule.reads]}::text[]
      from unnest(${opened.map(({ object }) => object)}::bigint[], ${opened.map(({ causes }) => causes)}::text[]) q (id, causes)
      returning id`)
    ;(await announceRows({ service, transaction }, finding, 'object_created', added.map(Number)))()
  }
}

/** Findings are shown to those who may view all that the expression reads. */
const noteReads = (transaction: Transaction, { stored, reads }: CompiledRule): Promise<number> =>
  transaction.execute(sql`
    ${updateTable(SYSTEM.finding)} set reads = ${[...reads]}::text[]
    where rule_id = ${stored.id}::bigint and reads <> ${[...reads]}::text[]`)
