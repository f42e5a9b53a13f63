import type { Model } from '../../schema/registry.ts'
import { type ChangedRow, namesOfChangedFields } from '../record/changed-fields.ts'
import type { ChangeRecord, RuleMatch } from '../record/changes.ts'
import type { LostData } from '../remove/lost-data.ts'

/** All changes of a dry run, collected while it runs. One for each attempt. */
export class WouldChange {
  /** Ids of new objects. */
  readonly created = new Map<Model, Set<number>>()
  /** Names of the changed fields by the ids of changed objects that existed before. */
  readonly changed = new Map<Model, Map<number, Set<string>>>()
  /** Ids of deleted objects that existed before. */
  readonly deleted = new Map<Model, Set<number>>()
  readonly records: ChangeRecord[] = []
  readonly matches: RuleMatch[] = []

  noteCreated(model: Model, ids: readonly number[]): void {
    const noted = entryOf(this.created, model, () => new Set<number>())
    for (const id of ids) noted.add(id)
  }

  noteChanged(model: Model, rows: readonly ChangedRow[]): void {
    const created = this.created.get(model)
    const noted = entryOf(this.changed, model, () => new Map<number, Set<string>>())
    for (const row of rows) {
      const { id } = row.next
      if (created?.has(id)) continue
      const names = entryOf(noted, id, () => new Set<string>())
      for (const name of namesOfChangedFields(model, row)) names.add(name)
    }
  }

  /** Objects and values that go with their deleted definitions. */
  noteLost({ objects, values }: LostData): void {
    for (const [model, ids] of objects) this.noteDeleted(model, [...ids])
    for (const { model, ids, field } of values) {
      const noted = entryOf(this.changed, model, () => new Map<number, Set<string>>())
      for (const id of ids) {
        if (this.created.get(model)?.has(id) || this.deleted.get(model)?.has(id)) continue
        entryOf(noted, id, () => new Set<string>()).add(field)
      }
    }
  }

  noteDeleted(model: Model, ids: readonly number[]): void {
    const created = this.created.get(model)
    const changed = this.changed.get(model)
    const noted = entryOf(this.deleted, model, () => new Set<number>())
    for (const id of ids) {
      changed?.delete(id)
      if (!created?.delete(id)) noted.add(id)
    }
  }
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const entry = map.get(key) ?? make()
  map.set(key, entry)
  return entry
}
