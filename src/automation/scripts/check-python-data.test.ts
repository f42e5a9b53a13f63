import { describe, expect, it } from 'vitest'
import type { Json, JsonObject } from '../../schema/json.ts'
import { checkPythonData } from './check-python-data.ts'
import { readDeclarations } from './declaration.ts'

/** A script with one variable, as `describe.py` describes it. */
const scriptWith = (variable: JsonObject) => {
  const [declaration] = readDeclarations({
    scripts: [{ className: 'One', name: 'One', variables: { it: variable } }],
  })
  if (!declaration) throw new Error('There is no declaration')
  return declaration
}

const OBJECTS = new Set([1, 2])

/** What the script gets for the value, or the messages of the refusal. */
async function check(variable: JsonObject, data: Json): Promise<unknown> {
  const checked = await checkPythonData(
    scriptWith(variable),
    data,
    {},
    async (_model, ids) => new Set(ids.filter((id) => OBJECTS.has(id))),
  )
  return 'data' in checked
    ? checked.data.it
    : Array.isArray(checked.problems)
      ? checked.problems
      : Object.values(checked.problems)[0]
}

const OPTIONAL = { required: false }
const STRING = { type: 'StringVar' }
const DECIMAL = { type: 'DecimalVar', maxDigits: 5, decimalPlaces: 2 }
const CHOICE = {
  type: 'ChoiceVar',
  choices: [
    [
      'Near',
      [
        ['a', 'A'],
        [2, 'Two'],
      ],
    ],
    ['c', 'C'],
  ],
}
const SITE = { type: 'ObjectVar', model: 'dcim.site' }
const SITES = { type: 'MultiObjectVar', model: 'dcim.site' }
const NETWORK = { type: 'IPNetworkVar', minPrefixLength: 24, maxPrefixLength: 30 }
const REQUIRED = ['This field is required.']
const notAmong = (value: string) => [`Select a valid choice. ${value} is not one of the available choices.`]

describe('a value is passed on', () => {
  it.each<[string, JsonObject, Json, Json]>([
    ['text without the spaces around it', STRING, '  two words ', 'two words'],
    ['a number as text', STRING, 12, '12'],
    ['no text', { ...STRING, ...OPTIONAL }, null, ''],
    ['a match anywhere in the text', { ...STRING, pattern: '\\d{2}' }, 'ab12cd', 'ab12cd'],
    ['a pattern of Python', { ...STRING, pattern: '\\A(?P<code>[A-Z]+)\\Z' }, 'ABC', 'ABC'],
    ['any text for a pattern that only Python has', { ...STRING, pattern: '(?(1)a|b)' }, 'x', 'x'],
    ['an integer as text', { type: 'IntegerVar' }, ' 007 ', 7],
    ['an integer with empty decimals', { type: 'IntegerVar' }, '4.0', 4],
    ['the digits of a decimal', DECIMAL, '2.50', '2.50'],
    ['an exponent', { type: 'DecimalVar' }, '1e3', '1e3'],
    ['the text false', { type: 'BooleanVar' }, 'False', false],
    ['any other text of a boolean', { type: 'BooleanVar' }, 'no', true],
    ['a choice of a group, as text', CHOICE, 2, '2'],
    ['several choices', { ...CHOICE, type: 'MultiChoiceVar' }, ['c', 'a'], ['c', 'a']],
    ['no choices', { ...CHOICE, type: 'MultiChoiceVar', ...OPTIONAL }, null, []],
    ['the id of an object', SITE, '2', 2],
    ['an id with a sign and spaces', SITE, ' +2 ', 2],
    ['an id with a group of digits', SITE, '0_2', 2],
    ['an id with decimals', SITE, 2.5, 2],
    ['true for an id', SITE, true, 1],
    ['no object', { ...SITE, ...OPTIONAL }, '', null],
    ['the option that stands for none', { ...SITE, nullOption: 'None' }, 'null', null],
    ['several objects', SITES, [2, '1'], [2, 1]],
    ['none among several objects', { ...SITES, nullOption: 'None' }, ['null', 1], ['null', 1]],
    ['an address', { type: 'IPAddressVar' }, '2001:DB8::1', '2001:DB8::1'],
    ['an address with a mask', { type: 'IPAddressWithMaskVar' }, '10.0.0.1/30', '10.0.0.1/30'],
    ['a network', NETWORK, '10.0.0.0/24', '10.0.0.0/24'],
    ['a date of the United States', { type: 'DateVar' }, '3/9/2026', '2026-03-09'],
    ['a time without a zone', { type: 'DateTimeVar' }, '2026-03-09 14:30', '2026-03-09T14:30:00+00:00'],
    ['a time with a zone', { type: 'DateTimeVar' }, '2026-03-09T14:30:05+0200', '2026-03-09T14:30:05+02:00'],
  ])('%s', async (_what, variable, value, expected) => {
    expect(await check(variable, { it: value })).toEqual(expected)
  })
})

