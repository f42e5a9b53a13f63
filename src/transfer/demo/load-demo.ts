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
import { storeEntries } from '../counterparts/import-map.ts'
import { type ImportPlan, totalsOf } from '../counterparts/plan.ts'
import { importDataSet, planImport } from '../import-directory.ts'
import { CREATED_BY_SAMPLE, SAMPLE_AUTHOR } from './sample-objects.ts'

/** A data set: the office, the machine hall and the lighthouses of an imagined trust. */
const NETWORK = join(import.meta.dirname, 'network')

/** A document with what the planned branch changes. */
const ROLLOUT = join(import.meta.dirname, 'rollout.json')

/** Name under which an import finds the objects of the sample again. */
const SOURCE = 'sample network'

/** The user that the change records name: the service itself. */
const actor: User = { ...SERVICE_ACTOR, username: SAMPLE_AUTHOR }

/**
 * Loads the sample network into an empty service. Returns the number of objects; 0 if a table that it fills has rows
 * already.
 */
export async function loadDemo(service: Service): Promise<number> {
  return (await areEmpty(service, modelsOfSample(service))) ? await loadSample(service) : 0
}

/**
 * Adds the sample network to whatever is in the service, with change records as if a client had created it. Objects that
 * are here already stay as they are. Returns the number of new objects. Throws ImportRefused if it is unclear which of
 * the objects here is meant.
 */
export async function loadSample(service: Service): Promise<number> {
  const { created } = await importDataSet(service, NETWORK, { source: SOURCE })
  await recordCreations(service, created)
  const planned = await planRollout(service)
  for (const [name, ids] of [...created, ...planned]) await remember(service, name, [...ids])
  return [...created.values()].reduce((sum, ids) => sum + ids.size, 0)
}

/** What loading the sample would do: numbers of objects that it creates, and of those that are here already. */
export async function sampleOutlook(service: Service): Promise<{ readonly created: number; readonly here: number }> {
  const plan: ImportPlan = await planImport(service, NETWORK, { source: SOURCE })
  const size = findCollections(NETWORK).reduce((sum, collection) => sum + collection.size, 0)
  if (plan.isNew && plan.collections.length === 0) return { created: size, here: 0 }
  const { rows, created } = totalsOf(plan)
  return { created, here: rows - created }
}

function modelsOfSample({ registry }: Service): readonly Model[] {
  const endpoints = new Set(findCollections(NETWORK).map(({ endpoint }) => endpoint))
  return [...registry.models.values()].filter(({ path }) => endpoints.has(path))
}

/** Notes which objects the sample has created, so that exactly these can be removed. */
const remember = ({ database }: Service, name: string, ids: readonly number[]): Promise<void> =>
  storeEntries(
    database,
    CREATED_BY_SAMPLE,
    name,
    ids.map((id) => ({ sourceId: id, localId: id, digests: null })),
  )

/** A branch in which the planned station is built, with a request to review it. Returns the ids of both. */
async function planRollout(service: Service): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const { registry, database } = service
  const write = async <T>(to: Service, job: (context: WriteContext) => Promise<T>): Promise<T> =>
    await runWrite(to, { actor, requestId: randomUUID() }, job)
  const create = async (to: Service, name: string, body: object): Promise<number> =>
    await write(to, async (context) => {
      const [id = 0] = await createObjects(context, registry.model(name), [body], { bulk: false })
      return id
    })
  const branch = { name: 'Otter Bank rollout', description: 'The station goes into service in spring.' }
  const present = await database.queryColumn(
    sql`select t.id from ${table(SYSTEM.branch)} t where t.name = ${branch.name}`,
  )
  if (present.length > 0) return new Map()
  const id = await create(service, SYSTEM.branch, branch)
  const planned = branchService(service, { ...branch, id, schemaId: '', status: 'ready', lastSync: null })
  const rollout: unknown = JSON.parse(readFileSync(ROLLOUT, 'utf8'))
  await write(planned, (context) => applyDocument(context, rollout))
  const request = await create(service, SYSTEM.changeRequest, {
    title: 'Build Otter Bank',
    branch: id,
    description: branch.description,
  })
  return new Map([
    [SYSTEM.branch, new Set([id])],
    [SYSTEM.changeRequest, new Set([request])],
  ])
}

async function areEmpty({ database }: Service, models: readonly Model[]): Promise<boolean> {
  const tables = models.map((model) => sql`exists (select from ${table(model)})`)
  const [row] = await database.queryArrays(sql`select ${list(tables, ' or ')}`)
  return row?.[0] === false
}

const recordCreations = (service: Service, created: ReadonlyMap<string, ReadonlySet<number>>): Promise<void> =>
  runWrite(service, { actor, requestId: randomUUID() }, async (context) => {
    for (const [name, ids] of created) {
      const model = service.registry.model(name)
      const rows = await loadRows(service, context.transaction, model, [...ids])
      await recordChanges(
        context,
        rows.map((next) => ({ model, previous: undefined, next, message: '' })),
      )
    }
  })
