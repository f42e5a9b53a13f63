import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { SERVICE_ACTOR, type User } from '../../identity/actor.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { join as list, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { recordChanges } from '../../write/record/changelog.ts'
import { loadRows } from '../../write/rows.ts'
import { runWrite } from '../../write/run.ts'
import { findCollections } from '../collections.ts'
import { importDataSet } from '../import-directory.ts'

/** A data set: the office and two lighthouses of an imagined trust. */
const NETWORK = join(import.meta.dirname, 'network')

/** The user that the change records name: the service itself. */
const actor: User = { ...SERVICE_ACTOR, username: 'demo' }

/**
 * Loads a small sample network into an empty service, with change records as if a client had created it. Returns the
 * number of objects; 0 if a table that it fills has rows already.
 */
export async function loadDemo(service: Service): Promise<number> {
  const endpoints = new Set(findCollections(NETWORK).map(({ endpoint }) => endpoint))
  const models = [...service.registry.models.values()].filter(({ path }) => endpoints.has(path))
  if (!(await areEmpty(service, models))) return 0
  const { imported } = await importDataSet(service, NETWORK)
  await recordCreations(service, models)
  return imported.reduce((sum, { added }) => sum + added, 0)
}

async function areEmpty({ database }: Service, models: readonly Model[]): Promise<boolean> {
  const tables = models.map((model) => sql`exists (select from ${table(model)})`)
  const [row] = await database.queryArrays(sql`select ${list(tables, ' or ')}`)
  return row?.[0] === false
}

const recordCreations = (service: Service, models: readonly Model[]): Promise<void> =>
  runWrite(service, { actor, requestId: randomUUID() }, async (context) => {
    const { transaction } = context
    for (const model of models) {
      const ids = await transaction.queryArrays(sql`select id from ${table(model)}`)
      const rows = await loadRows(service, transaction, model, ids.map(Number))
      await recordChanges(
        context,
        rows.map((next) => ({ model, previous: undefined, next, message: '' })),
      )
    }
  })
