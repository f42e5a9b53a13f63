import type { Messages } from '../../base/errors.ts'
import { sql } from '../../sql/fragment.ts'
import type { ChoiceSet } from '../choices.ts'
import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { formatInterface, networkOf, parseInterface } from '../net/ip.ts'
import { accept, isRefused, NOT_BLANK, type Outcome, refuse, refuseAs } from '../outcome.ts'
import { pythonJson } from '../python-json.ts'
import { choiceSchema, choicesMetadata, invalidChoice } from './choice.ts'
import { outOfRange, wholeNumber } from './integer.ts'
import { jsonCell } from './json.ts'
import {
  asIs,
  builder,
  type CellValue,
  type ControlKind,
  limitsSchema,
  nameAsWords,
  type OptionsOf,
  restoredList,
  type ScalarKind,
  type Stored,
  TEXT_SCHEMA,
  type ToText,
  type ValueOf,
} from './kind.ts'
import { complainOfDocument, inputText } from './text.ts'

export type ListItem = 'text' | 'portMapping' | 'integer' | 'network' | 'json' | 'textPair' | 'range'
/** PostgreSQL array. `range` items are `[low, high]` inclusive and stored as int4range. */
export interface ListField<Value = readonly Json[]> extends Stored<'list', Value> {
  readonly of: ListItem
  readonly choices?: ChoiceSet
  readonly range?: readonly [number, number]
  readonly blank?: boolean
  readonly max?: number
  /** Rows are searched by the list's content, so it has an index. */
  readonly isSearched?: boolean
}

/** Value types of list items. */
interface ListValues {
  text: string
  portMapping: string
  integer: number
  network: string
  json: Json
  textPair: readonly [string, string]
  range: readonly [number, number]
}
export const list = <const Of extends ListItem, const O extends Omit<OptionsOf<ListField>, 'of'>>(
  of: Of,
  options: O,
): ListField<ValueOf<readonly ListValues[Of][], O>> => builder<ListField>('list')({ of, ...options })

export const listKind: ScalarKind<ListField<unknown>> = {
  options: { of: true, choices: true, range: true, blank: true, max: true, isSearched: true },
  columnType: ({ of }) => ITEMS[of].columnType,
  parse: parseList,
  restore: (value, { of }) =>
    restoredList(value).map((item) => (of !== 'json' && isJsonObject(item) ? (item.value ?? null) : item)),
  empty: [],
  cell: (input, { of }) => ITEMS[of].cell?.(input) ?? { value: cellItems(input) },
  // An empty list is a value of a list that begins empty.
  cleared: ({ nullable, default: initial }) => (nullable && initial === undefined ? null : []),
  select: (column, { of }) => (of === 'json' ? sql`to_jsonb(${column})` : column),
  text: ({ of }) => ITEMS[of].text ?? JSON.stringify,
  recorded:
    ({ of }) =>
    (value) =>
      recordedList(of, value as readonly Json[]), // decoded from an array
  metadata: (field, name) =>
    field.of === 'range'
      ? { child: { type: 'nested object', required: false, read_only: false } }
      : { type: 'list', child: itemMetadata(name, field) },
  schema: (field) => ({ type: 'array', items: ITEMS[field.of].schema(field) }),
  graphql: {
    type: ({ of }) => ITEMS[of].graphql,
    text: ({ of }) => (of === 'range' ? rangesWithBlanks : (ITEMS[of].text ?? JSON.stringify)),
    lookup: ({ of }) => {
      const { lookup } = ITEMS[of]
      return lookup === undefined ? undefined : [lookup, 'list']
    },
  },
  control: ({ of, choices }) => (choices && of !== 'portMapping' ? 'choices' : ITEMS[of].control),
}

/** The items of one kind of list. */
interface Item {
  readonly columnType: string
  readonly parse: (field: ListField<unknown>, item: unknown) => Outcome
  /** JSON text of the list, if it differs from that of its items. */
  readonly text?: ToText
  /** The list in a cell of an imported table; default: its items, separated by commas. */
  readonly cell?: (input: unknown) => CellValue | undefined
  readonly metadata: string
  readonly schema: (field: ListField<unknown>) => JsonObject
  readonly graphql: '[Int!]' | '[String!]' | '[[String!]!]' | 'JSON'
  readonly lookup?: string
  readonly control: ControlKind
}

