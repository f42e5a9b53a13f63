import { timestampsAfter } from '../../base/clock.ts'
import { membershipsIn } from '../../read/groups/memberships.ts'
import type { Model } from '../../schema/registry.ts'
import type { WriteContext } from '../context.ts'
import { objectKey } from '../related-object.ts'
import type { ObjectChange } from './changelog.ts'
import type { ChangeEvent, ObjectEventType, Snapshots } from './changes.ts'
import { eventObjects } from './event-objects.ts'
import { type EnabledRule, eventRulesOf } from './event-rules.ts'
import { type DescribedEvent, groupViewers, matchesOf, notifyGroups, storeEvents } from './events.ts'
import { eventSnapshotOf, type SnapshotNames } from './snapshot.ts'

/** The parts of a write that its journal and its events need. */
export type JournalledWrite = Pick<
  WriteContext,
  'service' | 'transaction' | 'actor' | 'requestId' | 'origin' | 'now' | 'wouldChange'
>

/** What a write has done so far, for its change records and events; one per transaction. */
export class Journal {
  #write: JournalledWrite
  /** Number of change records so far. */
  #recorded = 0
  /** Changes for event rules, in the order of the objects' first changes. */
  readonly #events = new Map<string, ChangeEvent>()
  /** Objects that the request names. */
  readonly #named = new Set<string>()
  /** JSON texts of objects as events describe them, if they differ from the state at the end of the transaction. */
  readonly #descriptions = new Map<string, string>()
  /** JSON texts of objects that are being deleted. */
  readonly #departing = new Map<string, string | undefined>()
  /** The dynamic groups to which these objects belong, among those of event rules. */
  readonly #departingGroups = new Map<string, ReadonlySet<number>>()
  /** Users to notify of these deletions, by the notification group and the object. */
  readonly #departingViewers = new Map<string, readonly number[]>()

  constructor(write: JournalledWrite) {
    this.#write = write
  }

  /** Describes objects with the models of this service from now on. */
  continueWith(service: JournalledWrite['service']): void {
    this.#write = { ...this.#write, service }
  }

