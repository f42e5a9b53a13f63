import {
  GraphQLBoolean,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql'
import { DERIVED, orNull, quote, selectOf, valueText } from '../output/value-text.ts'
import { columnOf } from '../query/column.ts'
import { displayOf } from '../query/display.ts'
import { isToMany } from '../query/to-many.ts'
import { className } from '../schema/class-name.ts'
import type { Field, ScalarField } from '../schema/field.ts'
import { genericKeys } from '../schema/generic-keys.ts'
import type { Model } from '../schema/registry.ts'
import { SYSTEM } from '../schema/system-models.ts'
import { identifier, type Sql, sql } from '../sql/fragment.ts'
import type { Types } from './catalogue.ts'
import { declaredNames, type NamedRelation, pascalCase, relationsOf } from './names.ts'
import { OBJECT_LIST_UNIONS } from './reference-names.ts'
import type { Source } from './source.ts'
import { treeValues } from './tree-values.ts'
import { FAMILY_PARTS, FILE_PARTS, momentText, PRIMARY_KEY } from './value-parts.ts'

/** A field of an object type, and where its value comes from. */
export interface ModelField {
  readonly config: GraphQLFieldConfig<unknown, unknown>
  readonly source: Source
}

type Fields = Map<string, ModelField>

/** Hidden fields that the schema shows all the same. */
const SHOWN_ALTHOUGH_HIDDEN =
  /^(_(?!path$)|cable_(connector|positions)$|(created|last_updated|comments|owner|available_power|related_object|auto_sync_enabled|action_data|parent)$)/

/** The fields of a model's type. */
export function modelFields(types: Types, model: Model): Fields {
  const fields: Fields = new Map()
  const { only, display } = declaredNames(model)
  const add: Add = (name, type, source, args) => {
    if (only && !only.includes(name)) return
    if (!fields.has(name)) fields.set(name, { config: { type, ...(args && { args }) }, source })
  }
  const required = (type: GraphQLOutputType) =>
    new GraphQLNonNull(type as never) as GraphQLOutputType
  add('id', required(GraphQLID), { kind: 'value', select: sql`t.id`, text: (id) => `"${id}"` })
  add('display', required(GraphQLString), {
    kind: 'value',
    select: display === undefined ? displayOf(model, sql`t`) : columnOf(model, sql`t`)(display),
    text: quote,
  })
  add('class_type', required(GraphQLString), {
    kind: 'constant',
    text: JSON.stringify(className(model)),
  })
  for (const [name, field] of model.fields) addField(types, model, name, field, add)
  addEmpty(types, model, add)
  for (const [name, select] of treeValues(model)) {
    add(name, required(GraphQLInt), { kind: 'value', select, text: String })
  }
  for (const relation of relationsOf(model)) addRelation(types, model, relation, add)
  addReverseNames(types, model, add)
  return fields
}

/** Features that the model does not have, and that its type shows as empty. */
function addEmpty(types: Types, model: Model, add: Add): undefined {
  const { none } = declaredNames(model)
  if (none?.includes('custom_fields')) {
    const type = new GraphQLNonNull(types.scalar('JSON'))
    add('custom_fields', type, { kind: 'constant', text: '{}' })
  }
  const tag = types.registry.model(SYSTEM.tag)
  const type = none?.includes('tags') ? types.object(tag) : undefined
  if (!type) return
  add('tags', listType(type), { kind: 'constant', text: '[]' }, types.listArguments(tag))
}

type Add = (
  name: string,
  type: GraphQLOutputType,
  source: Source,
  args?: GraphQLFieldConfigArgumentMap,
) => undefined

const nullableIf = (isNullable: boolean, type: GraphQLOutputType): GraphQLOutputType =>
  isNullable ? type : (new GraphQLNonNull(type as never) as GraphQLOutputType)

/** The list type `[X!]!`. */
export const listType = (type: GraphQLOutputType): GraphQLOutputType =>
  new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type as never)))

