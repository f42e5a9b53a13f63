import { describe, expect, test } from 'vitest'
import { choices } from '../../schema/choices.ts'
import {
  address,
  boolean,
  choice,
  color,
  date,
  dateTime,
  decimal,
  email,
  hardwareAddress,
  integer,
  json,
  list,
  network,
  objectTypes,
  type ScalarField,
  slug,
  text,
  timeZone,
  url,
  uuid,
} from '../../schema/field.ts'
import { model } from '../../schema/model.ts'
import { isRefused } from '../../schema/outcome.ts'
import { buildRegistry } from '../../schema/registry.ts'
import { parseValue } from './parse.ts'

const thing = model({
  name: 'toy.thing',
  labels: ['thing', 'things'],
  fields: {},
  display: '{id}',
  brief: ['id'],
  order: [],
})
const registry = buildRegistry([thing])
const levels = choices([
  ['low', 'Low'],
  ['10', 'Ten'],
])
const widths = choices([
  [10, '10 inches'],
  [19, '19 inches'],
])

// field, value of the body, value in the row
const accepted: readonly [string, ScalarField, unknown, unknown][] = [
  ['text is trimmed', text({ max: 5 }), '  abc ', 'abc'],
  ['a number counts as text', text({}), 5, '5'],
  ['length counts characters, not UTF-16 units', text({ max: 2 }), '😀😀', '😀😀'],
  ['empty text if it is allowed', text({ default: '' }), ' ', ''],
  ['an empty unique name is null', text({ nullable: true, unique: true }), '', null],
  ['null if it is allowed', text({ nullable: true }), null, null],
  ['slug', slug({}), 'a-B_9', 'a-B_9'],
  ['colour', color({}), '00ff00', '00ff00'],
  ['URL', url({}), 'https://example.com/a?b', 'https://example.com/a?b'],
  ['email', email({}), 'a@example.com', 'a@example.com'],
  ['time zone', timeZone({}), 'Europe/Amsterdam', 'Europe/Amsterdam'],
  ['integer as text', integer({}), ' 12.0 ', 12],
  ['decimals are padded to their places', decimal({ digits: 8, places: 2 }), 12.5, '12.50'],
  ['decimals in other notations', decimal({ digits: 8, places: 3 }), '1.25e-1', '0.125'],
  ['trailing zeros are ignored', decimal({ digits: 3, places: 1 }), '1.500', '1.5'],
  ['no negative zero', decimal({ digits: 3, places: 1 }), '-0', '0.0'],
  ['a decimal without places', decimal({ digits: 3, places: 0 }), '7.0', '7'],
  ['an empty text is null as a decimal', decimal({ digits: 3, places: 1, nullable: true }), ' ', null],
  ['boolean as a word', boolean({}), 'True', true],
  ['date', date({}), '2024-02-29', '2024-02-29'],
  ['timestamp in another zone', dateTime({}), '2024-02-29T12:34:56+02:00', '2024-02-29T10:34:56Z'],
  ['timestamp without a zone', dateTime({}), '2024-01-01 01:02', '2024-01-01T01:02:00Z'],
  ['fraction of a second', dateTime({}), '2024-01-01T00:00:00.5Z', '2024-01-01T00:00:00.500000Z'],
  ['JSON unchanged', json({}), { a: [1, null] }, { a: [1, null] }],
  ['UUID without hyphens', uuid({}), 'D1931D5DD98E402F8B72C77E060ECCE6', 'd1931d5d-d98e-402f-8b72-c77e060ecce6'],
  ['choice', choice(levels, {}), 'low', 'low'],
  ['a choice that looks like a number', choice(levels, {}), 10, '10'],
  ['a number among choices, as text', choice(widths, {}), '19', 19],
  ['null for a choice that may be empty', choice(levels, { blank: true }), null, ''],
  ['address without length', address({}), '192.0.2.1', '192.0.2.1/32'],
  ['IPv6 address', address({}), '2001:DB8:0::1/64', '2001:db8::1/64'],
  ['network', network({}), '2001:DB8::/32', '2001:db8::/32'],
  ['hardware address', hardwareAddress({ bytes: 6 }), '02-00-00-00-00-0a', '02:00:00:00:00:0A'],
  ['hardware address of routers', hardwareAddress({ bytes: 6 }), '0200.0000.000a', '02:00:00:00:00:0A'],
  ['list of numbers', list('integer', {}), [1, '2'], [1, 2]],
  ['list of ranges', list('range', {}), [[1, 5]], [[1, 5]]],
  ['list of pairs', list('textPair', {}), [['a', 'A']], [['a', 'A']]],
  ['object types in order, once each', objectTypes({}), ['toy.thing', 'toy.thing'], ['toy.thing']],
]