describe('a value is refused', () => {
  it.each<[string, JsonObject, Json, readonly string[]]>([
    ['null', { ...STRING, default: 'x' }, null, REQUIRED],
    ['only spaces', STRING, '   ', REQUIRED],
    [
      'several limits at once',
      { ...STRING, minLength: 3, pattern: '^x' },
      'ab',
      ['Invalid value. Must match regex: ^x', 'Ensure this value has at least 3 characters (it has 2).'],
    ],
    [
      'a text for which backtracking would take years',
      { ...STRING, pattern: '^(a+)+$' },
      `${'a'.repeat(60)}!`,
      ['Invalid value. Must match regex: ^(a+)+$'],
    ],
    ['a longer text', { ...STRING, maxLength: 1 }, 'ab', ['Ensure this value has at most 1 character (it has 2).']],
    ['a boolean for an integer', { type: 'IntegerVar' }, true, ['Enter a whole number.']],
    ['a fraction for an integer', { type: 'IntegerVar' }, 1.5, ['Enter a whole number.']],
    ['a number below zero', { type: 'IntegerVar', min: 0 }, -1, ['Ensure this value is greater than or equal to 0.']],
    ['no number', DECIMAL, 'NaN', ['Enter a number.']],
    [
      'too many digits',
      { ...DECIMAL, max: 9.5 },
      '12.12345',
      ['Ensure this value is less than or equal to 9.5.', 'Ensure that there are no more than 5 digits in total.'],
    ],
    ['too many decimals', DECIMAL, '1.123', ['Ensure that there are no more than 2 decimal places.']],
    [
      'too many digits before the point',
      DECIMAL,
      '1234.5',
      ['Ensure that there are no more than 3 digits before the decimal point.'],
    ],
    ['too large an exponent', DECIMAL, '1e7', ['Ensure that there are no more than 5 digits in total.']],
    ['the name of a group', CHOICE, 'Near', notAmong('Near')],
    ['one value for a list', { ...CHOICE, type: 'MultiChoiceVar' }, 'a', ['Enter a list of values.']],
    ['a wrong value in a list', { ...CHOICE, type: 'MultiChoiceVar' }, ['a', 'x', 'y'], notAmong('x')],
    ['a text with decimals for an id', SITE, '2.0', notAmong('That choice')],
    ['an object that is missing', SITE, 9, notAmong('That choice')],
    ['the fields of an object', SITE, { id: 1 }, notAmong('That choice')],
    ['none without such an option', SITE, 'null', notAmong('That choice')],
    ['one object for several', SITES, 1, ['Enter a list of values.']],
    ['no objects', SITES, [], REQUIRED],
    ['one missing object of several', SITES, [1, 9], notAmong('9')],
    ['a name for an object of several', SITES, [1, 'x'], ['“x” is not a valid value.']],
    ['no address', { type: 'IPAddressVar' }, '10.0.0.300', ['Invalid IPv4/IPv6 address format: 10.0.0.300']],
    ['an address without a mask', { type: 'IPAddressWithMaskVar' }, '10.0.0.1', ['CIDR mask (e.g. /24) is required.']],
    [
      'a mask that is too long',
      { type: 'IPAddressWithMaskVar' },
      '10.0.0.1/33',
      ['Please specify a valid IPv4 or IPv6 address.'],
    ],
    ['host bits', NETWORK, '10.0.0.1/24', ['10.0.0.1/24 is not a valid prefix. Did you mean 10.0.0.0/24?']],
    ['a short prefix', NETWORK, '10.0.0.0/16', ['The prefix length must be greater than or equal to 24.']],
    ['a long prefix', NETWORK, '10.0.0.0/31', ['The prefix length must be less than or equal to 30.']],
    ['a day that does not exist', { type: 'DateVar' }, '2026-02-30', ['Enter a valid date.']],
    ['a time that does not exist', { type: 'DateTimeVar' }, '2026-02-03 24:00', ['Enter a valid date/time.']],
    ['text for a file', { type: 'FileVar' }, 'content', REQUIRED],
  ])('%s', async (_what, variable, value, expected) => {
    expect(await check(variable, { it: value })).toEqual(expected)
  })
})

it('a missing variable has its default, which is checked too', async () => {
  expect(await check({ ...STRING, default: 'given' }, {})).toBe('given')
  expect(await check({ type: 'BooleanVar', default: true }, {})).toBe(true)
  expect(await check({ ...STRING, default: 'too long', maxLength: 3 }, {})).toEqual([
    'Ensure this value has at most 3 characters (it has 8).',
  ])
})

it('data without a variable is dropped, and data must be an object', async () => {
  const checked = await checkPythonData(scriptWith({ ...STRING, ...OPTIONAL }), { other: 1 }, {}, async () => new Set())
  expect(checked).toEqual({ data: { it: '' } })
  expect(await check(STRING, [])).toEqual([
    'Invalid data payload; expected an object mapping variable names to values.',
  ])
})

it('a file is the one of the request', async () => {
  const file = { name: 'a.csv', base64: 'YQ==' }
  const script = scriptWith({ type: 'FileVar' })
  expect(await checkPythonData(script, { it: 'text' }, { it: file }, async () => new Set())).toEqual({
    data: { it: file },
  })
})

describe('Meta options', () => {
  const read = (options: JsonObject) =>
    readDeclarations({
      scripts: [{ className: 'One', name: 'One', notificationsDefault: 'never', ...options }],
    })[0]
  it.each<[Json, number | undefined]>([
    [null, undefined],
    [120, 120],
    ['2m', 120],
    ['1H', 3600],
    ['90', 90],
    [-1, 2_000_000],
  ])('job_timeout %j is %s seconds', (timeout, seconds) => {
    expect(read({ timeout })).toMatchObject({ timeout: seconds, timeoutProblem: undefined })
  })
  it.each<[JsonObject, object]>([
    [
      { timeout: 'soon' },
      {
        timeoutProblem:
          "Invalid job_timeout value 'soon': must be an integer (seconds) or a duration string such as '1h' or '30m'.",
      },
    ],
    [
      { notificationsDefault: 'often' },
      { notificationsProblem: "Invalid notifications value 'often': must be one of always, on_failure, never." },
    ],
  ])('%j is a problem of its runs only', (options, problem) => {
    expect(read(options)).toMatchObject(problem)
  })
})
