import { genericKeys } from '../schema/generic-keys.ts'
import type { Model } from '../schema/registry.ts'

/** An object by its type and id. */
export interface ObjectReference {
  readonly type: string
  readonly id: number
}

/** Identifies an object among those of all models. */
export const objectKey = (model: string, id: number): string => `${model} ${id}`

/**
 * The related object of the row's change records: a component's device, an assignment's target; undefined if there is
 * none.
 */
export function relatedObject(model: Model, row: Readonly<Record<string, unknown>>): ObjectReference | undefined {
  const { changeRelates = [] } = model.definition
  for (const name of [changeRelates].flat()) {
    const field = model.fields.get(name)
    const keys = field?.kind === 'genericForeignKey' ? genericKeys(name, field) : undefined
    const type = field?.kind === 'foreignKey' ? field.to : keys && row[keys.type]
    const id = row[keys?.id ?? name]
    if (typeof type === 'string' && typeof id === 'number') return { type, id }
  }
  return undefined
}

/** The object that the row belongs to: the related object of its change records, otherwise its parent in the tree. */
export function parentObject(model: Model, row: Readonly<Record<string, unknown>>): ObjectReference | undefined {
  const related = relatedObject(model, row)
  if (related) return related
  const parent = model.definition.tree && row[model.definition.tree.parent]
  return typeof parent === 'number' ? { type: model.name, id: parent } : undefined
}
