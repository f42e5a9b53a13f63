import type { Json } from './json.ts'

const TIMESTAMP = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)`
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

const textLike = (pattern: string) => {
  const whole = new RegExp(`^(?:${pattern})$`)
  return (value: Json): boolean => typeof value === 'string' && whole.test(value)
}

/** Placeholders for values, with the condition that the value must satisfy. */
const MATCHERS: Readonly<Record<string, (value: Json) => boolean>> = {
  '@any': () => true,
  '@int': (value) => typeof value === 'number' && Number.isInteger(value),
  '@string': (value) => typeof value === 'string',
  '@timestamp': textLike(TIMESTAMP),
  '@date': textLike(String.raw`\d{4}-\d\d-\d\d`),
  '@uuid': textLike(UUID),
  '@etag': textLike('(?:W/)?"[^"]+"'),
}

/** Matchers that may also occur within a longer text. */
const WITHIN: Readonly<Record<string, string>> = {
  '@int': String.raw`\d+`,
  '@uuid': UUID,
  '@timestamp': TIMESTAMP,
  '@minute': String.raw`\d{4}-\d\d-\d\d \d\d:\d\d`,
}
const WITHIN_ANY = /(@int|@uuid|@timestamp|@minute)/

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** Whether `value` satisfies the matcher `word`; undefined if `word` is not a matcher. */
export function matchWhole(word: string, value: Json): boolean | undefined {
  return Object.hasOwn(MATCHERS, word) ? MATCHERS[word]?.(value) : undefined
}

/** Whether a text matches `pattern`, which contains matchers; undefined if it contains none. */
export function matchWithin(pattern: string, text: string): boolean | undefined {
  if (!WITHIN_ANY.test(pattern)) return undefined
  const expression = pattern.split(WITHIN_ANY).map((part) => WITHIN[part] ?? escaped(part))
  return new RegExp(`^${expression.join('')}$`, 's').test(text)
}
