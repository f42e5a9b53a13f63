import type { Database, Transaction } from '../../db/database.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { deleteFrom, insertInto, table } from '../../sql/table.ts'
import { CUSTOM, ENTRY_COLUMNS, entriesOfCustomFields, entriesOfFields, searchedFields } from './entries.ts'
import { lockIndex } from './index-lock.ts'
import { showingFields } from './unindexed-changes.ts'

/**
 * Indexes all changes committed before the call, so that later reads show them. One short query if there are none. A
 * server that does not accept writes is skipped: its primary does the indexing.
 */
export async function completeSearchIndex(database: Database, registry: Registry): Promise<void> {
  if (database.writeProblem()) return
  const last = await lastUnindexed(database)
  if (last === undefined) return
  while (await indexChanges(database, registry, last)) {
    // Changes of concurrent writes have later ids, so this terminates.
  }
}

/** Id of the last change that the index does not show; undefined if it shows all. */
export async function lastUnindexed(database: Queryable): Promise<number | undefined> {
  const [[last] = []] = await database.queryArrays(sql`select max(id) from ${table(SYSTEM.unindexedChange)}`, {
    isShort: true,
  })
  return typeof last === 'number' ? last : undefined
}

/** A change that was taken from the table. */
interface Change {
  readonly type: string
  readonly ids: readonly number[]
  readonly isRenamed: boolean
  readonly customFields: readonly string[]
}

/** Maximum number of rows of changes per transaction; each names at most some hundred objects. */
const CHANGES_AT_ONCE = 50
/** Number of objects after which no further row is taken. */
const ENOUGH_OBJECTS = 1_000

/**
 * Indexes some changes, none later than the one with the id `last`, in a separate transaction. Returns whether there
 * may be more. Objects are indexed in their current state: earlier states of objects that were changed several times,
 * or deleted, are skipped.
 */
export const indexChanges = (
  database: Pick<Database, 'transaction'>,
  registry: Registry,
  last: number,
): Promise<boolean> =>
  database.transaction(async (transaction) => {
    // They run one at a time, because each must see the entries that the previous one has written.
    lockIndex(transaction)
    const changes = await takeChanges(transaction, registry, last)
    for (const [type, list] of Map.groupBy(changes, (change) => change.type)) {
      const model = registry.models.get(type)
      if (model) indexModel(transaction, registry, model, list)
    }
    return changes.length > 0
  })

/** Changes to models that only another version of the program has are left to that version. */
async function takeChanges(transaction: Transaction, { models }: Registry, last: number): Promise<readonly Change[]> {
  const changes = table(SYSTEM.unindexedChange)
  const rows = await transaction.queryArrays(sql`
    ${deleteFrom(SYSTEM.unindexedChange)} where id in (
      select id from (
        select id, sum(jsonb_array_length(object_ids)) over (order by id) - jsonb_array_length(object_ids) as objects_before
        from (
          select id, object_ids from ${changes} where id <= ${last} and object_type = any(${[...models.keys()]}::text[])
          order by id limit ${CHANGES_AT_ONCE}
        ) w
      ) w where objects_before < ${ENOUGH_OBJECTS})
    returning object_type, object_ids::text, is_renamed, custom_fields`)
  return rows.map(([type, ids, isRenamed, customFields]) => ({
    type: String(type),
    ids: JSON.parse(String(ids)) as number[], // written by `noteUnindexed`
    isRenamed: isRenamed === true,
    customFields: customFields as readonly string[],
  }))
}

function indexModel(transaction: Transaction, registry: Registry, model: Model, changes: readonly Change[]): void {
  const customFields = new Set(changes.flatMap((change) => change.customFields))
  if (customFields.size > 0) indexCustomFields(transaction, model, [...customFields])
  const ids = new Set(changes.flatMap((change) => change.ids))
  if (ids.size > 0) indexObjects(transaction, registry, model, [...ids])
  const renamed = new Set(changes.flatMap((change) => (change.isRenamed ? change.ids : [])))
  if (renamed.size > 0) indexShowing(transaction, registry, model, [...renamed])
}

/** Replaces all entries of the objects. */
function indexObjects(transaction: Transaction, registry: Registry, model: Model, ids: readonly number[]): void {
  const fields = searchedFields(registry).get(model)
  if (!fields) return
  transaction.send(sql`${deleteEntries(model)} and object_id = any(${ids}::bigint[])`)
  const isOneOf = sql`t.id = any(${ids}::bigint[])`
  insert(transaction, entriesOfFields(model, fields, isOneOf))
  insert(transaction, entriesOfCustomFields(model, isOneOf))
}

/** Replaces the entries of other objects that show these objects. */
function indexShowing(transaction: Transaction, registry: Registry, target: Model, ids: readonly number[]): void {
  for (const { model, field } of showingFields(registry).get(target) ?? []) {
    const column = model.columns.get(field.name)
    if (!column) continue
    const isShowing = sql`t.${identifier(column.name)} = any(${ids}::bigint[])`
    transaction.send(sql`${deleteEntries(model)} and field = ${field.name}
      and object_id in (select t.id from ${table(model)} t where ${isShowing})`)
    insert(transaction, entriesOfFields(model, [field], isShowing))
  }
}

/** Replaces the entries of custom fields of all objects. */
function indexCustomFields(transaction: Transaction, model: Model, names: readonly string[]): void {
  transaction.send(sql`${deleteEntries(model)}
    and field in (select ${CUSTOM} || n from unnest(${names}::text[]) n)`)
  insert(transaction, entriesOfCustomFields(model, sql`f.name = any(${names}::text[])`))
}

const deleteEntries = ({ name }: Model): Sql => sql`${deleteFrom(SYSTEM.searchEntry)} where object_type = ${name}`

function insert(transaction: Transaction, entries: Sql | undefined): void {
  if (!entries) return
  transaction.send(sql`${insertInto(SYSTEM.searchEntry)} (${ENTRY_COLUMNS}) ${entries}`)
}
