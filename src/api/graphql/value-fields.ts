import {
  GraphQLBoolean,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  GraphQLString,
} from 'graphql'
import { columnOf } from '../../read/query/column.ts'
import { DERIVED, orNull, quote, selectOf, valueText } from '../../read/serialise/value-text.ts'
import type { Field, ScalarField } from '../../schema/field.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import type { Types } from './catalogue.ts'
import { listType, type ModelType, nullableIf, required } from './model-type.ts'
import type { Source } from './source.ts'
import { FAMILY_PARTS, FILE_PARTS, momentText } from './value-parts.ts'

/** Adds a field that is stored in a column of its own. */
export function addScalar(
  { types, model, add }: ModelType,
  name: string,
  field: ScalarField,
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

/** Adds a field that an expression over the row derives. */
export function addDerived(
  { types, model, add }: ModelType,
  name: string,
  field: Extract<Field, { kind: 'derived' }>,
): undefined {
  if (name.startsWith('_')) return
  const select: Sql = sql`(${field.sql(columnOf(model, sql`t`))})`
  if (name === 'family') {
    return add(name, required(types.named('IPAddressFamilyType')), {
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
