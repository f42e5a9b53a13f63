import { currentTimestamp } from '../../base/clock.ts'
import type { Transaction } from '../../db/database.ts'
import { SERVICE_ACTOR } from '../../identity/actor.ts'
import type { Model } from '../../schema/registry.ts'
import type { Service } from '../../service.ts'
import { eventObjects } from './event-objects.ts'
import { eventRulesOf } from './event-rules.ts'
import { storeEvents } from './events.ts'

/**
 * Describes rows that follow from other objects for event rules, which statements have inserted or are about to delete.
 * Returns a function that stores the events.
 */
export async function announceRows(
  { service, transaction }: { readonly service: Service; readonly transaction: Transaction },
  model: Model,
  type: 'object_created' | 'object_deleted',
  ids: readonly number[],
): Promise<() => void> {
  if (ids.length === 0) return () => undefined
  const rules = (await eventRulesOf({ service, transaction }, model)).filter(
    ({ events, groups }) => events.includes(type) && groups.length === 0,
  )
  if (rules.length === 0) return () => undefined
  const objects = await eventObjects({ service, transaction }, model, ids, { isNamed: true })
  const write = {
    ...{ service, transaction, now: currentTimestamp(service.clock), actor: SERVICE_ACTOR },
    ...{ requestId: '', origin: undefined, wouldChange: undefined },
  }
  const described = ids.flatMap((id) => {
    const object = objects.get(id)
    if (object === undefined) return []
    const isDeleted = type === 'object_deleted'
    const states = { before: isDeleted ? object : 'null', after: isDeleted ? 'null' : object }
    const event = { model, id, type, display: '', gone: isDeleted ? object : undefined, ...states }
    return [{ event, object, rules }]
  })
  return () => storeEvents(write, described)
}
