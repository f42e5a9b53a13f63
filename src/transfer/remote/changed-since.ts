import { isJsonObject } from '../../schema/json.ts'
import type { Model, Registry } from '../../schema/registry.ts'
import type { Client } from './client.ts'
import { readPage } from './pages.ts'

/** Collection of change records. */
export const CHANGES = 'core/object-changes'

export interface Changed {
  /** Id of the newest change record. */
  readonly lastChange: number
  /** Models with rows that may have changed. */
  readonly models: ReadonlySet<Model>
}

/** The changes since a change record; undefined if there are none. */
export async function changedSince(client: Client, registry: Registry, record: number): Promise<Changed | undefined> {
  let lastChange = record
  const models = new Set<Model>()
  for (;;) {
    const page = await readPage(client, CHANGES, { id__gt: String(lastChange), ordering: 'id', limit: '500' })
    for (const { changed_object_type, action = null } of page.rows) {
      const model = registry.models.get(String(changed_object_type))
      if (!model) continue
      models.add(model)
      // Rows that refer to a created or deleted row change with it, without a change record.
      if (!isJsonObject(action) || action.value !== 'update')
        for (const other of namersOf(registry, model)) models.add(other)
    }
    const newest = page.ids.at(-1)
    if (newest === undefined || newest <= lastChange) break
    lastChange = newest
  }
  if (lastChange === record) return undefined
  for (const model of registry.models.values()) {
    if (!model.has('changeLogging')) models.add(model)
  }
  return { lastChange, models }
}

const namersOf = (registry: Registry, { name }: Model): readonly Model[] =>
  [...registry.models.values()].filter((other) =>
    [...other.fields.values()].some((field) => field.kind === 'foreignKey' && field.to === name),
  )
