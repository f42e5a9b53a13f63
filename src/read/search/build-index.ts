import type { ProgressListener } from '../../base/progress.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { liftTimeLimit } from '../../db/time-limit.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, join, type Sql, sql } from '../../sql/fragment.ts'
import type { Queryable } from '../../sql/queryable.ts'
import { deleteFrom, insertInto, table } from '../../sql/table.ts'
import { ENTRY_COLUMNS, entriesOfCustomFields, entriesOfFields, type SearchedField, searchedFields } from './entries.ts'
import { lockIndex } from './index-lock.ts'

/**
 * Indexes the objects of every model that has not been indexed with its current declaration: after a first start with
 * data, after an upgrade that changes weights, after a restore. Takes one short query if there is nothing to do.
 * Returns the names of the models that have been indexed.
 */
export async function buildSearchIndex(database: Database, registry: Registry): Promise<readonly string[]> {
  if (!registry.models.has(SYSTEM.searchIndex)) return []
  const [outdated, absent] = await Promise.all([outdatedModels(database, registry), absentTypes(database, registry)])
  if (outdated.length === 0 && absent.length === 0) return []
  return await database.transaction(async (transaction) => {
    lockIndex(transaction)
    await forgetTypes(transaction, await absentTypes(transaction, registry))
    const outdated = await outdatedModels(transaction, registry)
    return await indexModels(transaction, registry, outdated)
  })
}

/** Indexes all objects of all models again. */
export function rebuildSearchIndex(
  transaction: Transaction,
  registry: Registry,
  progress?: ProgressListener,
): Promise<readonly string[]> {
  lockIndex(transaction)
  return indexModels(transaction, registry, [...searchedFields(registry).keys()], progress)
}

/** The models whose objects have not been indexed by their current declaration. */
export async function outdatedModels(database: Queryable, registry: Registry): Promise<readonly Model[]> {
  const rows = await database.queryArrays(sql`select object_type, signature from ${table(SYSTEM.searchIndex)}`)
  const stored = new Map(rows.map(([type, signature]) => [type, signature]))
  return [...searchedFields(registry)].flatMap(([model, fields]) =>
    stored.get(model.name) === signatureOf(fields) ? [] : [model],
  )
}

/** Types that have been indexed and are no longer searched, such as those of a plugin that is not loaded. */
async function absentTypes(database: Queryable, registry: Registry): Promise<readonly string[]> {
  const rows = await database.queryArrays(sql`select object_type from ${table(SYSTEM.searchIndex)}`)
  const searched = new Set([...searchedFields(registry).keys()].map(({ name }) => name))
  return rows.map(([type]) => String(type)).filter((type) => !searched.has(type))
}

async function forgetTypes(transaction: Transaction, types: readonly string[]): Promise<void> {
  if (types.length === 0) return
  for (const name of [SYSTEM.searchEntry, SYSTEM.searchIndex, SYSTEM.unindexedChange]) {
    await transaction.execute(sql`${deleteFrom(name)} where object_type = any(${types}::text[])`)
  }
}

/** Version of the conversion of values to entries; after a change, the next start indexes everything again. */
const VERSION = 1

const signatureOf = (fields: readonly SearchedField[]): string =>
  [VERSION, ...fields.map(({ name, kind, weight }) => `${name}:${kind}:${weight}`)].join(' ')

async function indexModels(
  transaction: Transaction,
  registry: Registry,
  models: readonly Model[],
  progress?: ProgressListener,
): Promise<readonly string[]> {
  if (models.length === 0) return []
  const names = models.map(({ name }) => name)
  await liftTimeLimit(transaction)
  await transaction.execute(sql`${deleteFrom(SYSTEM.searchEntry)} where object_type = any(${names}::text[])`)
  const filled = await modelsWithRows(transaction, models)
  for (const [done, model] of filled.entries()) {
    progress?.({ done, total: filled.length, stage: model.name })
    for (const entries of allEntries(registry, model)) {
      await transaction.execute(sql`${insertInto(SYSTEM.searchEntry)} (${ENTRY_COLUMNS}) ${entries}`)
    }
  }
  const signatures = models.map((model) => signatureOf(searchedFields(registry).get(model) ?? []))
  await transaction.execute(sql`
    ${insertInto(SYSTEM.searchIndex, { rows: [], columns: ['signature'] })} (object_type, signature)
    select * from unnest(${names}::text[], ${signatures}::text[])
    on conflict (object_type) do update set signature = excluded.signature`)
  // The planner must know how many entries there are before the server collects statistics by itself.
  if (filled.length > 0) await transaction.execute(sql`analyze ${table(SYSTEM.searchEntry)}`)
  return filled.map(({ name }) => name)
}

/** Queries for all entries of the model's objects. */
export function allEntries(registry: Registry, model: Model): readonly Sql[] {
  const fields = searchedFields(registry).get(model)
  if (!fields) return []
  const ofCustomFields = entriesOfCustomFields(model, sql`true`)
  return [entriesOfFields(model, fields, sql`true`), ...(ofCustomFields ? [ofCustomFields] : [])]
}

async function modelsWithRows(database: Queryable, models: readonly Model[]): Promise<readonly Model[]> {
  const answers = models.map((model, index) => sql`exists (select from ${table(model)}) as ${identifier(`m${index}`)}`)
  const [row = []] = await database.queryArrays(sql`select ${join(answers)}`)
  return models.filter((_model, index) => row[index] === true)
}
