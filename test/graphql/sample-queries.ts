import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isUnionType,
} from 'graphql'

/**
 * A selection of all fields of a type; for related objects, the fields that every type has, or all fields of types
 * without a list.
 */
export function wholeSelection(schema: GraphQLSchema, type: GraphQLObjectType): string {
  const fields = Object.values(type.getFields())
  return `{ __typename ${fields.map(({ name, type }) => name + selectionBelow(schema, type, 1)).join(' ')} }`
}

/** Types whose objects no root field lists are selected in full below others, to this depth. */
const DEEPEST = 3

function selectionBelow(schema: GraphQLSchema, given: GraphQLOutputType, depth: number): string {
  const type = getNamedType(given)
  if (isLeafType(type)) return ''
  if (isUnionType(type)) {
    const members = type.getTypes().map((each) => `... on ${each.name} ${brief(each)}`)
    return ` { __typename ${members.join(' ')} }`
  }
  const object = type as GraphQLObjectType
  if (isListed(schema, object) || depth === DEEPEST) return ` ${brief(object)}`
  const fields = Object.values(object.getFields())
  return ` { ${fields.map(({ name, type }) => name + selectionBelow(schema, type, depth + 1)).join(' ')} }`
}

const isListed = (schema: GraphQLSchema, type: GraphQLObjectType): boolean =>
  Object.values(schema.getQueryType()?.getFields() ?? {}).some((field) => getNamedType(field.type) === type)

const brief = (type: GraphQLObjectType): string => {
  const leaves = Object.values(type.getFields()).filter(({ type }) => isLeafType(getNamedType(type)))
  return `{ ${leaves
    .slice(0, 3)
    .map(({ name }) => name)
    .join(' ')} }`
}

/** Values of scalars; others are texts. */
const SCALARS: Readonly<Record<string, string>> = {
  ...{ Boolean: 'true', Int: '1', BigInt: '1', Float: '1.5', ID: '"1"', Decimal: '"1.5"' },
  ...{ Date: '"2020-01-01"', DateTime: '"2020-01-01T00:00:00Z"', Time: '"10:00:00"' },
  ...{ UUID: '"00000000-0000-4000-8000-000000000001"', JSON: '"a"' },
}

/** Parameters of the REST API that accept only certain texts, by name. */
const PARAMETERS: readonly (readonly [name: RegExp, value: string])[] = [
  [/_id$|^available_|^mask_length|^related_ip$/, '"1"'],
  [/_by_request$/, '"00000000-0000-4000-8000-000000000001"'],
  [/^present_in_vrf$/, '"value-1"'],
]

/** Values of inputs, as they are written in a query. */
export class LookupValues {
  readonly #expanded = new Set<string>()
  #turn = 0

  /** Each lookup once for the first input of a type; further inputs of the type use another lookup each. */
  of(name: string, type: GraphQLInputType): readonly string[] {
    const all = valuesOf(name, type)
    const key = getNamedType(type).name
    if (!this.#expanded.has(key)) {
      this.#expanded.add(key)
      return all
    }
    this.#turn += 1
    return all.slice(this.#turn % all.length).slice(0, 1)
  }
}

/** Values in which each lookup of the input occurs once. */
function valuesOf(name: string, given: GraphQLInputType): readonly string[] {
  const type = getNullableType(given)
  if (isListType(type)) return valuesOf(name, type.ofType).map((value) => `[${value}]`)
  if (isEnumType(type)) return [type.getValues()[0]?.name ?? '']
  if (!isInputObjectType(type)) return [scalarOf(name, type.name)]
  if (name === 'AND' || name === 'OR' || name === 'NOT' || isFilter(type)) {
    return ['{id: {exact: "1"}}']
  }
  const fields = Object.values(type.getFields())
  const required = fields.filter((field) => isNonNullType(field.type))
  const [last, ...others] = required.toReversed()
  if (!last) return fields.flatMap((field) => named(field))
  // All required ones, the last in each of its forms.
  const before = others.toReversed().map((field) => `${namedText(field)}, `)
  return named(last).map((value) => `{${before.join('')}${value.slice(1)}`)
}

const named = ({ name, type }: GraphQLInputField): readonly string[] =>
  valuesOf(name, type).map((value) => `{${name}: ${value}}`)

const namedText = (field: GraphQLInputField): string => (named(field)[0] ?? '{}').slice(1, -1)

const scalarOf = (name: string, type: string): string =>
  SCALARS[type] ?? PARAMETERS.find(([pattern]) => pattern.test(name))?.[1] ?? '"a"'

/** Whether the input filters the objects of a model. */
const isFilter = (type: GraphQLInputObjectType): boolean => 'AND' in type.getFields()
