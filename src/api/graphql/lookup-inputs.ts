import { buildSchema, type GraphQLInputType, type GraphQLNamedType } from 'graphql'

const NAMED = 'exact: T is_null: Boolean in_list: [T!]'
const TEXT =
  'i_exact: T contains: T i_contains: T starts_with: T i_starts_with: T ends_with: T i_ends_with: T regex: T i_regex: T'
const ORDERED = 'gt: T gte: T lt: T lte: T'
const DAY =
  'year: IntComparisonFilterLookup month: IntComparisonFilterLookup day: IntComparisonFilterLookup week_day: IntComparisonFilterLookup iso_week_day: IntComparisonFilterLookup week: IntComparisonFilterLookup iso_year: IntComparisonFilterLookup quarter: IntComparisonFilterLookup'
const CLOCK = 'hour: IntComparisonFilterLookup minute: IntComparisonFilterLookup second: IntComparisonFilterLookup'

const of = (type: string, ...parts: readonly string[]): string => parts.join(' ').replace(/\bT\b/g, type)
const input = (name: string, ...parts: readonly string[]): string => `input ${name} { ${parts.join(' ')} }`
const range = (name: string, type: string): string =>
  input(`${name}RangeLookup`, `start: ${type} = null end: ${type} = null`)
const comparison = (name: string, type = name): string =>
  input(`${name}ComparisonFilterLookup`, of(type, NAMED, ORDERED), `range: ${name}RangeLookup`)
const texts = (name: string, type = name): string => input(`${name}FilterLookup`, of(type, NAMED, TEXT))
/** A number is compared in one of three ways. */
const number = (name: string, of: string): string =>
  `input ${name} @oneOf { filter_lookup: ${of}FilterLookup range_lookup: ${of}RangeLookup comparison_lookup: ${of}ComparisonFilterLookup }`

const SDL = [
  'scalar BigInt scalar Date scalar DateTime scalar Decimal scalar JSON scalar Time scalar UUID',
  'type Query { none: Boolean }',
  texts('Str', 'String'),
  texts('Int'),
  texts('BigInt'),
  texts('Float'),
  texts('Bool', 'Boolean'),
  ...['Int', 'BigInt', 'Float', 'ID', 'Date', 'Time'].flatMap((name) => [range(name, name), comparison(name)]),
  range('Datetime', 'DateTime'),
  range('Str', 'String'),
  number('IntegerLookup', 'Int'),
  number('BigIntegerLookup', 'BigInt'),
  number('FloatLookup', 'Float'),
  input('DateFilterLookup', of('Date', NAMED, ORDERED), 'range: DateRangeLookup', DAY),
  input(
    'DatetimeFilterLookup',
    of('DateTime', NAMED, ORDERED),
    'range: DatetimeRangeLookup',
    DAY,
    CLOCK,
    'date: DateComparisonFilterLookup time: TimeComparisonFilterLookup',
  ),
  input('StrDateFilterLookup', of('String', NAMED, ORDERED), 'range: StrRangeLookup', DAY),
  input(
    'StrDatetimeFilterLookup',
    of('String', NAMED, ORDERED),
    'range: StrRangeLookup',
    DAY,
    CLOCK,
    'date: IntComparisonFilterLookup time: IntComparisonFilterLookup',
  ),
  input(
    'StrTimeFilterLookup',
    of('String', NAMED, ORDERED),
    'range: StrRangeLookup',
    CLOCK,
    'date: IntComparisonFilterLookup time: IntComparisonFilterLookup',
  ),
  input('JSONStringLookup', of('String', 'exact: T', TEXT), 'in_: [String!] isnull: Boolean'),
  `input JSONLookup @oneOf { string_lookup: JSONStringLookup int_range_lookup: IntRangeLookup
    int_comparison_lookup: IntComparisonFilterLookup float_range_lookup: FloatRangeLookup
    float_comparison_lookup: FloatComparisonFilterLookup date_lookup: StrDateFilterLookup
    datetime_lookup: StrDatetimeFilterLookup time_lookup: StrTimeFilterLookup boolean_lookup: BoolFilterLookup }`,
  input('JSONFilter', 'path: String! lookup: JSONLookup!'),
  input('IntegerArrayLookup', 'contains: [Int!] contained_by: [Int!] overlap: [Int!] length: Int'),
  input('StringArrayLookup', 'contains: [String!] contained_by: [String!] overlap: [String!] length: Int'),
  input('IntegerRangeArrayLookup', 'contains: Int'),
  'input ExtraChoicesLookup @oneOf { contains: String length: Int }',
  'enum TreeNodeMatch { EXACT DESCENDANTS SELF_AND_DESCENDANTS CHILDREN SIBLINGS ANCESTORS PARENT }',
  input('TreeNodeFilter', 'id: ID! match_type: TreeNodeMatch!'),
  input('OffsetPaginationInput', 'offset: Int! = 0 limit: Int start: Int'),
  'enum IPAddressFamilyEnum { FAMILY_4 FAMILY_6 }',
].join('\n')

/** The types that filters of all models share, by name, with the given scalars in place of text. */
export function lookupInputs(): (name: string) => GraphQLNamedType & GraphQLInputType {
  const schema = buildSchema(SDL, { assumeValid: true })
  return (name) => {
    const type = schema.getType(name)
    if (!type) throw new Error(`No lookup is named ${name}`)
    return type as GraphQLNamedType & GraphQLInputType
  }
}
