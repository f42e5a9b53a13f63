import { accept, refuse } from '../outcome.ts'
import {
  asIs,
  builder,
  limitsSchema,
  type OptionsOf,
  printed,
  type ScalarKind,
  type Stored,
  type ValueOf,
  WrongValue,
} from './kind.ts'

/** Lowest and highest number of integers that are not 64 bits wide. */
const INTEGER_RANGES = {
  small: [-32_768, 32_767],
  normal: [-2_147_483_648, 2_147_483_647],
} as const

export interface IntegerField<Value = number> extends Stored<'integer', Value> {
  readonly size: 'small' | 'normal' | 'big'
  readonly range?: readonly [number, number]
  /** A number of seconds: bodies may contain an ISO 8601 duration instead, such as PT1H. */
  readonly isDuration?: true
}

/** Whole number; `size` is that of the column: 16, 32 or 64 bits. */
export const integer = <const O extends Partial<OptionsOf<IntegerField>>>(
  options: O,
): IntegerField<ValueOf<number, O>> => builder<IntegerField>('integer')({ size: 'normal', ...options })

const TYPES = { small: 'smallint', normal: 'integer', big: 'bigint' } as const
/** Numbers that bodies may send. */
const BOUNDS = {
  ...INTEGER_RANGES,
  big: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
} as const
/** Numbers that OPTIONS reports. */
const LIMITS = {
  ...INTEGER_RANGES,
  big: [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n],
} as const

export const integerKind: ScalarKind<IntegerField<unknown>> = {
  options: { size: true, range: true, isDuration: true },
  columnType: ({ size }) => TYPES[size],
  parse: ({ size, range, isDuration }, input) => {
    const value = wholeNumber(input) ?? (isDuration ? secondsIn(input) : undefined)
    if (value === undefined) return refuse(isDuration ? NO_DURATION : 'A valid integer is required.')
    const complaint = outOfRange(value, BOUNDS[size]) ?? (range && outOfRange(value, range))
    return complaint ? refuse(complaint) : accept(value)
  },
  restore: (value) => {
    if (!Number.isSafeInteger(value)) {
      throw new WrongValue(`a whole number is expected, not ${printed(value)}`)
    }
    return value
  },
  text: () => asIs,
  filter: (path) => ({ kind: 'integer', path }),
  metadata: ({ size, range }, _name, isWritable) => {
    const [low, high] = range ?? LIMITS[size]
    const max = high === Number.MAX_SAFE_INTEGER ? LIMITS.big[1] : high
    return {
      type: 'integer',
      ...(isWritable && { min_value: Number(low), max_value: Number(max) }),
    }
  },
  schema: ({ size, range }) => ({
    type: 'integer',
    ...(size === 'big' && { format: 'int64' }),
    ...limitsSchema(range ?? (size === 'big' ? undefined : INTEGER_RANGES[size])),
  }),
  graphql: {
    type: ({ size }) => (size === 'big' ? 'BigInt' : 'Int'),
    lookup: ({ size }) => [size === 'big' ? 'BigIntegerLookup' : 'IntegerLookup', 'integer'],
  },
  control: () => 'number',
}

/** A whole number, also from text; undefined for other values. */
export function wholeNumber(input: unknown): number | undefined {
  if (typeof input === 'number') return Number.isInteger(input) ? input : undefined
  if (typeof input !== 'string' || !/^\s*[+-]?\d{1,30}(\.0*)?\s*$/.test(input)) return undefined
  return Number(input)
}

const NO_DURATION = 'Enter a valid integer or an ISO 8601 duration of days, hours, minutes and seconds, such as PT1H.'

/** Days, hours, minutes and seconds; weeks, months and years have no place in it. */
const DURATION = /^P(?=[\dT])(?:(\d{1,9})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/i

/** Seconds of an ISO 8601 duration; undefined for other values. */
function secondsIn(input: unknown): number | undefined {
  const parts = typeof input === 'string' ? DURATION.exec(input.trim()) : null
  if (!parts) return undefined
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0))
  return (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)
}

/** Error message for a number outside its range, or undefined. */
export function outOfRange(value: number, [low, high]: readonly [number, number]): string | undefined {
  if (value < low) return `Ensure this value is greater than or equal to ${low}.`
  if (value > high) return `Ensure this value is less than or equal to ${high}.`
  return undefined
}
