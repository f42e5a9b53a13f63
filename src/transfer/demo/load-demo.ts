import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVICE_ACTOR, type User } from '../../identity/actor.ts'
import { branchService } from '../../read/branches/branch-service.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { Service } from '../../service.ts'
import { join as list, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import { applyDocument } from '../../write/apply/apply-document.ts'
import type { WriteContext } from '../../write/context.ts'
import { createObjects } from '../../write/create-objects.ts'
import { recordChanges } from '../../write/record/changelog.ts'
import { loadRows } from '../../write/rows.ts'
import { runWrite } from '../../write/run.ts'
import { findCollections } from '../collections.ts'
import { importDataSet } from '../import-directory.ts'

/** A data set: the office, the machine hall and the lighthouses of an imagined trust. */
const NETWORK = join(import.meta.dirname, 'network')

/** A document with what the planned branch changes. */
const ROLLOUT = join(import.meta.dirname, 'rollout.json')

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
  const { imported } = await importDataSet(service, NETWORK, { source: 'sample network' })
  await recordCreations(service, models)
  await planRollout(service)
  return imported.reduce((sum, { added }) => sum + added, 0)
}

/** A branch in which the planned station is built, with a request to review it. */
async function planRollout(service: Service): Promise<void> {
  const { registry } = service
  const write = async <T>(to: Service, job: (context: WriteContext) => Promise<T>): Promise<T> =>
    await runWrite(to, { actor, requestId: randomUUID() }, job)
  const create = async (to: Service, name: string, body: object): Promise<number> =>
    await write(to, async (context) => {
      const [id = 0] = await createObjects(context, registry.model(name), [body], { bulk: false })
      return id
    })
  const branch = { name: 'Otter Bank rollout', description: 'The station goes into service in spring.' }
  const id = await create(service, SYSTEM.branch, branch)
  const planned = branchService(service, { ...branch, id, schemaId: '', status: 'ready', lastSync: null })
  const rollout: unknown = JSON.parse(readFileSync(ROLLOUT, 'utf8'))
  await write(planned, (context) => applyDocument(context, rollout))
  await create(service, SYSTEM.changeRequest, {
    title: 'Build Otter Bank',
    branch: id,
    description: branch.description,
  })
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
