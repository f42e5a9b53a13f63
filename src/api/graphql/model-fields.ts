import { GraphQLID, GraphQLInt, GraphQLString } from 'graphql'
import { classNameIn, declaredNames, pascalCase, relationsOf } from '../../read/graphql-names.ts'
import { columnOf } from '../../read/query/column.ts'
import { joinedObjects } from '../../read/serialise/many.ts'
import { className } from '../../schema/class-name.ts'
import type { Field } from '../../schema/field.ts'
import { quote } from '../../schema/fields/kind.ts'
import type { Model } from '../../schema/registry.ts'
import { SYSTEM } from '../../schema/system-models.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import { table } from '../../sql/table.ts'
import type { Types } from './catalogue.ts'
import { listType, type ModelField, type ModelType, required } from './model-type.ts'
import { OBJECT_LIST_UNIONS } from './reference-names.ts'
import { addForeignKey, addGeneric, addReverse, addReverseNames, addToMany } from './relation-fields.ts'
import type { Source } from './source.ts'
import { addDerived, addScalar } from './value-fields.ts'

/** Hidden fields that the schema shows anyway. */
const SHOWN_ALTHOUGH_HIDDEN =
  /^(_(?!path$)|cable_(connector|positions)$|(created|last_updated|comments|owner|available_power|related_object|auto_sync_enabled|action_data|parent)$)/

/** The fields of a model's type. */
export function modelFields(types: Types, model: Model): ReadonlyMap<string, ModelField> {
  const fields = new Map<string, ModelField>()
  const { only, deprecated = {} } = declaredNames(model)
  const add: ModelType['add'] = (name, type, source, args) => {
    if (only && !only.includes(name)) return
    const config = { type, ...(args && { args }), deprecationReason: deprecated[name] }
    if (!fields.has(name)) fields.set(name, { config, source })
  }
  const to: ModelType = { types, model, add }
  addIdentity(to)
  for (const [name, field] of model.fields) addField(to, name, field)
  addEmpty(to)
  addTreeValues(to)
  for (const relation of relationsOf(model)) addToMany(to, relation)
  addReverseNames(to)
  return fields
}

/** Adds the common fields of all types: id, display and the name of the class. */
function addIdentity({ model, add }: ModelType): undefined {
  const { display } = declaredNames(model)
  add('id', required(GraphQLID), { kind: 'value', select: sql`t.id`, text: (id) => `"${id}"` })
  const displaySource: Source =
    display === undefined
      ? { kind: 'display' }
      : { kind: 'value', select: columnOf(model, sql`t`)(display), text: quote }
  add('display', required(GraphQLString), displaySource)
  add('class_type', required(GraphQLString), {
    kind: 'constant',
    text: JSON.stringify(className(model)),
  })
}

/** Features that the model lacks and that its type shows as empty. */
function addEmpty({ types, model, add }: ModelType): undefined {
  const { none } = declaredNames(model)
  if (none?.includes('custom_fields')) {
    add('custom_fields', required(types.scalar('JSON')), { kind: 'constant', text: '{}' })
  }
  const tag = types.registry.model(SYSTEM.tag)
  const type = none?.includes('tags') ? types.object(tag) : undefined
  if (!type) return
  add('tags', listType(type), { kind: 'constant', text: '[]' }, types.listArguments(tag))
}

function addField(to: ModelType, name: string, field: Field): undefined {
  const isHidden = 'hidden' in field && field.hidden === true
  if (isHidden && field.kind !== 'customFields' && !SHOWN_ALTHOUGH_HIDDEN.test(name)) return
  if ('writeOnly' in field && field.writeOnly) return
  switch (field.kind) {
    case 'foreignKey':
      return addForeignKey(to, name, field)
    case 'genericForeignKey':
      return addGeneric(to, name, field)
    case 'reverse':
      return addReverse(to, name, field)
    case 'customFields': {
      const json = required(to.types.scalar('JSON'))
      to.add('custom_fields', json, { kind: 'customFields', field })
      to.add('custom_field_data', json, { kind: 'customFields', field })
      return
    }
    case 'counter': {
      const select = sql`t.${identifier(name)}`
      to.add(name, required(to.types.scalar('BigInt')), { kind: 'value', select, text: String })
      return
    }
    case 'derived':
      return addDerived(to, name, field)
    case 'computed':
      return addComputed(to, name, field)
    case 'manyToMany':
    case 'tags':
    case 'relatedCount':
    case 'derivedKey':
      return
    default:
      return addScalar(to, name, field)
  }
}

function addComputed(
  { types, model, add }: ModelType,
  name: string,
  field: Extract<Field, { kind: 'computed' }>,
): undefined {
  if (field.joins) {
    const to = Object.keys(field.joins).map((target) => types.registry.model(target))
    const offered = to.filter((target) => types.object(target))
    if (offered.length === 0) return
    const type = types.union(`${classNameIn(model)}${pascalCase(name)}Type`, offered)
    const objects = joinedObjects(types, model, field.joins)
    return add(name, listType(type), { kind: 'objectList', field: objects, to: offered })
  }
  const union = OBJECT_LIST_UNIONS[name]
  if (union !== undefined && field.objects) {
    const to = field.objects.map((target) => types.registry.model(target))
    add(name, listType(types.union(union, to)), { kind: 'objectList', field, to })
  } else if (field.excludable) {
    add(name, required(types.scalar('JSON')), { kind: 'computed', field })
  }
}

/** Adds the tree positions to the type of a tree. */
function addTreeValues({ model, add }: ModelType): undefined {
  for (const [name, select] of treeValues(model)) {
    add(name, required(GraphQLInt), { kind: 'value', select, text: String })
  }
}

/**
 * The depth of the node `t`. In trees with a traversal order, also its position as NetBox 4.6 stores it: the number of
 * its tree, and the numbers at which a traversal enters and leaves the node. These are counted over all nodes for each
 * row.
 */
function treeValues(model: Model): ReadonlyMap<string, Sql> {
  const { tree } = model.definition
  if (!tree) return new Map()
  const level = sql`t._level`
  if (!tree.isWalked) return new Map([['level', level]])
  const sort = identifier('_sort')
  const nodes = table(model)
  const before = (node: Sql, compared: Sql) =>
    sql`(${node}.${sort}, ${node}.id) < (${compared}.${sort}, ${compared}.id)`
  const precede = sql`(select count(*) from ${nodes} n where n._ancestors[1] = t._ancestors[1] and ${before(sql`n`, sql`t`)})`
  const left = sql`(2 * ${precede} - t._level + 1)`
  const below = sql`(select count(*) from ${nodes} n where t.id = any(n._ancestors) and n.id <> t.id)`
  const trees = sql`(select count(*) from ${nodes} n join ${nodes} root on root.id = t._ancestors[1] where n._level = 0 and (n.id = root.id or ${before(sql`n`, sql`root`)}))`
  return new Map([
    ['lft', left],
    ['rght', sql`(${left} + 2 * ${below} + 1)`],
    ['tree_id', trees],
    ['level', level],
  ])
}
