import { accept, type Outcome, refuse } from '../outcome.ts'
import { outOfRange } from './integer.ts'
import {
  asIs,
  builder,
  limitsSchema,
  type OptionsOf,
  printed,
  quote,
  type ScalarKind,
  type Stored,
  type ValueOf,
  WrongValue,
} from './kind.ts'

export interface DecimalField<Value = string> extends Stored<'decimal', Value> {
  readonly digits: number
  readonly places: number
  readonly range?: readonly [number, number]
}

/** Exact number of at most `digits` digits, `places` of them after the point; a text in rows. */
export const decimal = <const O extends OptionsOf<DecimalField>>(options: O): DecimalField<ValueOf<string, O>> =>
  builder<DecimalField>('decimal')(options)

export const decimalKind: ScalarKind<DecimalField<unknown>> = {
  options: { digits: true, places: true, range: true },
  columnType: ({ digits, places }) => `numeric(${digits},${places})`,
  parse: parseDecimal,
  restore: (value) => {
    if (typeof value !== 'number' && !(typeof value === 'string' && isNumeric(value))) {
      throw new WrongValue(`a number is expected, not ${printed(value)}`)
    }
    return String(value)
  },
  text: () => asIs,
  filter: (path) => ({ kind: 'decimal', path }),
  metadata: ({ digits, places, range }) => ({
    type: 'decimal',
    ...(range && limitsOf(digits - places, places, range)),
    max_digits: digits,
    decimal_places: places,
  }),
  schema: ({ range }) => ({ type: 'number', format: 'double', ...limitsSchema(range) }),
  graphql: {
    type: () => 'Decimal',
    text: () => quote,
    lookup: () => ['FloatLookup', 'decimal'],
  },
  control: () => 'number',
}

/** The upper limit is reported only if the number of digits does not imply it. */
function limitsOf(whole: number, places: number, [low, high]: readonly [number, number]) {
  const isTold = high < 10 ** whole - 10 ** -places
  return { min_value: low, ...(isTold && { max_value: high }) }
}

export const isNumeric = (value: string): boolean => value.trim() !== '' && !Number.isNaN(+value)

/** Exact decimal text of a number or of text in any usual notation; undefined for other values. */
export function decimalText(input: unknown): string | undefined {
  if (typeof input !== 'number' && typeof input !== 'string') return undefined
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(String(input).trim())
  if (!match) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = whole + fraction
  if (digits === '' || digits.length > 1000) return undefined
  const point = whole.length + Number(exponent)
  const padded = point < 0 ? '0'.repeat(-point) + digits : digits.padEnd(point, '0')
  const at = Math.max(point, 0)
  const left = padded.slice(0, at).replace(/^0+(?=\d)/, '') || '0'
  const right = padded.slice(at)
  const text = right === '' ? left : `${left}.${right}`
  return sign === '-' && /[1-9]/.test(text) ? `-${text}` : text
}

function parseDecimal(field: DecimalField<unknown>, input: unknown): Outcome {
  // Forms, and clients that cannot omit numbers, send an empty text.
  if (field.nullable && typeof input === 'string' && input.trim() === '') return accept(null)
  const text = decimalText(input)
  if (text === undefined) return refuse('A valid number is required.')
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const places = fraction.replace(/0+$/, '')
  if (places.length > field.places) {
    return refuse(`Ensure that there are no more than ${field.places} decimal places.`)
  }
  const mostDigits = field.digits - field.places
  if (whole !== '0' && whole.length > mostDigits) {
    return refuse(`Ensure that there are no more than ${mostDigits} digits before the decimal point.`)
  }
  const complaint = field.range && outOfRange(Number(text), field.range)
  if (complaint) return refuse(complaint)
  const sign = text.startsWith('-') ? '-' : ''
  return accept(sign + whole + (field.places > 0 ? `.${places.padEnd(field.places, '0')}` : ''))
}