function addField(types: Types, model: Model, name: string, field: Field, add: Add): undefined {
  const isHidden = 'hidden' in field && field.hidden === true
  if (isHidden && field.kind !== 'customFields' && !SHOWN_ALTHOUGH_HIDDEN.test(name)) return
  if ('writeOnly' in field && field.writeOnly) return
  switch (field.kind) {
    case 'foreignKey': {
      const column = model.columns.get(name)
      if (!column) return
      const id = sql`t.${identifier(column.name)}`
      const to = types.object(types.registry.model(field.to))
      const { objects, optional } = declaredNames(model)
      const isPlain =
        (name.startsWith('_') && !objects?.includes(name)) ||
        model.name === SYSTEM.objectChange ||
        !to
      if (isPlain) {
        const type = nullableIf(field.nullable === true, types.named('DjangoModelType'))
        add(name, type, {
          kind: 'parts',
          select: id,
          parts: PRIMARY_KEY,
          typeName: 'DjangoModelType',
        })
      } else {
        const isNullable = field.nullable === true || optional?.includes(name) === true
        add(name, nullableIf(isNullable, to), {
          ...{ kind: 'toOne', to: types.registry.model(field.to), id },
        })
      }
      return
    }
    case 'genericForeignKey':
      return addGeneric(types, model, name, field, add)
    case 'customFields': {
      const json = new GraphQLNonNull(types.scalar('JSON'))
      add('custom_fields', json, { kind: 'customFields', field })
      add('custom_field_data', json, { kind: 'customFields', field })
      return
    }
    case 'counter': {
      const select = sql`t.${identifier(name)}`
      add(name, new GraphQLNonNull(types.scalar('BigInt')), { kind: 'value', select, text: String })
      return
    }
    case 'derived':
      return addDerived(types, model, name, field, add)
    case 'computed':
      return addComputed(types, name, field, add)
    case 'reverse': {
      const to = types.registry.model(field.of)
      const type = types.object(to)
      const step = [...model.steps.values()].find(
        (each) =>
          isToMany(each) &&
          each.to === to &&
          (each.kind === 'reverseGeneric'
            ? each.typeColumn.key.startsWith(field.via)
            : each.kind === 'reverseForeignKey' && each.column.key === field.via),
      )
      if (!type || !step || !isToMany(step)) return
      if (field.single) add(name, type, { kind: 'toMany', step, single: true })
      else add(name, listType(type), { kind: 'toMany', step }, types.listArguments(to))
      return
    }
    case 'manyToMany':
    case 'tags':
    case 'relatedCount':
    case 'derivedKey':
      return
    default:
      return addScalar(types, model, name, field, add)
  }
}

function addScalar(
  types: Types,
  model: Model,
  name: string,
  field: ScalarField,
  add: Add,
): undefined {
  const column = model.columns.get(name)
  if (!column) return
  const at = sql`t.${identifier(column.name)}`
  const isNullable = field.nullable === true
  if (field.kind === 'objectType' || field.kind === 'objectTypes') {
    const isList = field.kind === 'objectTypes'
    const type = types.named('ContentTypeType')
    const source: Source = { kind: 'objectTypes', names: at, isList }
    if (!isList) return add(name, type, source)
    return add(name, listType(type), source, {
      pagination: { type: types.lookup('OffsetPaginationInput') },
    })
  }
  if (field.kind === 'file') {
    const isOptional = field.blank === true || isNullable
    const type = nullableIf(isOptional, types.named('DjangoImageType'))
    return add(name, type, {
      kind: 'parts',
      select: at,
      parts: FILE_PARTS,
      typeName: 'DjangoImageType',
    })
  }
  const type = nullableIf(isNullable, scalarType(types, field))
  const source: Source = { kind: 'value', select: selectOf(field, at), text: textOf(field) }
  add(name, type, source)
  if (column.name !== name) add(column.name, type, source)
}

function scalarType(types: Types, field: ScalarField): GraphQLOutputType {
  switch (field.kind) {
    case 'integer':
      return field.size === 'big' ? types.scalar('BigInt') : GraphQLInt
    case 'boolean':
      return GraphQLBoolean
    case 'decimal':
      return types.scalar('Decimal')
    case 'date':
      return types.scalar('Date')
    case 'dateTime':
      return types.scalar('DateTime')
    case 'uuid':
      return types.scalar('UUID')
    case 'json':
      return types.scalar('JSON')
    case 'choice':
      return typeof field.choices.list[0]?.value === 'number' ? GraphQLInt : GraphQLString
    case 'list': {
      if (field.of === 'json') return types.scalar('JSON')
      const item = new GraphQLNonNull(field.of === 'integer' ? GraphQLInt : GraphQLString)
      const list = new GraphQLList(item)
      return field.of === 'textPair' ? new GraphQLList(new GraphQLNonNull(list)) : list
    }
    default:
      return GraphQLString
  }
}

/** Ranges with a blank behind the comma, as Python writes them. */
const rangesText = (ranges: unknown): string =>
  JSON.stringify((ranges as readonly string[]).map((range) => range.replace(',', ', ')))

/** The stored value; where there may be none, the empty text is none. */
const choiceText =
  (isNullable: boolean) =>
  (value: unknown): string =>
    isNullable && value === '' ? 'null' : typeof value === 'number' ? String(value) : quote(value)

