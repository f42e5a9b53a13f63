import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLNonNull, type GraphQLOutputType, GraphQLString } from 'graphql'
import { columnOf } from '../../read/query/column.ts'
import { DERIVED, orNull, selectOf, valueText } from '../../read/serialise/value-text.ts'
import { type DerivedType, type Field, kindOf, type ScalarField } from '../../schema/field.ts'
import { withOffset } from '../../schema/fields/date.ts'
import { type GraphqlType, quote } from '../../schema/fields/kind.ts'
import { identifier, type Sql, sql } from '../../sql/fragment.ts'
import type { Types } from './catalogue.ts'
import { listType, type ModelType, nullableIf, required } from './model-type.ts'
import type { Source } from './source.ts'
import { FAMILY_PARTS, FILE_PARTS } from './value-parts.ts'

/** Adds a field that has its own column. */
export function addScalar({ types, model, add }: ModelType, name: string, field: ScalarField): undefined {
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
  const { graphql } = kindOf(field)
  const type = nullableIf(isNullable, typeOf(types, graphql.type(field)))
  const text = graphql.text ? orNull(graphql.text(field)) : valueText(field, true)
  const selected = field.shownAs?.(columnOf(model, sql`t`)) ?? at
  const source: Source = { kind: 'value', select: selectOf(field, selected), text }
  add(name, type, source)
  if (column.name !== name) add(column.name, type, source)
}

const BUILT_IN: Readonly<Record<string, GraphQLOutputType>> = {
  Int: GraphQLInt,
  String: GraphQLString,
  Boolean: GraphQLBoolean,
  '[Int!]': new GraphQLList(new GraphQLNonNull(GraphQLInt)),
  '[String!]': new GraphQLList(new GraphQLNonNull(GraphQLString)),
  '[[String!]!]': new GraphQLList(new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLString)))),
}

const typeOf = (types: Types, name: GraphqlType): GraphQLOutputType => BUILT_IN[name] ?? types.scalar(name)

const DERIVED_TYPES: Readonly<Record<DerivedType, GraphqlType>> = {
  text: 'String',
  integer: 'Int',
  decimal: 'Decimal',
  boolean: 'Boolean',
  date: 'Date',
  dateTime: 'DateTime',
  json: 'JSON',
}

/** Adds a field that an expression over the row derives. */
export function addDerived(
  { types, model, add }: ModelType,
  name: string,
  field: Extract<Field, { kind: 'derived' }>,
): undefined {
  if (name.startsWith('_')) return
  const select: Sql = sql`(${field.sql(columnOf(model, sql`t`))})`
  if (name === 'family' && field.expression === undefined) {
    return add(name, required(types.named('IPAddressFamilyType')), {
      kind: 'parts',
      select,
      parts: FAMILY_PARTS,
      typeName: 'IPAddressFamilyType',
    })
  }
  const type = typeOf(types, DERIVED_TYPES[field.type])
  const text = field.type === 'dateTime' ? withOffset : field.type === 'decimal' ? quote : DERIVED[field.type]
  add(name, nullableIf(field.nullable, type), { kind: 'value', select, text: orNull(text) })
}