  /** Timestamps of the next change records: they are listed by time, so each has its own, in the order of the changes. */
  nextTimes(count: number): readonly string[] {
    const later = timestampsAfter(this.#write.now)
    const first = this.#recorded
    this.#recorded += count
    return Array.from({ length: count }, (_, index) => later(first + index))
  }

  /** Records that the request names these objects: it changes or deletes them directly, not only as dependents. */
  noteNamed(model: Model, ids: readonly number[]): void {
    for (const id of ids) this.#named.add(keyOf(model, id))
  }

  /**
   * Records newly inserted objects, so that their events come before those of objects that are changed because of them.
   * Their snapshots are added with their change records.
   */
  async noteCreations(model: Model, ids: readonly number[]): Promise<void> {
    if ((await this.#rulesOf(model)).length === 0) return
    const created = { type: 'object_created', display: '' } as const
    for (const id of ids) this.#note({ model, id, ...created, before: null, after: null, gone: undefined })
  }

  /** Records changes of objects, in their order, if there are enabled rules for their models. */
  async noteChanges(changes: readonly ObjectChange[], names: SnapshotNames): Promise<void> {
    const ruled = new Map<Model, boolean>()
    for (const { model, previous, next } of changes) {
      const hasRules = ruled.get(model) ?? (await this.#rulesOf(model)).length > 0
      ruled.set(model, hasRules)
      const row = next ?? previous
      if (!hasRules || !row) continue
      const before = previous ? eventSnapshotOf(model, previous, names) : null
      const after = next ? eventSnapshotOf(model, next, names) : null
      const type = typeOf({ before, after })
      const { id, display } = row
      this.#note({ model, id, type, display, before, after, gone: undefined })
    }
  }

  /**
   * As `noteChanges`, for objects that are about to be deleted: they are described while they exist, and so are the
   * users who may be notified. Their snapshots are added with their change records.
   */
  async noteDeletions(model: Model, ids: readonly number[]): Promise<void> {
    const rules = await this.#rulesOf(model)
    if (rules.length === 0) return
    const groups = rules.flatMap(({ group, events }) =>
      group !== undefined && events.includes('object_deleted') ? [group] : [],
    )
    for (const group of new Set(groups)) {
      for (const [id, users] of await groupViewers(this.#write, group, model, ids)) {
        this.#departingViewers.set(`${group} ${keyOf(model, id)}`, users)
      }
    }
    const memberships = await this.#groupsOf(model, rules, ids)
    for (const [id, member] of memberships) this.#departingGroups.set(keyOf(model, id), member)
    const objects = await this.#objectsOf(model, ids)
    for (const id of ids) this.#departing.set(keyOf(model, id), objects.get(id))
  }

  /**
   * Describes objects for their events in their current state, unless their save has already done so. The effects of the
   * save, such as counters and the paths of cables, are then not shown, as in NetBox.
   */
  async describe(model: Model, ids: readonly number[], type: ObjectEventType): Promise<void> {
    const rules = await this.#rulesOf(model)
    if (!rules.some(({ events }) => events.includes(type))) return
    const undescribed = ids.filter((id) => !this.#descriptions.has(keyOf(model, id)))
    for (const [id, object] of await this.#objectsOf(model, undescribed)) {
      this.#descriptions.set(keyOf(model, id), object)
    }
  }

  /** Discards descriptions of objects that are saved again. */
  dropDescriptions(model: Model, ids: readonly number[]): void {
    for (const id of ids) this.#descriptions.delete(keyOf(model, id))
  }

  /**
   * Completes the events of the request: notifies groups, and stores the events for other rules, which act after the
   * commit. To be called at the end of the transaction: objects without a description are described in their state at
   * that point. Changes in a branch have no events; its merge does.
   */
  async publish(): Promise<void> {
    const write = this.#write
    if (this.#events.size === 0 || write.service.branch) return
    const described = await this.#describedEvents()
    if (write.wouldChange) write.wouldChange.matches.push(...matchesOf(described))
    else {
      await notifyGroups(write, described, (group, { model, id }) =>
        this.#departingViewers.get(`${group} ${keyOf(model, id)}`),
      )
      storeEvents(write, described)
    }
    this.#events.clear()
    this.#descriptions.clear()
    this.#departing.clear()
    this.#departingViewers.clear()
    this.#departingGroups.clear()
  }

  #note(event: ChangeEvent): void {
    const key = keyOf(event.model, event.id)
    this.#events.set(key, coalesced(this.#events.get(key), { ...event, gone: this.#departing.get(key) }))
  }

  #rulesOf(model: Model): Promise<readonly EnabledRule[]> {
    return eventRulesOf(this.#write, model)
  }

  /** The dynamic groups of these rules to which the objects belong now, by their ids. */
  async #groupsOf(
    model: Model,
    rules: readonly EnabledRule[],
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
    const groups = [...new Set(rules.flatMap((rule) => rule.groups))]
    if (groups.length === 0) return new Map()
    const { service, transaction: database } = this.#write
    const rows = await membershipsIn({ registry: service.registry, database })(model.name, groups, ids)
    return new Map([...rows].map(([id, list]) => [id, new Set(list.map(([group]) => Number(group)))]))
  }

  /** JSON texts of the objects for events: those that the request names have more fields. */
  async #objectsOf(model: Model, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const objects = new Map<number, string>()
    for (const isNamed of [true, false]) {
      const some = ids.filter((id) => this.#named.has(keyOf(model, id)) === isNamed)
      for (const [id, object] of await eventObjects(this.#write, model, some, { isNamed })) objects.set(id, object)
    }
    return objects
  }

  /** The events for which there are rules, in the order of the first changes, across models. */
  async #describedEvents(): Promise<readonly DescribedEvent[]> {
    const described = new Map<ChangeEvent, DescribedEvent>()
    for (const [model, events] of Map.groupBy(this.#events.values(), (event) => event.model)) {
      const enabled = await this.#rulesOf(model)
      const alive = events.flatMap(({ id, gone }) => (gone === undefined ? [id] : []))
      const memberships = await this.#groupsOf(model, enabled, alive)
      const matching = events.flatMap((event) => {
        const key = keyOf(model, event.id)
        const member = event.gone === undefined ? memberships.get(event.id) : this.#departingGroups.get(key)
        const rules = enabled.filter(
          ({ events: types, groups }) =>
            types.includes(event.type) && (groups.length === 0 || groups.some((group) => member?.has(group))),
        )
        const object = event.gone ?? this.#descriptions.get(key)
        return rules.length > 0 ? [{ event, rules, object }] : []
      })
      const undescribed = matching.filter(({ object }) => object === undefined)
      const objects = await this.#objectsOf(
        model,
        undescribed.map(({ event }) => event.id),
      )
      for (const { event, rules, object = objects.get(event.id) } of matching) {
        if (object !== undefined) described.set(event, { event, rules, object })
      }
    }
    return [...this.#events.values()].flatMap((event) => described.get(event) ?? [])
  }
}

const keyOf = ({ name }: Model, id: number): string => objectKey(name, id)

/** The event of several changes of one object. A create followed by an update is a create; a delete replaces both. */
export const coalesced = (first: ChangeEvent | undefined, last: ChangeEvent): ChangeEvent =>
  first === undefined
    ? last
    : {
        ...last,
        type: last.type === 'object_deleted' ? last.type : first.type,
        before: first.before,
        gone: last.gone ?? first.gone,
      }

function typeOf({ before, after }: Snapshots): ObjectEventType {
  if (after === null) return 'object_deleted'
  return before === null ? 'object_created' : 'object_updated'
}
