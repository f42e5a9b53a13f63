import { genericKeys } from '../../schema/generic-keys.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import type { ObjectReference } from '../../write/related-object.ts'

/** Whether the rows are parts of other objects that a list of their own repeats: ends of cables, tags of objects. */
export const isPart = ({ name, definition }: Model): boolean =>
  name === SYSTEM.taggedItem || definition.changeSide !== undefined

/** The object that the part belongs to. */
export function holderOf(model: Model, row: Readonly<Record<string, unknown>>): ObjectReference | undefined {
  const { changeSide } = model.definition
  for (const [name, field] of model.fields) {
    if (changeSide ? name === changeSide.of && field.kind === 'foreignKey' : field.kind === 'genericForeignKey') {
      const keys = field.kind === 'genericForeignKey' ? genericKeys(name, field) : undefined
      const type = field.kind === 'foreignKey' ? field.to : keys && row[keys.type]
      const id = row[keys?.id ?? name]
      if (typeof type === 'string' && typeof id === 'number') return { type, id }
    }
  }
  return undefined
}
