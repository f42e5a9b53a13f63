/** A small evaluator of expressions that knows no SQL, against which compiled expressions are compared. */

export type Value = string | number | boolean | null
export type Type = 'text' | 'number' | 'boolean' | 'date' | 'dateTime' | 'null'

/** An expression, as it is written and with its parts. */
export type Part =
  | { readonly kind: 'name'; readonly text: string; readonly type: Type }
  | { readonly kind: 'literal'; readonly text: string; readonly type: Type; readonly value: Value }
  | { readonly kind: 'call'; readonly name: string; readonly parts: readonly Part[] }
  | { readonly kind: 'operator'; readonly operator: string; readonly parts: readonly [Part, Part] }
  | { readonly kind: 'prefix'; readonly operator: string; readonly part: Part }

export function written(part: Part): string {
  switch (part.kind) {
    case 'name':
    case 'literal':
      return part.text
    case 'call':
      return `${part.name}(${part.parts.map(written).join(', ')})`
    case 'operator':
      return `(${part.parts.map(written).join(` ${part.operator} `)})`
    case 'prefix':
      return `(${part.operator} ${written(part.part)})`
  }
}

/** The root order of Unicode; equal only if all characters are. */
const order = new Intl.Collator('und')
const compareTexts = (one: string, two: string): number =>
  order.compare(one, two) || (one < two ? -1 : one > two ? 1 : 0)

const compare = (one: Value, two: Value): number =>
  typeof one === 'string' && typeof two === 'string'
    ? compareTexts(one, two)
    : Number(one) < Number(two)
      ? -1
      : Number(one) > Number(two)
        ? 1
        : 0

const DAY = 86_400_000
const dayOf = (text: string): number => Date.UTC(...ymd(text)) / DAY
const ymd = (text: string): [number, number, number] => [
  Number(text.slice(0, 4)),
  Number(text.slice(5, 7)) - 1,
  Number(text.slice(8, 10)),
]
const textOfDay = (day: number): string | null => {
  const text = new Date(day * DAY).toISOString()
  return /^\d{4}-/.test(text) && !text.startsWith('0000') ? text.slice(0, 10) : null
}
const day = (value: Value): string => String(value).slice(0, 10)

const parsedDate = (value: Value): string | null => {
  const text = String(value)
  if (!/^\d{4}-\d\d-\d\d([T ].*)?$/.test(text) || text.startsWith('0000')) return null
  const [year, month, date] = ymd(text)
  const time = new Date(Date.UTC(year, month, date))
  return time.getUTCMonth() === month && time.getUTCDate() === date ? text.slice(0, 10) : null
}

const characters = (value: Value): readonly string[] => [...String(value)]
const small = (value: Value): number => Math.min(Math.max(Math.round(Number(value)), 0), 1000)
const awayFromZero = (value: number, places: number): number => {
  if (places > 12) return value
  const factor = 10 ** places
  return (Math.sign(value) * Math.round(Math.abs(value) * factor + 1e-9)) / factor
}

/** Functions of values that are all present. */
const FUNCTIONS: Readonly<Record<string, (...values: readonly Value[]) => Value>> = {
  one_of: (value, ...list) => list.includes(value ?? null),
  lower: (text) => String(text).toLowerCase(),
  upper: (text) => String(text).toUpperCase(),
  trim: (text) => String(text).replace(/^ +| +$/g, ''),
  length: (text) => characters(text ?? null).length,
  left: (text, count) =>
    characters(text ?? null)
      .slice(0, small(count ?? null))
      .join(''),
  right: (text, count) => {
    const all = characters(text ?? null)
    return all.slice(Math.max(all.length - small(count ?? null), 0)).join('')
  },
  contains: (text, part) => String(text).includes(String(part)),
  starts_with: (text, part) => String(text).startsWith(String(part)),
  ends_with: (text, part) => String(text).endsWith(String(part)),
  text: (value) => String(value),
  number: (value) => (/^-?\d{1,100}(\.\d{1,100})?$/.test(String(value)) ? Number(value) : null),
  date: (value) => parsedDate(value ?? null),
  round: (value, places = 0) => awayFromZero(Number(value), small(places)),
  abs: (value) => Math.abs(Number(value)),
  year: (date) => Number(String(date).slice(0, 4)),
  month: (date) => Number(String(date).slice(5, 7)),
  add_days: (date, count) => {
    const sum = dayOf(day(date ?? null)) + Math.round(Number(count))
    return Math.abs(sum) > 4_000_000 ? null : textOfDay(sum)
  },
  days_between: (from, to) => dayOf(day(to ?? null)) - dayOf(day(from ?? null)),
}

const OPERATORS: Readonly<Record<string, (one: Value, two: Value) => Value>> = {
  '+': (one, two) => Number(one) + Number(two),
  '-': (one, two) => Number(one) - Number(two),
  '*': (one, two) => Number(one) * Number(two),
  '/': (one, two) => (Number(two) === 0 ? null : Number(one) / Number(two)),
  '%': (one, two) => (Number(two) === 0 ? null : Number(one) % Number(two)),
  '=': (one, two) => one === two,
  '!=': (one, two) => one !== two,
  '<': (one, two) => compare(one, two) < 0,
  '<=': (one, two) => compare(one, two) <= 0,
  '>': (one, two) => compare(one, two) > 0,
  '>=': (one, two) => compare(one, two) >= 0,
}

const isNull = (part: Part): boolean => part.kind === 'literal' && part.value === null

/** The value of an expression, with those of its names. */
export function evaluate(part: Part, values: Readonly<Record<string, Value>>): Value {
  switch (part.kind) {
    case 'name':
      return values[part.text] ?? null
    case 'literal':
      return part.value
    case 'prefix': {
      const value = evaluate(part.part, values)
      if (value === null) return null
      return part.operator === 'not' ? value !== true : -Number(value)
    }
    case 'operator': {
      const [one, two] = part.parts.map((inner) => evaluate(inner, values)) as [Value, Value]
      const { operator } = part
      if (operator === '&') return `${one ?? ''}${two ?? ''}`
      if (operator === 'and') return one === false || two === false ? false : one === null || two === null ? null : true
      if (operator === 'or') return one === true || two === true ? true : one === null || two === null ? null : false
      if (/^!?=$/.test(operator) && part.parts.some(isNull))
        return (one === null && two === null) === (operator === '=')
      if (one === null || two === null) return null
      return OPERATORS[operator]?.(one, two) ?? null
    }
    case 'call': {
      const list = part.parts.map((inner) => evaluate(inner, values))
      if (part.name === 'concat') return list.map((value) => value ?? '').join('')
      if (part.name === 'coalesce') return list.find((value) => value !== null) ?? null
      if (part.name === 'if') return (list[0] === true ? list[1] : list[2]) ?? null
      if (list.some((value) => value === null)) return null
      return FUNCTIONS[part.name]?.(...list) ?? null
    }
  }
}

/** Aggregates over the values of related objects. */
export function aggregate(name: string, values: readonly Value[]): Value {
  const present = values.filter((value) => value !== null)
  if (name === 'count') return values.length
  const numbers = present.map(Number)
  const sum = numbers.reduce((one, two) => one + two, 0)
  if (name === 'sum') return sum
  if (present.length === 0) return null
  if (name === 'unique') return new Set(present).size === present.length
  if (name === 'same') return new Set(present).size === 1
  if (name === 'avg') return sum / present.length
  const sorted = present.toSorted(compare)
  return (name === 'min' ? sorted[0] : sorted.at(-1)) ?? null
}
