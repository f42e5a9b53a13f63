import { genericKeys } from '../../schema/generic-keys.ts'
import type { Model } from '../../schema/registry.ts'
import { isDerived } from '../../write/validate/rules.ts'

/** Relations of a row to other objects: the key of the object, and how the row changes when it is gone. */
export interface Reference {
  readonly field: string
  readonly type: string
  readonly id: number
  /** Values of the row without the reference; undefined if it cannot exist without it. */
  readonly cleared: Readonly<Record<string, null>> | undefined
  /** The row is deleted together with the object. */
  readonly isOwned: boolean
}

/** The references of a row, or of some of its values. */
export function referencesIn(model: Model, row: Readonly<Record<string, unknown>>): readonly Reference[] {
  return [...model.fields].flatMap(([name, field]): readonly Reference[] => {
    if (field.kind === 'foreignKey' && isMerged(model, name)) {
      const id = row[name]
      if (typeof id !== 'number') return []
      const cleared = field.nullable ? { [name]: null } : undefined
      return [{ field: name, type: field.to, id, cleared, isOwned: field.onDelete === 'cascade' }]
    }
    if (field.kind !== 'genericForeignKey') return []
    const keys = genericKeys(name, field)
    const [type, id] = [row[keys.type], row[keys.id]]
    if (typeof type !== 'string' || typeof id !== 'number') return []
    const cleared = field.nullable ? { [keys.type]: null, [keys.id]: null } : undefined
    return [{ field: keys.id, type, id, cleared, isOwned: field.onDelete === 'cascade' }]
  })
}

const isMerged = (model: Model, name: string): boolean => {
  const column = model.columns.get(name)
  return column !== undefined && !name.startsWith('_') && !isDerived(model, column)
}