// field, value of the body, positions of the errors ('' for the field itself)
const refused: readonly [string, ScalarField, unknown, string[]?][] = [
  ['null', text({}), null],
  ['empty text', text({}), '  '],
  ['a list as text', text({}), ['a']],
  ['a boolean as text', text({}), true],
  ['a document as text', text({}), { a: 1 }],
  ['NUL', text({}), 'a\0'],
  ['half a surrogate pair', text({}), '\ud800'],
  ['too long a text', text({ max: 2 }), 'abc'],
  ['a slug with blanks', slug({}), 'not a slug!'],
  ['an upper-case colour', color({}), 'FF0000'],
  ['a URL without scheme', url({}), 'example.com'],
  ['an email without host', email({}), 'a@'],
  ['an offset as time zone', timeZone({}), '+01:00'],
  ['an unknown time zone', timeZone({}), 'Mars/Olympus'],
  ['a fraction as integer', integer({}), 1.5],
  ['a boolean as integer', integer({}), true],
  ['an integer out of range', integer({ range: [1, 10] }), 11],
  ['an integer beyond its column', integer({ size: 'small' }), 32_768],
  ['too many places', decimal({ digits: 8, places: 6 }), 1.123456789],
  ['too many digits', decimal({ digits: 8, places: 6 }), 100],
  ['an empty text as decimal', decimal({ digits: 8, places: 6 }), ''],
  ['an empty text as an integer that may be null', integer({ nullable: true }), ''],
  ['text as decimal', decimal({ digits: 8, places: 6 }), 'abc'],
  ['NaN as decimal', decimal({ digits: 8, places: 6 }), 'NaN'],
  ['a word as boolean', boolean({}), 'maybe'],
  ['a day that does not exist', date({}), '2023-02-29'],
  ['a timestamp as date', date({}), '2023-02-28T00:00:00Z'],
  ['a month that does not exist', dateTime({}), '2024-13-01T00:00:00Z'],
  ['NUL within JSON', json({}), { a: ['\0'] }],
  ['a list instead of an object', json({ objectOnly: true }), []],
  ['a short UUID', uuid({}), 'd1931d5d'],
  ['an unknown choice', choice(levels, {}), 'nope'],
  ['a choice as a document', choice(levels, {}), { value: 'low' }],
  ['null for a choice', choice(levels, {}), null],
  ['a host name as address', address({}), 'router1'],
  ['a mask that is too long', network({}), '10.0.0.0/33'],
  ['a network with host bits', network({}), '10.1.2.3/8'],
  ['five bytes of a hardware address', hardwareAddress({ bytes: 6 }), '02:00:00:00:00'],
  ['a word as list', list('integer', {}), 'abc'],
  ['items of a list, by position', list('integer', { range: [1, 9] }), [1, 'a', 10], ['1', '2']],
  ['a word as list of ranges', list('range', {}), 'abc', ['non_field_errors']],
  ['numbers as ranges', list('range', {}), [10, [1, 2, 3]], ['0', '1']],
  ['a range backwards', list('range', {}), [[20, 10]]],
  ['a range out of range', list('range', { range: [1, 4094] }), [[0, 10]]],
  ['an empty list', list('range', {}), []],
  ['an unknown object type', objectTypes({}), ['toy.other']],
  ['a number as object type', objectTypes({}), [1]],
]

describe('values of a body become values of a row', () => {
  test.each(accepted)('%s', (_name, field, input, value) => {
    expect(parseValue(registry, field, input)).toEqual({ value })
  })
})

describe('invalid values are refused', () => {
  test.each(refused)('%s', (_name, field, input, positions) => {
    const outcome = parseValue(registry, field, input)
    expect(isRefused(outcome)).toBe(true)
    if (!isRefused(outcome)) return
    if (positions) expect(Object.keys(outcome.refused)).toEqual(positions)
    else expect(outcome.refused).toEqual([expect.any(String)])
  })
})
