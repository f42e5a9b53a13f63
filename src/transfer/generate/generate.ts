import { ConfigurationError } from '../../errors.ts'
import type { Service } from '../../query/service.ts'
import { isStored } from '../../schema/column.ts'
import type { Model } from '../../schema/registry.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import type { Transaction } from '../../storage/database.ts'
import { currentMoment } from '../../write/clock.ts'
import { emptyRow } from '../../write/empty-row.ts'
import { insertNumbered } from '../insert.ts'
import { numberOn } from '../number-on.ts'
import { rebuildAll } from '../rebuild.ts'
import { type GeneratedRow, inventory } from './inventory.ts'

export interface GenerateOptions {
  /** At most as many as addresses fit into 10.0.0.0/8. */
  readonly devices: number
  /** Interfaces of each device. */
  readonly interfaces?: number
  /** The same seed makes the same inventory. */
  readonly seed?: number
  readonly progress?: (model: string, rows: number) => void
}

const ROWS_IN_STATEMENT = 5000
const MOST_DEVICES = 1_600_000

/**
 * Adds a large made-up inventory, for tests of speed. It passes by the write pipeline: no rules, no
 * change records, one transaction. Answers the number of new rows by model.
 */
export async function generateInventory(
  { registry, database, memory }: Service,
  { devices, interfaces = 4, seed = 1, progress = () => undefined }: GenerateOptions,
): Promise<ReadonlyMap<string, number>> {
  if (!isWithin(devices, MOST_DEVICES) || !isWithin(interfaces, 1000)) {
    throw new ConfigurationError(
      `An inventory has 1 to ${MOST_DEVICES} devices, and each of them 1 to 1000 interfaces.`,
    )
  }
  const made = new Map<string, number>()
  await database.transaction(async (transaction) => {
    const first = new Map<string, number>()
    for (const model of registry.models.values()) {
      first.set(model.name, await firstFreeId(transaction, model))
    }
    const firstId = (name: string) => first.get(name) ?? 1
    const now = currentMoment()
    for (const { model: name, rows } of inventory({ devices, interfaces, seed, firstId })) {
      const model = registry.model(name)
      let count = 0
      for (const part of inParts(rows, ROWS_IN_STATEMENT)) {
        await insertNumbered(transaction, model, complete(model, part, now))
        count += part.length
        progress(name, count)
      }
      made.set(name, count)
    }
    await numberOn(transaction, registry)
    await rebuildAll(transaction, registry)
    await transaction.announce(registry.models.keys())
  })
  memory.clear()
  await database.script('analyze')
  return made
}

const isWithin = (value: number, most: number): boolean =>
  Number.isInteger(value) && value >= 1 && value <= most

async function firstFreeId(transaction: Transaction, { table }: Model): Promise<number> {
  const [row] = await transaction.queryArrays(
    sql`select coalesce(max(id), 0) + 1 from ${identifier(table)}`,
  )
  return Number(row?.[0])
}

/** Rows with the columns that follow from the row itself, and with its moments. */
function complete(
  model: Model,
  rows: readonly GeneratedRow[],
  now: string,
): readonly Readonly<Record<string, unknown>>[] {
  const empty = emptyRow(model, { now, user: null })
  const moments = ['created', 'last_updated'].filter((name) => model.fields.has(name))
  const computed = [...model.fields].flatMap(([name, field]) =>
    isStored(field) && field.compute ? [[name, field.compute] as const] : [],
  )
  return rows.map((row) => {
    const whole: Record<string, unknown> = { ...empty, ...row }
    const more: Record<string, unknown> = {}
    for (const name of moments) more[name] = now
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
