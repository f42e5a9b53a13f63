import { GraphQLInt } from 'graphql'
import { classNameIn, declaredNames, type NamedRelation, pascalCase } from '../../read/graphql-names.ts'
import { isToMany, type ToMany } from '../../read/query/to-many.ts'
import type { Field } from '../../schema/field.ts'
import { genericKeys } from '../../schema/generic-keys.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, sql } from '../../sql/fragment.ts'
import { listType, type ModelType, nullableIf } from './model-type.ts'
import { PRIMARY_KEY } from './value-parts.ts'

type FieldOf<Kind extends Field['kind']> = Extract<Field, { kind: Kind }>

/** Adds the object that a column refers to, or only its id if its type is not in the schema. */
export function addForeignKey({ types, model, add }: ModelType, name: string, field: FieldOf<'foreignKey'>): undefined {
  const column = model.columns.get(name)
  if (!column) return
  const id = sql`t.${identifier(column.name)}`
  const to = types.registry.model(field.to)
  const type = types.object(to)
  const { objects, optional } = declaredNames(model)
  const isCopy = name.startsWith('_') && !objects?.includes(name)
  if (!type || isCopy || model.name === SYSTEM.objectChange) {
    const typeName = 'DjangoModelType'
    add(name, nullableIf(field.nullable === true, types.named(typeName)), {
      ...{ kind: 'parts', select: id, parts: PRIMARY_KEY, typeName },
    })
    return
  }
  const isNullable = field.nullable === true || optional?.includes(name) === true
  add(name, nullableIf(isNullable, type), { kind: 'toOne', to, id })
}

/** Adds a generic relation: its two keys, and the union of its possible targets. */
export function addGeneric(
  { types, model, add }: ModelType,
  name: string,
  field: FieldOf<'genericForeignKey'>,
): undefined {
  const keys = genericKeys(name, field)
  const [type, id] = [model.columns.get(keys.type), model.columns.get(keys.id)]
  if (!type || !id) return
  const typeAt = sql`t.${identifier(type.name)}`
  const idAt = sql`t.${identifier(id.name)}`
  const isChange = model.name === SYSTEM.objectChange
  const keyType = isChange ? nullableIf(field.nullable, types.named('DjangoModelType')) : types.named('ContentTypeType')
  add(keys.type, keyType, { kind: 'objectTypes', names: typeAt, isList: false })
  add(keys.id, nullableIf(field.nullable, GraphQLInt), {
    ...{ kind: 'value', select: idAt, text: String },
  })
  const to = types.registry.targets(field).filter((target) => types.object(target))
  if (to.length === 0 || isChange) return
  const union = declaredNames(model).unions?.[name] ?? `${classNameIn(model)}${pascalCase(name)}Type`
  add(name, types.union(union, to), { kind: 'generic', type: typeAt, id: idAt, to })
}

/** Adds an inverse relation that the model declares as a field. */
export function addReverse(to: ModelType, name: string, field: FieldOf<'reverse'>): undefined {
  const related = to.types.registry.model(field.of)
  for (const step of to.model.steps.values()) {
    if (!isToMany(step) || step.to !== related || !inverts(step, field.via)) continue
    return addList(to, name, step, field.single === true)
  }
}

const inverts = (step: ToMany, via: string): boolean =>
  step.kind === 'reverseGeneric'
    ? step.typeColumn.key.startsWith(via)
    : step.kind === 'reverseForeignKey' && step.column.key === via

/** Adds a relation that the model does not declare as a field, or its inverse. */
export function addToMany(to: ModelType, { name, step }: NamedRelation): undefined {
  if (!isToMany(step)) return
  // A field of the model hides an inverse relation of the same name.
  const ownField = to.model.fields.get(name)
  if (ownField && ownField.kind !== 'manyToMany' && ownField.kind !== 'tags' && ownField.kind !== 'relatedCount') return
  const isSingle = step.kind === 'reverseForeignKey' && isUnique(step.to, step.column.key)
  addList(to, name, step, isSingle)
}

/** Adds further names of inverse relations, such as that of attached images. */
export function addReverseNames(to: ModelType): undefined {
  const step = to.model.has('imageAttachments') ? to.model.steps.get('images') : undefined
  if (step && isToMany(step)) addList(to, 'image_attachments', step, false)
}

function addList({ types, add }: ModelType, name: string, step: ToMany, isSingle: boolean): undefined {
  const type = types.object(step.to)
  if (!type) return
  if (isSingle) add(name, type, { kind: 'toMany', step, single: true })
  else add(name, listType(type), { kind: 'toMany', step }, types.listArguments(step.to))
}

/** Whether no two rows refer to the same object. */
const isUnique = ({ fields, definition }: Model, name: string): boolean => {
  const field = fields.get(name)
  return (
    (field !== undefined && 'unique' in field && field.unique === true) ||
    (definition.unique ?? []).some(
      ({ fields: together, whereNull, whereNotNull, whereNotEmpty }) =>
        together.length === 1 && together[0] === name && !whereNull && !whereNotNull && !whereNotEmpty,
    )
  )
}