const ITEMS: Readonly<Record<ListItem, Item>> = {
  text: {
    columnType: 'text[]',
    parse: ({ max, choices }, item) => {
      const outcome = inputText(item)
      if (isRefused(outcome)) return outcome
      const text = outcome.value
      if (text === '') return refuse(NOT_BLANK)
      if (max !== undefined && [...text].length > max) {
        return refuse(`Ensure this field has no more than ${max} characters.`)
      }
      if (choices && !choices.labels.has(text)) return refuse(invalidChoice(text, choices))
      return accept(text)
    },
    metadata: 'string',
    schema: ({ choices, max }) =>
      choices ? choiceSchema(choices) : { type: 'string', ...(max !== undefined && { maxLength: max }) },
    graphql: '[String!]',
    lookup: 'StringArrayLookup',
    control: 'textPerLine',
  },
  /** `tcp/80`: a protocol and one of its ports. */
  portMapping: {
    columnType: 'text[]',
    parse: ({ choices }, item) => {
      const [, protocol = '', digits = ''] =
        (typeof item === 'string' && /^\s*([a-z]+)\s*\/\s*(\d{1,10})\s*$/i.exec(item)) || []
      const port = Number(digits)
      if (!choices?.labels.has(protocol.toLowerCase()) || port < 1 || port > 65_535) {
        return refuse('Enter a protocol and a port from 1 to 65535, such as "tcp/80".')
      }
      return accept(`${protocol.toLowerCase()}/${port}`)
    },
    metadata: 'string',
    schema: () => TEXT_SCHEMA,
    graphql: '[String!]',
    control: 'textPerLine',
  },
  integer: {
    columnType: 'integer[]',
    parse: ({ range = [-2_147_483_648, 2_147_483_647] }, item) => {
      const value = wholeNumber(item)
      if (value === undefined) return refuse('A valid integer is required.')
      const complaint = outOfRange(value, range)
      return complaint ? refuse(complaint) : accept(value)
    },
    metadata: 'integer',
    schema: ({ range }) => ({ type: 'integer', ...limitsSchema(range) }),
    graphql: '[Int!]',
    lookup: 'IntegerArrayLookup',
    control: 'numbers',
  },
  network: {
    columnType: 'cidr[]',
    parse: (_field, item) => {
      const network = typeof item === 'string' ? parseInterface(item.trim()) : undefined
      return network
        ? accept(formatInterface(networkOf(network)))
        : refuse('Enter an IPv4 or IPv6 network in CIDR notation.')
    },
    metadata: 'nested object',
    schema: () => TEXT_SCHEMA,
    graphql: '[String!]',
    control: 'textPerLine',
  },
  json: {
    columnType: 'jsonb[]',
    parse: (_field, item) => {
      const complaint = complainOfDocument(item)
      return complaint === undefined ? accept(item) : refuse(complaint)
    },
    text: asIs,
    cell: (input) => (typeof input === 'string' ? jsonCell(input) : undefined),
    metadata: 'field',
    schema: () => ({}),
    graphql: 'JSON',
    control: 'json',
  },
  textPair: {
    columnType: 'text[][]',
    parse: (_field, item) => {
      if (!Array.isArray(item) || item.length !== 2) {
        return refuse('Expected a list of two items: value and label.')
      }
      const [value, label] = [inputText(item[0]), inputText(item[1])]
      if (isRefused(value)) return value
      if (isRefused(label)) return label
      if (value.value === '' || label.value === '') return refuse(NOT_BLANK)
      return accept([value.value, label.value])
    },
    cell: (input) => ({ value: textPairs(cellItems(input)) }),
    metadata: 'list',
    schema: () => ({ type: 'array', items: TEXT_SCHEMA, minItems: 2, maxItems: 2 }),
    graphql: '[[String!]!]',
    lookup: 'ExtraChoicesLookup',
    control: 'pairPerLine',
  },
  range: {
    columnType: 'int4range[]',
    parse: (_field, item) => {
      if (!Array.isArray(item) || item.length !== 2) {
        return refuse('Expected a range in the form [low, high].')
      }
      return item.every((limit) => Number.isInteger(limit))
        ? accept([item[0], item[1]])
        : refuse('Range boundaries must be integers.')
    },
    text: (value) => `[${(value as readonly string[]).map(rangeText).join(',')}]`,
    cell: (input) => rangesCell(cellItems(input)),
    metadata: 'nested object',
    schema: () => ({ $ref: '#/components/schemas/IntegerRange' }),
    graphql: '[String!]',
    lookup: 'IntegerRangeArrayLookup',
    control: 'ranges',
  },
}

/** Parses a PostgreSQL array: errors of items are by position, errors of the list on the field itself. */
function parseList(field: ListField<unknown>, input: unknown): Outcome {
  if (!Array.isArray(input)) {
    const sentence = 'Expected a list of items.'
    // Lists of documents are refused in the same way as documents.
    return field.of === 'range' ? refuseAs({ non_field_errors: [sentence] }) : refuse(sentence)
  }
  if (input.length === 0 && !allowsEmpty(field)) return refuse('This list may not be empty.')
  const outcomes = input.map((item) => ITEMS[field.of].parse(field, item))
  const messages: Record<string, Messages> = {}
  outcomes.forEach((outcome, position) => {
    if (isRefused(outcome)) messages[position] = outcome.refused
  })
  if (Object.keys(messages).length > 0) return refuseAs(messages)
  const values = outcomes.map((outcome) => (isRefused(outcome) ? undefined : outcome.value))
  const complaint = field.of === 'range' ? complainOfRanges(field, values) : undefined
  return complaint ? refuse(complaint) : accept(values)
}

