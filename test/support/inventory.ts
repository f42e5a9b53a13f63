import { randomUUID } from 'node:crypto'
import { ApiError } from '../../src/base/errors.ts'
import { readSettings } from '../../src/config/settings.ts'
import type { Database } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate/migrate.ts'
import { SERVICE_ACTOR, type User } from '../../src/identity/actor.ts'
import { webhookBehaviour } from '../../src/models/extras/webhook.ts'
import { BEHAVIOURS, MODELS, VIEWS } from '../../src/models/index.ts'
import { buildRegistry } from '../../src/schema/registry.ts'
import { createService, type Service } from '../../src/service.ts'
import type { Sql } from '../../src/sql/fragment.ts'
import type { Row } from '../../src/sql/queryable.ts'
import type { WriteContext } from '../../src/write/context.ts'
import { createObjects } from '../../src/write/create-objects.ts'
import type { UpdateTarget } from '../../src/write/parse/bulk.ts'
import { deleteObjects } from '../../src/write/remove/delete-objects.ts'
import { runWrite } from '../../src/write/run.ts'
import { updateObjects } from '../../src/write/update-objects.ts'
import { openTestDatabase } from './database.ts'
import { directoryOfRun } from './directory.ts'

type Body = Readonly<Record<string, unknown>>

/** All models with their rules in an empty database, to which tests write as a superuser does through the API. */
export interface Inventory {
  readonly service: Service
  /** Id of the new object. Throws ApiError. */
  create(model: string, body: Body): Promise<number>
  /** One request with a list. */
  createAll(model: string, bodies: readonly Body[]): Promise<number[]>
  /** PATCH of a list. */
  changeAll(model: string, targets: readonly UpdateTarget[]): Promise<unknown>
  /** PATCH. */
  change(model: string, id: number, body: Body): Promise<unknown>
  remove(model: string, ...ids: readonly number[]): Promise<void>
  query<T extends Row = Row>(statement: Sql): Promise<T[]>
  close(): Promise<void>
}

/** Their templates are compiled outside the models. */
const webhooks = webhookBehaviour(async () => new Map())

/** Author of writes for which permissions do not matter. */
export const TESTER: User = { ...SERVICE_ACTOR, username: 'tester' }

export const openInventory = async (environment?: Record<string, string>): Promise<Inventory> =>
  await openInventoryIn(await openTestDatabase('migrated'), environment)

/** As `openInventory`, in an open database, which the inventory then closes. */
export async function openInventoryIn(
  database: Database,
  environment: Record<string, string> = {},
): Promise<Inventory> {
  const registry = buildRegistry(MODELS, [...BEHAVIOURS, webhooks], [], VIEWS)
  // Needed for databases that a test opens itself; otherwise this only checks the tables.
  await migrate(database, registry)
  const settings = readSettings({ DATA_DIR: directoryOfRun(), ...environment })
  const service = createService(registry, database, settings)
  const run = <T>(work: (context: WriteContext) => Promise<T>) =>
    runWrite(service, { actor: TESTER, requestId: randomUUID() }, work)
  const createAll = (name: string, bodies: readonly Body[], bulk = true) =>
    run((context) => createObjects(context, registry.model(name), bodies, { bulk }))
  const changeAll = (name: string, targets: readonly UpdateTarget[], bulk = true) =>
    run((context) => updateObjects(context, registry.model(name), targets, { partial: true, bulk }))
  return {
    service,
    createAll,
    create: async (name, body) => (await createAll(name, [body], false))[0] ?? 0,
    changeAll,
    change: (name, id, body) => changeAll(name, [{ id, body }], false),
    remove: (name, ...ids) =>
      run((context) =>
        deleteObjects(
          context,
          registry.model(name),
          ids.map((id) => ({ id })),
          { bulk: true },
        ),
      ),
    query: (statement) => database.query(statement),
    close: () => database.close(),
  }
}

/** Which fields were refused, in alphabetical order, or the kind of refusal; none if it was accepted. */
export async function refusedAt(work: Promise<unknown>): Promise<readonly string[]> {
  try {
    await work
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { reason } = error
    if (reason.kind !== 'invalid') return [reason.kind]
    const { messages } = reason
    if (Array.isArray(messages)) return messages.flatMap((each) => Object.keys(each)).sort()
    return Object.keys(messages).sort()
  }
}
