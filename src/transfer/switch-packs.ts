import { randomUUID } from 'node:crypto'
import { SERVICE_ACTOR, type User } from '../identity/actor.ts'
import type { PackDocument } from '../schema/packs/pack-document.ts'
import { SYSTEM } from '../schema/system-models.ts'
import type { Service } from '../service.ts'
import { sql } from '../sql/fragment.ts'
import { table } from '../sql/table.ts'
import { createObjects } from '../write/create-objects.ts'
import { runWrite } from '../write/run.ts'
import { updateObjects } from '../write/update-objects.ts'

/** The wanted state of a pack. */
interface PackState {
  readonly name: string
  readonly enabled: boolean
  /** The pack as data; absent for one that ships, or that keeps its document. */
  readonly document?: PackDocument
}

/**
 * Switches packs on or off, and stores documents of new or changed ones, in one transaction. Returns the service with the
 * models that there are then. Throws ApiError.
 */
export async function switchPacks(
  service: Service,
  states: readonly PackState[],
  actor: User = SERVICE_ACTOR,
): Promise<Service> {
  const packs = service.registry.model(SYSTEM.pack)
  const rows = await service.database.query<{ id: number; name: string }>(
    sql`select id, name from ${table(SYSTEM.pack)} where name = any(${states.map(({ name }) => name)}::text[])`,
  )
  const idOf = new Map(rows.map(({ id, name }) => [name, id]))
  const known = states.flatMap(({ name, ...body }) => {
    const id = idOf.get(name)
    return id === undefined ? [] : [{ id, body }]
  })
  const added = states.filter(({ name }) => !idOf.has(name))
  await runWrite(service, { actor, requestId: randomUUID() }, async (context) => {
    if (known.length > 0) await updateObjects(context, packs, known, { partial: true, bulk: true })
    if (added.length > 0) await createObjects(context, packs, added, { bulk: true })
  })
  return (await service.redefined?.()) ?? service
}
