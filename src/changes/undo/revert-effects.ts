import { currentNumber } from '../../db/versions/number.ts'
import { SINCE, UNTIL, type VersionedTable, versionedTables } from '../../db/versions/versioned-tables.ts'
import type { Column } from '../../schema/column.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, join, type Sql, sql, volatile } from '../../sql/fragment.ts'
import { systemTable, table, updateTable } from '../../sql/table.ts'
import type { WriteContext } from '../../write/context.ts'
import { noteCustomFieldsForSearch, noteUpdateForSearch } from '../../write/record/unindexed-changes.ts'
import { loadRows } from '../../write/rows.ts'
import { isDerived } from '../../write/validate/rules.ts'
import type { Undo } from '../difference/undo-plan.ts'
import { type ChangeValues, type RecordedChange, valuesAfter, valuesBefore } from '../records/recorded-change.ts'
import type { RecordedNames } from '../records/recorded-row.ts'
import { standsFor } from '../stream/event-rows.ts'

/**
 * Reverts changes that the undone transactions made without a change record, such as the values of a deleted custom
 * field, from past versions of the rows. Values that have changed since, and those that effects of the undo have set,
 * are kept.
 */
export async function revertEffects(undo: Undo): Promise<void> {
  const { context } = undo
  for (const undone of await undoneTransactions(undo)) {
    for (const changed of await changedTables(context, undone)) {
      await revertRows(undo, changed, undone)
    }
  }
  await indexRestoredFields(undo)
}

/** A transaction whose changes are undone. */
interface UndoneTransaction extends Record<string, unknown> {
  readonly number: number
  /** Whether all of its change records are undone: only then do its other changes certainly follow from them. */
  readonly is_whole: boolean
}

/** The transactions of the undone changes, the latest first, if the stream of events still has them. */
async function undoneTransactions({ context: { transaction }, changes }: Undo): Promise<readonly UndoneTransaction[]> {
  const ids = changes.map(({ id }) => id)
  return await transaction.query<UndoneTransaction>(sql`
    with c as (
      select id from unnest(${ids}::bigint[]) c(id)
    ), undone as (
      select e.id, count(*) as count from ${eventRows} e join c on ${standsFor(sql`c.id`)}
      where e.change <= (select max(id) from c) and e.change + e.count > (select min(id) from c)
      group by e.id
    )
    select transaction as number, bool_and(e.count = coalesce(undone.count, 0)) as is_whole
    from ${eventRows} e left join undone on undone.id = e.id
    where e.transaction in (select transaction from ${eventRows} r join undone on undone.id = r.id)
    group by e.transaction order by e.transaction desc`)
}

const eventRows = table(SYSTEM.event)

interface ChangedTable {
  readonly model: Model
  readonly past: string
}

/** The tables of models whose versions the transaction has replaced. */
async function changedTables(
  { service: { registry }, transaction }: WriteContext,
  { number }: UndoneTransaction,
): Promise<readonly ChangedTable[]> {
  const tables = [...versionedTables(registry).values()].filter(isOfModel)
  const checks = await transaction.query<{ past: string }>(
    join(
      tables.map(
        ({ past }) => volatile`
          select ${past}::text as past where exists (
            select from ${systemTable(past)} where ${identifier(UNTIL)} = ${number}::bigint)`,
      ),
      ' union all ',
    ),
  )
  const names = new Set(checks.map(({ past }) => past))
  return tables.flatMap(({ past, model }) => (names.has(past) ? [{ past, model: registry.model(model) }] : []))
}

const isOfModel = ({ key }: VersionedTable): boolean => key.length === 1

/**
 * Restores the former values that the transaction has changed without a record: all values of rows without one, and the
 * values of custom fields, which a row with a change record has lost too. `o`: the replaced version, `n`: the version
 * that replaced it, `p`: the row before the undo, `t`: the row after it.
 */
