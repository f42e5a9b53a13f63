import type { Messages } from '../../errors.ts'
import type { ListField, ListItem } from '../../schema/field.ts'
import { formatInterface, networkOf, parseInterface } from '../../schema/net/ip.ts'
import { accept, isRefused, NOT_BLANK, type Outcome, refuse, refuseAs } from '../outcome.ts'
import { outOfRange, wholeNumber } from './parse-number.ts'
import { complainOfDocument, inputText } from './parse-text.ts'

/** Parses a PostgreSQL array: errors of items are by position, errors of the list on the field itself. */
export function parseList(field: ListField<unknown>, input: unknown): Outcome {
  if (!Array.isArray(input)) {
    const sentence = 'Expected a list of items.'
    // Lists of documents are refused as documents are.
    return field.of === 'range' ? refuseAs({ non_field_errors: [sentence] }) : refuse(sentence)
  }
  if (input.length === 0 && !allowsEmpty(field)) return refuse('This list may not be empty.')
  const outcomes = input.map((item) => ITEMS[field.of](field, item))
  const messages: Record<string, Messages> = {}
  outcomes.forEach((outcome, position) => {
    if (isRefused(outcome)) messages[position] = outcome.refused
  })
  if (Object.keys(messages).length > 0) return refuseAs(messages)
  const values = outcomes.map((outcome) => (isRefused(outcome) ? undefined : outcome.value))
  const complaint = field.of === 'range' ? complainOfRanges(field, values) : undefined
  return complaint ? refuse(complaint) : accept(values)
}

const allowsEmpty = (field: ListField<unknown>): boolean =>
  field.blank ??
  (field.nullable === true || (Array.isArray(field.default) && field.default.length === 0))

type ParseItem = (field: ListField<unknown>, item: unknown) => Outcome

const ITEMS: Readonly<Record<ListItem, ParseItem>> = {
  text: (field, item) => {
    const outcome = inputText(item)
    if (isRefused(outcome)) return outcome
    const text = outcome.value
    if (text === '') return refuse(NOT_BLANK)
    if (field.max !== undefined && [...text].length > field.max) {
      return refuse(`Ensure this field has no more than ${field.max} characters.`)
    }
    if (field.choices && !field.choices.labels.has(text)) {
      return refuse(`"${text}" is not a valid choice.`)
    }
    return accept(text)
  },
  integer: (field, item) => {
    const value = wholeNumber(item)
    if (value === undefined) return refuse('A valid integer is required.')
    const complaint = outOfRange(value, field.range ?? [-2_147_483_648, 2_147_483_647])
    return complaint ? refuse(complaint) : accept(value)
  },
  network: (_field, item) => {
    const network = typeof item === 'string' ? parseInterface(item.trim()) : undefined
    return network
      ? accept(formatInterface(networkOf(network)))
      : refuse('Enter an IPv4 or IPv6 network in CIDR notation.')
  },
  json: (_field, item) => {
    const complaint = complainOfDocument(item)
    return complaint === undefined ? accept(item) : refuse(complaint)
  },
  textPair: (_field, item) => {
    if (!Array.isArray(item) || item.length !== 2) {
      return refuse('Expected a list of two items: value and label.')
    }
    const [value, label] = [inputText(item[0]), inputText(item[1])]
    if (isRefused(value)) return value
    if (isRefused(label)) return label
    if (value.value === '' || label.value === '') return refuse(NOT_BLANK)
    return accept([value.value, label.value])
  },
  range: (_field, item) => {
    if (!Array.isArray(item) || item.length !== 2) {
      return refuse('Expected a range in the form [low, high].')
    }
    const [low, high] = item
    return typeof low === 'number' &&
      typeof high === 'number' &&
      Number.isInteger(low) &&
      Number.isInteger(high)
      ? accept([low, high])
      : refuse('Range boundaries must be integers.')
  },
}

function complainOfRanges(
  field: ListField<unknown>,
  values: readonly unknown[],
): string | undefined {
  for (const [low, high] of values as [number, number][]) {
    if (low > high) return `The range ${low}-${high} ends before it begins.`
    const limits = field.range ?? [-2_147_483_648, 2_147_483_646]
    const complaint = outOfRange(low, limits) ?? outOfRange(high, limits)
    if (complaint) return complaint
  }
  return undefined
}
