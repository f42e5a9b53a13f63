import type { Model, Registry } from '../../schema/registry.ts'
import type { Client } from './client.ts'
import { SourceError } from './source-error.ts'

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
    const search = new URLSearchParams({ id__gt: String(lastChange), ordering: 'id', limit: '500' })
    const rows = rowsOf(await client.json(`/api/${CHANGES}/?${search}`))
    for (const { type, action } of rows) {
      const model = registry.models.get(type)
      if (!model) continue
      models.add(model)
      // Rows that refer to a created or deleted row change with it, without a change record.
      if (action !== 'update') for (const other of namersOf(registry, model)) models.add(other)
    }
    const newest = rows.at(-1)?.id
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

interface Change {
  readonly id: number
  readonly type: string
  readonly action: unknown
}

function rowsOf(document: Awaited<ReturnType<Client['json']>>): readonly Change[] {
  const results =
    typeof document === 'object' && document !== null && 'results' in document ? document.results : undefined
  if (!Array.isArray(results)) throw new SourceError(`/api/${CHANGES}/ returns no results.`)
  return results.map(({ id, changed_object_type, action }) => ({
    id: Number(id),
    type: String(changed_object_type),
    action: action?.value,
  }))
}
