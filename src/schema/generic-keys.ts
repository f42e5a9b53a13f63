import type { Field, GenericForeignKeyField } from './field.ts'

/** Names of the type and the id of a generic relation, in rows, columns and bodies. */
export interface GenericKeys {
  readonly type: string
  readonly id: string
}

/** A generic relation in a table whose plugin is not loaded: the names of the table and of its columns. */
export interface AbsentRelation extends GenericKeys {
  readonly table: string
}

/** The keys of the generic relation `name`. */
export const genericKeys = (name: string, field: GenericForeignKeyField): GenericKeys => ({
  type: field.typeField ?? `${name}_type`,
  id: field.idField ?? `${name}_id`,
})

/** Names under which a body has the field: a generic relation has two, its type and its id. */
export function namesInBody(
  { fields }: { readonly fields: ReadonlyMap<string, Field> },
  name: string,
): readonly string[] {
  const field = fields.get(name)
  if (field?.kind !== 'genericForeignKey') return [name]
  const { type, id } = genericKeys(name, field)
  return [type, id]
}

/** A generic relation of a model, and one of the three values with which responses show it. */
export interface GenericPart {
  readonly relation: string
  readonly field: GenericForeignKeyField
  readonly keys: GenericKeys
  readonly part: 'type' | 'id' | 'object'
}

/** The generic relation that the model shows under this name, in part; undefined for any other name. */
export function genericPart(
  { fields }: { readonly fields: ReadonlyMap<string, Field> },
  name: string,
): GenericPart | undefined {
  for (const [relation, field] of fields) {
    if (field.kind !== 'genericForeignKey') continue
    const keys = genericKeys(relation, field)
    const generic = { relation, field, keys }
    if (name === keys.type) return { ...generic, part: 'type' }
    if (name === keys.id) return { ...generic, part: 'id' }
    if (name === (field.shown ?? relation)) return { ...generic, part: 'object' }
  }
  return undefined
}