const allowsEmpty = ({ blank, nullable, default: initial }: ListField<unknown>): boolean =>
  blank ?? (nullable === true || (Array.isArray(initial) && initial.length === 0))

function complainOfRanges(
  { range: limits = [-2_147_483_648, 2_147_483_646] }: ListField<unknown>,
  values: readonly unknown[],
): string | undefined {
  for (const [low, high] of values as [number, number][]) {
    if (low > high) return `The range ${low}-${high} ends before it begins.`
    const complaint = outOfRange(low, limits) ?? outOfRange(high, limits)
    if (complaint) return complaint
  }
  return undefined
}

/** PostgreSQL writes [low, high + 1), but people include both ends. */
function rangeText(range: string): string {
  const [, low = '', high = ''] = /^\[(-?\d*),(-?\d*)\)$/.exec(range) ?? []
  return `[${low === '' ? 'null' : low},${high === '' ? 'null' : Number(high) - 1}]`
}

/** Ranges with a space after the comma, as Python writes them. */
const rangesWithBlanks: ToText = (ranges) =>
  JSON.stringify((ranges as readonly string[]).map((range) => range.replace(',', ', ')))

/** In change records, lists of numbers stay lists; any other list becomes JSON text, as do its items. */
function recordedList(of: ListItem, items: readonly Json[]): string {
  if (of === 'integer') return JSON.stringify(items)
  const texts = items.map((item) => {
    if (of !== 'range') return typeof item === 'string' ? item : pythonText(item)
    const [low, high] = item as [number, number] // parsed by write/values.ts
    return pythonText({ bounds: '[)', lower: String(low), upper: String(high + 1) })
  })
  return JSON.stringify(pythonText(texts))
}

/**
 * The list in the form of the API, from the form in change records (`recordedList`). Imported records may have any
 * other form, which is returned unchanged.
 */
export function listFromRecord(of: ListItem, recorded: Json): Json {
  const items = typeof recorded === 'string' ? parsed(recorded) : recorded
  if (!Array.isArray(items) || (of !== 'range' && of !== 'textPair')) return items
  return items.map((item: Json): Json => {
    const value = typeof item === 'string' ? parsed(item) : item
    return isJsonObject(value) ? [Number(value.lower), Number(value.upper) - 1] : value
  })
}

/** The value that the text contains as JSON, otherwise the text itself. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json // every value of JSON
  } catch {
    return text
  }
}

const pythonText = (value: Json): string => pythonJson(JSON.stringify(value))

/** The items of a list in a cell: a list, or text with commas, with or without brackets. */
export function cellItems(input: unknown): readonly unknown[] {
  if (Array.isArray(input)) return input
  if (typeof input !== 'string') return [input]
  const bare = /^\[(.*)\]$/s.exec(input)?.[1] ?? input
  return bare
    .split(',')
    .map((item) => item.trim().replace(/^(["'])(.*)\1$/s, '$2'))
    .filter((item) => item !== '')
}

/** Pairs from `value:label`; a backslash escapes a colon in the value, and the label is optional. */
export const textPairs = (items: readonly unknown[]): readonly unknown[] =>
  items.map((item) => {
    if (typeof item !== 'string') return item
    const [first = '', ...label] = item.split(/(?<!\\):/)
    const value = first.replaceAll('\\:', ':').trim()
    return [value, label.join(':').trim() || value]
  })

/** A pair as `textPairs` reads it. */
export const pairText = ([value, label]: readonly [string, string]): string =>
  value === label ? value.replaceAll(':', '\\:') : `${value.replaceAll(':', '\\:')}: ${label}`

/** Ranges from `1-100` and single numbers. */
export function rangesCell(items: readonly unknown[]): CellValue {
  const ranges = items.map((item) => {
    if (Array.isArray(item)) return item
    const match = /^(\d+)(?:\s*-\s*(\d+))?$/.exec(String(item))
    return match && [Number(match[1]), Number(match[2] ?? match[1])]
  })
  return ranges.includes(null) ? { message: 'Write ranges of numbers as 1-100,200.' } : { value: ranges }
}

function itemMetadata(name: string, { of, choices, range, max }: ListField<unknown>) {
  const usual = { required: true, read_only: false }
  if (of === 'textPair') {
    const child = { type: 'field', ...usual }
    return { type: 'list', ...usual, min_length: 2, max_length: 2, child }
  }
  const label = nameAsWords(name)
  if (of === 'portMapping') return { type: 'string', ...usual }
  if (choices) return { type: 'choice', ...usual, label, choices: choicesMetadata(choices) }
  const [low, high] = range ?? []
  return {
    type: ITEMS[of].metadata,
    ...usual,
    ...((of === 'text' || of === 'integer') && { label }),
    ...(low !== undefined && { min_value: low, max_value: high }),
    ...(max !== undefined && { max_length: max }),
  }
}
