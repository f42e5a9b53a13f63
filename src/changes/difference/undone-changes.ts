import type { Model, Registry } from '../../schema/registry.ts'
import { objectKey } from '../../write/related-object.ts'
import { referencesOf } from '../../write/remove/dependent-rows.ts'
import { type RecordedChange, undoDataIn, valuesAfter, valuesBefore } from '../records/recorded-change.ts'
import { type RecordedNames, wholeRow } from '../records/recorded-row.ts'

/**
 * The changes that are undone together with one change of a request: the change itself and, for a creation or a
 * deletion, related changes of the request. With a deleted object, the undo restores the objects deleted because they
 * referred to it, and the references to it that were cleared; with a created one, it deletes the objects that were
 * created with it and refer to it.
 */
export function withConsequences(
  registry: Registry,
  change: RecordedChange,
  request: readonly RecordedChange[],
  names: RecordedNames,
): readonly RecordedChange[] {
  if (change.action === 'update') return [change]
  const candidates = request
    .filter(({ id }) => id !== change.id)
    .map((candidate) => ({ change: candidate, ...referencesIn(registry, candidate, names) }))
  const objects = new Set([objectKey(change.type, change.object_id)])
  const taken = new Set([change.id])
  for (let size = 0; size < taken.size; ) {
    size = taken.size
    for (const candidate of candidates) {
      if (taken.has(candidate.change.id)) continue
      const isSameKind = candidate.change.action === change.action
      if (!isSameKind && candidate.change.action !== 'update') continue
      const [there, away] =
        change.action === 'delete' ? [candidate.before, candidate.after] : [candidate.after, candidate.before]
      if (!there.some((key) => objects.has(key) && !away.includes(key))) continue
      taken.add(candidate.change.id)
      if (isSameKind) objects.add(objectKey(candidate.change.type, candidate.change.object_id))
    }
  }
  return request.filter(({ id }) => taken.has(id))
}

interface References {
  /** Keys of the objects that the object referred to before and after the change. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

function referencesIn(registry: Registry, change: RecordedChange, names: RecordedNames): References {
  const model = registry.models.get(change.type)
  if (!model) return { before: [], after: [] }
  const undo = undoDataIn(change)
  return {
    before: referencesAndLists(model, wholeRow(model, valuesBefore(change), undo, names)),
    after: referencesAndLists(model, wholeRow(model, valuesAfter(change), { row: {} }, names)),
  }
}

/** Keys of the objects that the row refers to, including those in its lists. */
export const referencesAndLists = (model: Model, row: Readonly<Record<string, unknown>>): readonly string[] => [
  ...referencesOf(model, row),
  ...listed(model, row),
]

function listed(model: Model, row: Readonly<Record<string, unknown>>): string[] {
  return [...model.fields].flatMap(([name, field]) => {
    const ids = row[name]
    if (!Array.isArray(ids) || field.kind !== 'manyToMany') return []
    return ids.map((id) => objectKey(field.to, Number(id)))
  })
}
