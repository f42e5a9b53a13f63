import { collated } from '../../../read/expression/functions.ts'
import { join, raw, type Sql, sql, volatile } from '../../../sql/fragment.ts'

/** SQL of an expression, and whether it is a text. */
export interface Compiled {
  readonly sql: Sql
  readonly isText: boolean
}

/** What a function takes; `any`: values of one type, texts of different columns in one collation. */
type Argument = 'text' | 'integer' | 'number' | 'moment' | 'any'

/** A function of Django in SQL. */
interface ScriptFunction {
  readonly takes: readonly Argument[]
  /** Number of arguments that may be left out. */
  readonly optional?: number
  /** The last argument may be repeated. */
  readonly isVariadic?: true
  /** Whether the result is a text; `same`: if one of the arguments is. */
  readonly isText: boolean | 'same'
  readonly sql: (parts: readonly Sql[]) => Sql
}

const call = (name: string) => (parts: readonly Sql[]) =>
  parts.length === 0 ? sql`${raw(name)}()` : sql`${raw(name)}(${join(parts)})`
const text = (name: string, ...takes: readonly Argument[]): ScriptFunction => ({
  ...{ takes, isText: true, sql: call(name) },
})
const number = (name: string, ...takes: readonly Argument[]): ScriptFunction => ({
  ...{ takes, isText: false, sql: call(name) },
})
const choice = (name: string): ScriptFunction => ({
  takes: ['any', 'any'],
  isVariadic: true,
  isText: 'same',
  sql: call(name),
})
/** Figures of trigonometry and logarithms, which PostgreSQL has for floating point numbers. */
const figure = (name: string, takes = 1): ScriptFunction => ({
  takes: Array.from({ length: takes }, () => 'number' as const),
  isText: false,
  sql: (parts) => call(name)(parts.map((part) => sql`${part}::float8`)),
})
const digest = (name: string): ScriptFunction => ({
  ...text(name, 'text'),
  sql: ([value]) => sql`encode(${raw(name)}(convert_to(${value}, 'UTF8')), 'hex')`,
})
const part = (unit: string, offset = 0): ScriptFunction => ({
  takes: ['moment'],
  isText: false,
  sql: ([value]) => sql`(extract(${raw(unit)} from ${value} at time zone 'UTC')::integer + ${raw(String(offset))})`,
})
const start = (unit: string): ScriptFunction => ({
  takes: ['moment'],
  isText: false,
  sql: ([value]) => sql`date_trunc('${raw(unit)}', ${value}, 'UTC')`,
})

/**
 * The functions of `django.db.models.functions` that scripts can use, by their names there. Python learns the names
 * from here.
 */
export const FUNCTIONS: Readonly<Record<string, ScriptFunction>> = {
  Coalesce: choice('coalesce'),
  Greatest: choice('greatest'),
  Least: choice('least'),
  NullIf: { takes: ['any', 'any'], isText: 'same', sql: call('nullif') },

  Chr: text('chr', 'integer'),
  Concat: { ...text('concat', 'text', 'text'), isVariadic: true },
  Left: text('left', 'text', 'integer'),
  Length: number('length', 'text'),
  Lower: text('lower', 'text'),
  LPad: { ...text('lpad', 'text', 'integer', 'text'), optional: 1 },
  LTrim: text('ltrim', 'text'),
  MD5: text('md5', 'text'),
  ...Object.fromEntries([224, 256, 384, 512].map((bits) => [`SHA${bits}`, digest(`sha${bits}`)])),
  Ord: number('ascii', 'text'),
  Repeat: text('repeat', 'text', 'integer'),
  // Without a replacement, Django removes the text.
  Replace: {
    ...text('replace', 'text', 'text', 'text'),
    optional: 1,
    sql: ([value, of, by = sql`''`]) => sql`replace(${value}, ${of}, ${by})`,
  },
  Reverse: text('reverse', 'text'),
  Right: text('right', 'text', 'integer'),
  RPad: { ...text('rpad', 'text', 'integer', 'text'), optional: 1 },
  RTrim: text('rtrim', 'text'),
  StrIndex: number('strpos', 'text', 'text'),
  Substr: { ...text('substr', 'text', 'integer', 'integer'), optional: 1 },
  Trim: text('btrim', 'text'),
  Upper: text('upper', 'text'),

  Abs: number('abs', 'number'),
  Ceil: number('ceil', 'number'),
  Floor: number('floor', 'number'),
  Mod: number('mod', 'number', 'number'),
  Round: {
    ...number('round', 'number', 'integer'),
    optional: 1,
    sql: ([value, digits = sql`0`]) => sql`round(${value}::numeric, ${digits})`,
  },
  Sign: number('sign', 'number'),
  ACos: figure('acos'),
  ASin: figure('asin'),
  ATan: figure('atan'),
  ATan2: figure('atan2', 2),
  Cos: figure('cos'),
  Cot: figure('cot'),
  Degrees: figure('degrees'),
  Exp: figure('exp'),
  Ln: figure('ln'),
  Log: {
    ...number('log', 'number', 'number'),
    sql: ([base, value]) => sql`log(${base}::numeric, ${value}::numeric)::float8`,
  },
  Pi: figure('pi', 0),
  Power: figure('power', 2),
  Radians: figure('radians'),
  Sin: figure('sin'),
  Sqrt: figure('sqrt'),
  Tan: figure('tan'),

  Now: { takes: [], isText: false, sql: () => volatile`statement_timestamp()` },
  ExtractYear: part('year'),
  ExtractIsoYear: part('isoyear'),
  ExtractQuarter: part('quarter'),
  ExtractMonth: part('month'),
  ExtractWeek: part('week'),
  ExtractDay: part('day'),
  ExtractIsoWeekDay: part('isodow'),
  // Sunday is 1 in Django.
  ExtractWeekDay: part('dow', 1),
  ExtractHour: part('hour'),
  ExtractMinute: part('minute'),
  ExtractSecond: part('second'),
  TruncYear: start('year'),
  TruncQuarter: start('quarter'),
  TruncMonth: start('month'),
  TruncWeek: start('week'),
  TruncDay: start('day'),
  TruncHour: start('hour'),
  TruncMinute: start('minute'),
  TruncSecond: start('second'),
  TruncDate: { takes: ['moment'], isText: false, sql: ([value]) => sql`(${value} at time zone 'UTC')::date` },
}

