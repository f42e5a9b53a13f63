import {
  buildSchema,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql'

/** An element of a schema that differs from the reference's, and how: `SiteFilter.devices`, `does not exist in the reference`. */
export interface SchemaDifference {
  readonly element: string
  readonly cause: string
}

export const MISSING = 'is missing'
export const MORE = 'does not exist in the reference'

/**
 * Differences between two schemas in the schema language: types (`SiteType`), fields and inputs (`SiteType.name`), arguments
 * (`Query.site(id)`), members of enums (`StatusEnum.ACTIVE`) and of unions (`PrefixScopeType SiteType`). Their order and their
 * descriptions are not compared.
 */
export function compareSchemas(reference: string, own: string): readonly SchemaDifference[] {
  const [expected, actual] = [elementsOf(reference), elementsOf(own)]
  const differences: SchemaDifference[] = []
  for (const [element, type] of expected) {
    const found = actual.get(element)
    if (found === type || isWithin(element, (name) => !actual.has(name))) continue
    const cause = found === undefined ? MISSING : `is ${found} instead of ${type}`
    differences.push({ element, cause })
  }
  for (const element of actual.keys()) {
    if (expected.has(element) || isWithin(element, (name) => !expected.has(name))) continue
    differences.push({ element, cause: MORE })
  }
  return differences
}

/** Whether the element is a part of one to which it applies. */
function isWithin(element: string, holds: (name: string) => boolean): boolean {
  const [type = ''] = element.split(/[. (]/)
  const field = element.replace(/\(.*/, '')
  return [type, field].some((name) => name !== element && holds(name))
}

/** The elements of a schema, with the type of each. */
function elementsOf(text: string): ReadonlyMap<string, string> {
  const elements = new Map<string, string>()
  for (const type of Object.values(buildSchema(text).getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue
    elements.set(type.name, type.constructor.name)
    for (const [name, of] of partsOf(type)) elements.set(`${type.name}${name}`, of)
  }
  return elements
}

function partsOf(type: GraphQLNamedType): readonly (readonly [name: string, type: string])[] {
  if (isUnionType(type)) return type.getTypes().map(({ name }) => [` ${name}`, 'member'])
  if (isEnumType(type)) return type.getValues().map(({ name }) => [`.${name}`, 'member'])
  if (isInputObjectType(type)) {
    return Object.values(type.getFields()).map((field) => [
      `.${field.name}`,
      withDefault(String(field.type), field.defaultValue),
    ])
  }
  if (!isObjectType(type)) return []
  return Object.values(type.getFields()).flatMap((field) => [
    [`.${field.name}`, String(field.type)],
    ...field.args.map((arg): readonly [string, string] => [
      `.${field.name}(${arg.name})`,
      withDefault(String(arg.type), arg.defaultValue),
    ]),
  ])
}

const withDefault = (type: string, value: unknown): string =>
  value === undefined ? type : `${type} = ${JSON.stringify(value)}`
