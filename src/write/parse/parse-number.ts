import type { BooleanField, DecimalField, IntegerField } from '../../schema/field.ts'
import { INTEGER_RANGES } from '../../schema/integer-ranges.ts'
import { accept, type Outcome, refuse } from '../outcome.ts'

const BOUNDS = {
  ...INTEGER_RANGES,
  big: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
} as const

/** A whole number, also from text; undefined for other values. */
export function wholeNumber(input: unknown): number | undefined {
  if (typeof input === 'number') return Number.isInteger(input) ? input : undefined
  if (typeof input !== 'string' || !/^\s*[+-]?\d{1,30}(\.0*)?\s*$/.test(input)) return undefined
  return Number(input)
}

/** Error message for a number outside its range, or undefined. */
export function outOfRange(
  value: number,
  [low, high]: readonly [number, number],
): string | undefined {
  if (value < low) return `Ensure this value is greater than or equal to ${low}.`
  if (value > high) return `Ensure this value is less than or equal to ${high}.`
  return undefined
}

export function parseIntegerField(field: IntegerField<unknown>, input: unknown): Outcome {
  const value = wholeNumber(input)
  if (value === undefined) return refuse('A valid integer is required.')
  const complaint =
    outOfRange(value, BOUNDS[field.size]) ?? (field.range && outOfRange(value, field.range))
  return complaint ? refuse(complaint) : accept(value)
}

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

export function parseDecimalField(field: DecimalField<unknown>, input: unknown): Outcome {
  // Forms and clients without optional numbers send an empty text.
  if (field.nullable && typeof input === 'string' && input.trim() === '') return accept(null)
  const text = decimalText(input)
  if (text === undefined) return refuse('A valid number is required.')
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const places = fraction.replace(/0+$/, '')
  if (places.length > field.places) {
    return refuse(`Ensure that there are no more than ${field.places} decimal places.`)
  }
  const left = field.digits - field.places
  if (whole !== '0' && whole.length > left) {
    return refuse(`Ensure that there are no more than ${left} digits before the decimal point.`)
  }
  const complaint = field.range && outOfRange(Number(text), field.range)
  if (complaint) return refuse(complaint)
  const sign = text.startsWith('-') ? '-' : ''
  return accept(sign + whole + (field.places > 0 ? `.${places.padEnd(field.places, '0')}` : ''))
}

const TRUE: ReadonlySet<unknown> = new Set([true, 1, 't', 'y', 'yes', 'true', 'on', '1'])
const FALSE: ReadonlySet<unknown> = new Set([false, 0, 'f', 'n', 'no', 'false', 'off', '0'])

/** Parses a boolean; forms send words. */
export function parseBooleanField(field: BooleanField<unknown>, input: unknown): Outcome {
  const word = typeof input === 'string' ? input.trim().toLowerCase() : input
  if (TRUE.has(word)) return accept(true)
  if (FALSE.has(word)) return accept(false)
  if (field.nullable && (word === '' || word === 'null')) return accept(null)
  return refuse('Must be a valid boolean.')
}