async function revertRows(undo: Undo, { model, past }: ChangedTable, undone: UndoneTransaction): Promise<void> {
  const { context } = undo
  const { transaction } = context
  const lost = undo.changes.flatMap((change) =>
    strippedModels(change, undo.names).includes(model.name) ? [change.object_id] : [],
  )
  const columns = [...model.columns.values()].filter((column) =>
    column.field.kind === 'customFields' ? lost.length > 0 : undone.is_whole && isReverted(model, column),
  )
  if (columns.length === 0) return
  const reverts = columns.map((column) => revertOf(context, column, lost))
  const names = columns.map(({ name }) => name)
  const [since, until] = [identifier(SINCE), identifier(UNTIL)]
  const select = join([sql`id`, ...names.map((name) => identifier(name))])
  const versions = systemTable(past)
  const rows = table(model)
  const recorded = sql`id in (
    select c.changed_object_id from ${table(SYSTEM.objectChange)} c
    join ${eventRows} e on ${standsFor(sql`c.id`)}
    where e.transaction = ${undone.number}::bigint and c.changed_object_type = ${model.name})`
  // Usually all rows have records; the planner would expect few of them, and join them in nested loops.
  const only = lost.length === 0 ? sql` and not ${recorded}` : sql``
  const changed = await transaction.query<{ id: number }>(sql`
    with o as (
      select ${select}, ${recorded} as recorded from ${versions} v
      where ${until} = ${undone.number}::bigint${only}
    ), n as (
      select ${select} from ${rows} where ${since} = ${undone.number}::bigint
      union all select ${select} from ${versions} where ${since} = ${undone.number}::bigint
    ), p as (
      select ${select} from ${rows} where ${since} <> ${currentNumber}
      union all select ${select} from ${versions} where ${until} = ${currentNumber}
    )
    ${updateTable(model)} t set ${join(reverts.map(({ value }, index) => sql`${identifier(names[index] ?? '')} = ${value}`))}
    from o, n, p where o.id = t.id and n.id = t.id and p.id = t.id
      and (${join(
        reverts.map(({ isDue }) => isDue),
        ' or ',
      )})
    returning t.id`)
  if (!undone.is_whole || changed.length === 0) return
  const ids = changed.map(({ id }) => id)
  noteUpdateForSearch(context, model, ids, new Set(columns.map(({ key }) => key)))
}

/** Whether the column has an independent value: neither computed, nor set by each save. */
const isReverted = (model: Model, column: Column): boolean =>
  column.key !== 'id' &&
  !column.key.startsWith('_') &&
  !isDerived(model, column) &&
  !('writeOnly' in column.field && column.field.writeOnly === true)

interface Revert {
  readonly value: Sql
  /** Condition that the value differs from the present one. */
  readonly isDue: Sql
}

function revertOf(context: WriteContext, column: Column, lost: readonly number[]): Revert {
  if (column.field.kind === 'customFields') return revertOfValues(column, lost)
  const of = (alias: string): Sql => {
    const value = identifier(alias, column.name)
    return column.type === 'json' ? sql`${value}::text` : value // which PostgreSQL cannot compare
  }
  const isDue = sql`(not o.recorded and ${of('o')} is distinct from ${of('n')} and ${of('p')} is not distinct from ${of('n')}
    and ${of('t')} is distinct from ${of('o')}${isThere(context, column)})`
  const [before, now] = [identifier('o', column.name), identifier('t', column.name)]
  return { value: sql`case when ${isDue} then ${before} else ${now} end`, isDue }
}

/** Condition that the object referred to has not been deleted since. */
function isThere({ service: { registry } }: WriteContext, { field, name }: Column): Sql {
  if (field.kind !== 'foreignKey') return sql``
  const value = identifier('o', name)
  const target = table(registry.model(field.to))
  return sql` and (${value} is null or exists (select from ${target} f where f.id = ${value}))`
}

/** Names of the models whose objects the change deprived of the values of a custom field. */
export function strippedModels(change: RecordedChange, { types }: RecordedNames): readonly string[] {
  if (change.type !== SYSTEM.customField) return []
  const modelsIn = ({ object_types: ids }: ChangeValues): readonly string[] =>
    Array.isArray(ids) ? ids.flatMap((id) => types.get(Number(id)) ?? []) : []
  const after = modelsIn(valuesAfter(change))
  return modelsIn(valuesBefore(change)).filter((name) => !after.includes(name))
}

/** The former values of the custom fields, unless the object has a new value since. */
function revertOfValues({ name }: Column, fields: readonly number[]): Revert {
  const of = (alias: string): Sql => identifier(alias, name)
  const isWithout = (alias: string): Sql => sql`not ${of(alias)} ? v.key`
  const lost = sql`
    select v.key, v.value from jsonb_each(${of('o')}) v
    join ${table(SYSTEM.customField)} f on f.name = v.key and f.id = any(${fields}::bigint[])
    where ${isWithout('n')} and ${isWithout('p')} and (${isWithout('t')} or ${of('t')} -> v.key = f.default)`
  return {
    value: sql`${of('t')} || coalesce((select jsonb_object_agg(l.key, l.value) from (${lost}) l), '{}')`,
    isDue: sql`exists (${lost})`,
  }
}

/** Updates the values of the custom fields in the search index. */
async function indexRestoredFields({ context, changes }: Undo): Promise<void> {
  const { service, transaction } = context
  const ids = changes.flatMap(({ type, object_id: id }) => (type === SYSTEM.customField ? [id] : []))
  if (ids.length === 0) return
  const model = service.registry.model(SYSTEM.customField)
  const fields = await loadRows(service, transaction, model, ids)
  noteCustomFieldsForSearch(
    context,
    model,
    fields.map((next) => ({ next: { ...next }, previous: undefined })),
  )
}
