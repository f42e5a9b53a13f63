import { describe, expect, it } from 'vitest'
import { type CustomFieldDefinition, complainOf } from './custom-value.ts'
import { checkSchema } from './json-schema.ts'
import { linearExpression } from './linear-expression.ts'

// Expression, text, whether it matches from the start, whether it matches anywhere.
const cases: readonly (readonly [string, string, boolean, boolean])[] = [
  ['abc', 'abcd', true, true],
  ['abc', 'xabc', false, true],
  ['^\\d{3}$', '123', true, true],
  ['^\\d{3}$', '1234', false, false],
  ['(?P<n>a)b', 'ab', true, true],
  ['(?<n>a)b', 'ab', true, true],
  ['\\Aa\\Z', 'a', true, true],
  ['\\Aa\\Z', 'ab', false, false],
  ['\\u00e9', 'é', true, true],
  ['\\u{1F600}', '😀', true, true],
  ['\\\\Z', '\\Z', true, true],
  ['(?i)ABC', 'abc', true, true],
  ['[[:alpha:]]+\\p{Nd}', 'ab1', true, true],
  ['a|b', 'cb', false, true],
]

const unusable = [
  '[',
  '(',
  '*',
  'a{2,1}',
  '(?=a)',
  '(?!a)',
  '(?<=a)b',
  '(a)\\1',
  '((a{100}){100}){100}',
  '('.repeat(2_000) + ')'.repeat(2_000),
]

/** Expressions for which backtracking takes exponential time. */
const catastrophic = [
  '(a+)+$',
  '(a|a)*b',
  '(a|aa)+$',
  '(x+x+)+y',
  '((a*)*)*b',
  '(.*)(.*)(.*)(.*)x',
  '(?:a?){30}a{30}b',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
]
const LONG = `${'a'.repeat(50_000)}!`
const MILLISECONDS = 2_000

const field: CustomFieldDefinition = {
  id: 1,
  name: 'f',
  type: 'text',
  required: false,
  unique: false,
  default: null,
  relatedType: null,
  minimum: null,
  maximum: null,
  pattern: '',
  schema: null,
  choices: undefined,
}

/** Result of `work`, which may take at most this much processor time. */
function affordable<T>(work: () => T): T {
  const start = process.threadCpuUsage()
  const result = work()
  const { user, system } = process.threadCpuUsage(start)
  expect((user + system) / 1000).toBeLessThan(MILLISECONDS)
  return result
}

describe('regular expressions of users', () => {
  it.each(cases)('%s in %j', (pattern, text, fromStart, anywhere) => {
    const expression = linearExpression(pattern)
    expect([expression?.matchesStart(text), expression?.test(text)]).toEqual([fromStart, anywhere])
  })

  it.each(unusable.map((pattern) => [pattern.slice(0, 20), pattern]))('%s cannot be used', (_, pattern) => {
    expect(linearExpression(pattern)).toBeUndefined()
    expect(complainOf({ ...field, pattern }, 'a')).toMatch(/cannot be used/)
    expect(checkSchema({ pattern }, 'a')).toMatch(/cannot be used/)
  })

  it.each(catastrophic)('%s is matched in linear time', (pattern) => {
    affordable(() => complainOf({ ...field, pattern }, LONG))
    expect(affordable(() => checkSchema({ type: 'string', pattern: `${pattern}9` }, LONG))).toMatch(
      /does not fit the schema/,
    )
  })
})
