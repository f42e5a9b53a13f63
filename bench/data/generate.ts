import { currentTimestamp, systemClock } from '../../src/base/clock.ts'
import { analyseTables } from '../../src/db/analyse-tables.ts'
import type { Transaction } from '../../src/db/database.ts'
import { liftTimeLimit } from '../../src/db/time-limit.ts'
import { rebuildSearchIndex } from '../../src/read/search/build-index.ts'
import { isStored } from '../../src/schema/column.ts'
import type { Model } from '../../src/schema/registry.ts'
import { SYSTEM } from '../../src/schema/system-models.ts'
import type { Service } from '../../src/service.ts'
import { sql } from '../../src/sql/fragment.ts'
import { table } from '../../src/sql/table.ts'
import { insertNumbered } from '../../src/transfer/insert.ts'
import { rebuildAll } from '../../src/transfer/rebuild.ts'
import { insertRelations } from '../../src/transfer/relations.ts'
import { resetSequences } from '../../src/transfer/reset-sequences.ts'
import { emptyRow } from '../../src/write/empty-row.ts'
import type { GeneratedRow } from './inventory/batch.ts'
import { inventory } from './inventory/inventory.ts'
import type { InventoryOptions } from './inventory/plan.ts'
import { resolveSizes, type SizeOptions } from './sizes.ts'
import { withoutIndexes } from './without-indexes.ts'

export interface GenerateOptions extends SizeOptions {
  /** The same seed generates the same inventory. */
  readonly seed?: number
  readonly progress?: (model: string, rows: number) => void
}

const ROWS_IN_STATEMENT = 5000
/** From this number of devices, rebuilding indexes afterwards is faster than updating them row by row. */
const MANY_DEVICES = 5000
/** The models with most of the rows. */
const LARGE = [
  'dcim.cable',
  'dcim.cabletermination',
  'dcim.device',
  'dcim.interface',
  'extras.taggeditem',
  'ipam.ipaddress',
  'ipam.prefix',
]

/**
 * Adds a large generated inventory for performance tests. Bypasses the write pipeline: no rules, no change records, one
 * transaction. Returns the number of new rows by model. Throws ConfigurationError if the sizes are impossible.
 */
export async function generateInventory(
  { registry, database, cache }: Service,
  { seed = 1, progress = () => undefined, ...options }: GenerateOptions,
): Promise<ReadonlyMap<string, number>> {
  const sizes = resolveSizes(options)
  const large = LARGE.map((name) => registry.model(name).table)
  const made = await database.transaction(async (transaction) => {
    await liftTimeLimit(transaction)
    const first = new Map<string, number>()
    for (const model of registry.models.values()) {
      first.set(model.name, await firstFreeId(transaction, model))
    }
    const firstId = (name: string) => first.get(name) ?? 1
    const counts = new Map<string, number>()
    const fill = async () => {
      for await (const [name, count] of insertAll(transaction, registry, {
        ...sizes,
        seed,
        firstId,
      })) {
        counts.set(name, count)
        progress(name, count)
      }
    }
    if (sizes.devices < MANY_DEVICES) await fill()
    else await withoutIndexes(transaction, large, fill)
    await resetSequences(transaction, registry)
    // Without new statistics, later queries get plans that suit empty tables.
    await transaction.script('analyze')
    await rebuildAll(transaction, registry)
    const index = () => rebuildSearchIndex(transaction, registry)
    if (sizes.devices < MANY_DEVICES) await index()
    else await withoutIndexes(transaction, [registry.model(SYSTEM.searchEntry).table], index)
    return counts
  })
  cache.clear()
  await analyseTables(database)
  return made
}

/** Inserts the rows; yields the number of rows inserted so far, by model. */
async function* insertAll(
  transaction: Transaction,
  registry: Service['registry'],
  options: InventoryOptions,
): AsyncGenerator<readonly [model: string, rows: number]> {
  const now = currentTimestamp(systemClock)
  for (const { model: name, rows } of inventory(options)) {
    const model = registry.model(name)
    let count = 0
    for (const part of inParts(rows, ROWS_IN_STATEMENT)) {
      await insertNumbered(transaction, model, complete(model, part, now))
      await insertRelations(transaction, registry, model, part)
      count += part.length
      yield [name, count]
    }
  }
}

async function firstFreeId(transaction: Transaction, model: Model): Promise<number> {
  const [row] = await transaction.queryArrays(sql`select coalesce(max(id), 0) + 1 from ${table(model)}`)
  return Number(row?.[0])
}

/** Rows with their derived columns and timestamps filled in. */
function complete(
  model: Model,
  rows: readonly GeneratedRow[],
  now: string,
): readonly Readonly<Record<string, unknown>>[] {
  const empty = emptyRow(model, { now, user: null })
  const timestamps = ['created', 'last_updated'].filter((name) => model.fields.has(name))
  const computed = [...model.fields].flatMap(([name, field]) =>
    isStored(field) && field.compute ? [[name, field.compute] as const] : [],
  )
  return rows.map((row) => {
    const whole: Record<string, unknown> = { ...empty, ...row }
    const more: Record<string, unknown> = {}
    for (const name of timestamps) more[name] = now
    for (const [name, compute] of computed) more[name] = compute(whole)
    return { ...row, ...more }
  })
}

function* inParts<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let part: T[] = []
  for (const item of items) {
    part.push(item)
    if (part.length === size) {
      yield part
      part = []
    }
  }
  if (part.length > 0) yield part
}