/** Functions over the rows of a window, by Django's names. */
export const WINDOW_FUNCTIONS: Readonly<Record<string, ScriptFunction>> = {
  CumeDist: number('cume_dist'),
  DenseRank: number('dense_rank'),
  FirstValue: { takes: ['any'], isText: 'same', sql: call('first_value') },
  Lag: { takes: ['any', 'integer', 'any'], optional: 2, isText: 'same', sql: call('lag') },
  LastValue: { takes: ['any'], isText: 'same', sql: call('last_value') },
  Lead: { takes: ['any', 'integer', 'any'], optional: 2, isText: 'same', sql: call('lead') },
  NthValue: { takes: ['any', 'integer'], isText: 'same', sql: call('nth_value') },
  Ntile: { ...number('ntile', 'integer'), optional: 1, sql: ([count = sql`1`]) => sql`ntile(${count})` },
  PercentRank: number('percent_rank'),
  Rank: number('rank'),
  RowNumber: number('row_number'),
}

/** PostgreSQL's types by the names of Django's fields, for `Cast`. */
export const FIELD_TYPES: Readonly<Record<string, string>> = {
  ...{ CharField: 'text', TextField: 'text', BooleanField: 'boolean' },
  ...{ IntegerField: 'integer', PositiveIntegerField: 'integer', SmallIntegerField: 'smallint' },
  ...{ PositiveSmallIntegerField: 'smallint', BigIntegerField: 'bigint' },
  ...{ FloatField: 'float8', DecimalField: 'numeric' },
  ...{ DateField: 'date', DateTimeField: 'timestamptz', TimeField: 'time' },
}

/** The argument in the form in which the function takes it. */
const ARGUMENTS: Readonly<Record<Argument, (part: Compiled) => Sql>> = {
  text: ({ sql: value }) => collated(sql`${value}::text`),
  integer: ({ sql: value }) => sql`${value}::integer`,
  number: ({ sql: value }) => value,
  moment: ({ sql: value }) => sql`${value}::timestamptz`,
  any: (part) => combined(part),
}

/** Texts of different columns are combined in one collation. */
export const combined = ({ sql: value, isText }: Compiled): Sql => (isText ? collated(value) : value)

/** SQL of a call; undefined for a number of arguments that the function does not take. */
export function called(
  { takes, optional = 0, isVariadic, isText, sql: of }: ScriptFunction,
  parts: readonly Compiled[],
): Compiled | undefined {
  if (parts.length < takes.length - optional || (parts.length > takes.length && !isVariadic)) return undefined
  const values = parts.map((part, index) => ARGUMENTS[takes[index] ?? takes.at(-1) ?? 'any'](part))
  return { sql: of(values), isText: isText === 'same' ? parts.some((part) => part.isText) : isText }
}