function textOf(field: ScalarField): (value: unknown) => string {
  switch (field.kind) {
    case 'choice':
      return choiceText(field.nullable === true)
    case 'dateTime':
      return momentText
    case 'decimal':
      return quote
    case 'list':
      return field.of === 'range' ? rangesText : valueText(field, true)
    default:
      return valueText(field, true)
  }
}

function addDerived(
  types: Types,
  model: Model,
  name: string,
  field: Extract<Field, { kind: 'derived' }>,
  add: Add,
): undefined {
  if (name.startsWith('_')) return
  const select: Sql = sql`(${field.sql(columnOf(model, sql`t`))})`
  if (name === 'family') {
    const type = new GraphQLNonNull(types.named('IPAddressFamilyType'))
    return add(name, type, {
      kind: 'parts',
      select,
      parts: FAMILY_PARTS,
      typeName: 'IPAddressFamilyType',
    })
  }
  const type = {
    text: GraphQLString,
    integer: GraphQLInt,
    decimal: types.scalar('Decimal'),
    boolean: GraphQLBoolean,
    dateTime: types.scalar('DateTime'),
    json: types.scalar('JSON'),
  }[field.type]
  const text =
    field.type === 'dateTime' ? momentText : field.type === 'decimal' ? quote : DERIVED[field.type]
  add(name, nullableIf(field.nullable, type), { kind: 'value', select, text: orNull(text) })
}

function addComputed(
  types: Types,
  name: string,
  field: Extract<Field, { kind: 'computed' }>,
  add: Add,
): undefined {
  const union = OBJECT_LIST_UNIONS[name]
  if (union !== undefined && field.objects) {
    const to = field.objects.map((target) => types.registry.model(target))
    add(name, listType(types.union(union, to)), { kind: 'objectList', field, to })
  } else if (field.excludable) {
    add(name, new GraphQLNonNull(types.scalar('JSON')), { kind: 'computed', field })
  }
}

function addGeneric(
  types: Types,
  model: Model,
  name: string,
  field: Extract<Field, { kind: 'genericForeignKey' }>,
  add: Add,
): undefined {
  const keys = genericKeys(name, field)
  const [type, id] = [model.columns.get(keys.type), model.columns.get(keys.id)]
  if (!type || !id) return
  const typeAt = sql`t.${identifier(type.name)}`
  const idAt = sql`t.${identifier(id.name)}`
  const isChange = model.name === SYSTEM.objectChange
  add(
    keys.type,
    isChange
      ? nullableIf(field.nullable, types.named('DjangoModelType'))
      : types.named('ContentTypeType'),
    { kind: 'objectTypes', names: typeAt, isList: false },
  )
  add(keys.id, nullableIf(field.nullable, GraphQLInt), {
    kind: 'value',
    select: idAt,
    text: String,
  })
  const to = types.registry.targets(field).filter((target) => types.object(target))
  if (to.length === 0 || isChange) return
  const union = declaredNames(model).unions?.[name] ?? `${className(model)}${pascalCase(name)}Type`
  add(name, types.union(union, to), { kind: 'generic', type: typeAt, id: idAt, to })
}

/** Relations that the model does not declare as fields, and those back to it. */
function addRelation(
  types: Types,
  model: Model,
  { name, step }: NamedRelation,
  add: Add,
): undefined {
  if (!isToMany(step)) return
  const type = types.object(step.to)
  if (!type) return
  // A field of the model hides a relation back of the same name.
  const own = model.fields.get(name)
  if (own && own.kind !== 'manyToMany' && own.kind !== 'tags' && own.kind !== 'relatedCount') return
  const isSingle = step.kind === 'reverseForeignKey' && isUnique(step.to, step.column.key)
  if (isSingle) add(name, type, { kind: 'toMany', step, single: true })
  else add(name, listType(type), { kind: 'toMany', step }, types.listArguments(step.to))
}

/** Whether no two rows name the same object. */
const isUnique = ({ fields, definition }: Model, name: string): boolean => {
  const field = fields.get(name)
  return (
    (field !== undefined && 'unique' in field && field.unique === true) ||
    (definition.unique ?? []).some(
      ({ fields: together, whereNull, whereNotNull, whereNotEmpty }) =>
        together.length === 1 &&
        together[0] === name &&
        !whereNull &&
        !whereNotNull &&
        !whereNotEmpty,
    )
  )
}

/** Further names of relations back: that of attached images. */
function addReverseNames(types: Types, model: Model, add: Add): undefined {
  const step = model.has('imageAttachments') ? model.steps.get('images') : undefined
  const type = step && isToMany(step) ? types.object(step.to) : undefined
  if (!step || !isToMany(step) || !type) return
  add('image_attachments', listType(type), { kind: 'toMany', step }, types.listArguments(step.to))
}
