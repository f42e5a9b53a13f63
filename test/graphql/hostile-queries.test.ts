import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, type ApiAnswer, startApi } from '../support/api.ts'
import { measured } from '../support/processor-time.ts'

/** Documents that cost far more than their length. Each is refused, or answered, within a second of processor time. */
let api: Api
beforeAll(async () => {
  api = await startApi()
  await api.ask('POST', '/graphql/', { body: { query: '{ site_list { id } }' } })
})
afterAll(() => api.close())

async function askBriefly(body: object): Promise<ApiAnswer> {
  const { time, result } = await measured(() => api.ask('POST', '/graphql/', { body }))
  expect(time).toBeLessThan(1_000)
  return result
}

const times = (count: number, of: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => of(index)).join(' ')
const siteFragments = (count: number, of: (index: number) => string) =>
  times(count, (index) => `fragment F${index} on SiteType { id ${of(index)} }`)
const filter = (text: string) => `{ site_list(filters: {name: {exact: ${text}}}) { id } }`

const TOO_LONG = 'The query has more than 20000 words after its fragments are expanded.'
const TOO_DEEP = 'A query may have at most 130 levels of brackets after its fragments are expanded.'
const REPETITIVE = 'The query asks for the same fields too often to be checked.'
const NUL = 'Texts may not contain the character NUL.'

it.each<readonly [string, string, string | undefined, Record<string, unknown>?]>([
  [
    'fragments that are spread twice, on 18 levels',
    `{ site_list { ...F0 } } ${siteFragments(18, (i) => `...F${i + 1} ...F${i + 1}`)} fragment F18 on SiteType { id }`,
    TOO_LONG,
  ],
  [
    'the same on 40 levels, in the opposite order',
    `fragment F40 on SiteType { id } ${times(40, (i) => `fragment F${39 - i} on SiteType { ...F${40 - i} ...F${40 - i} }`)} { site_list { ...F0 } }`,
    TOO_LONG,
  ],
  [
    'relations that double on 28 levels',
    `{ region_list { ...F0 } } ${times(28, (i) => `fragment F${i} on RegionType { parent { ...F${i + 1} } children { ...F${i + 1} } }`)} fragment F28 on RegionType { id }`,
    TOO_LONG,
  ],
  [
    'the same in an operation of another name',
    `query A { site_count } query B { region_list { ...F0 } } ${times(28, (i) => `fragment F${i} on RegionType { parent { ...F${i + 1} } children { ...F${i + 1} } }`)} fragment F28 on RegionType { id }`,
    TOO_LONG,
  ],
  [
    'one fragment in many operations',
    `${times(1_500, (i) => `query Q${i} { ...F }`)} fragment F on Query { ${'site_count '.repeat(50)} }`,
    TOO_LONG,
  ],
  [
    'fragments that all contain each other',
    `{ site_list { ...F0 } } ${siteFragments(60, () => times(60, (i) => `...F${i}`))}`,
    "Cannot spread fragment 'F0' within itself.",
  ],
  [
    'a chain of fragments',
    `{ site_list { ...F0 } } ${siteFragments(1_500, (i) => `...F${i + 1}`)} fragment F1500 on SiteType { id }`,
    TOO_DEEP,
  ],
  ['inline fragments', `{ site_list { ${'... { '.repeat(6_000)} id ${'}'.repeat(6_002)}`, TOO_DEEP],
  ['nested filters', `{ site_list(filters: ${'{NOT: '.repeat(5_000)}{}${'}'.repeat(5_000)}) { id } }`, TOO_DEEP],
  ['a list that is never closed', `{ site_list(filters: {id: {in_list: ${'['.repeat(19_000)}`, TOO_DEEP],
  ['types of variables', `query ($v: ${'['.repeat(9_000)}ID${']'.repeat(9_000)}) { site_count }`, TOO_DEEP],
  ['one field many times', `{ site_list { ${'id '.repeat(19_000)} } }`, REPETITIVE],
  ['one relation many times', `{ ${'site_list { id } '.repeat(4_900)} }`, REPETITIVE],
  [
    'directives on one field many times',
    `{ site_list { ${'id @include(if: true) @skip(if: false) '.repeat(1_300)} } }`,
    REPETITIVE,
  ],
  [
    'the schema many times',
    `{ ${times(9, (i) => `a${i}: __schema { types { name } }`)} }`,
    "A query may have only one field '__schema'.",
  ],
  ['a character that no text may have', filter('"\\u0000"'), NUL],
  ['the same in a variable', `query ($v: String) ${filter('$v')}`, NUL, { v: '\0' }],
  [
    'a filter of 85 levels',
    `query ($f: SiteFilter) { site_list(filters: $f) { id } }`,
    undefined,
    {
      f: JSON.parse(`${'{"NOT":'.repeat(85)}{}${'}'.repeat(85)}`),
    },
  ],
  [
    'many values',
    `query ($v: [ID!]) { site_list(filters: {id: {in_list: $v}}) { id } }`,
    undefined,
    {
      v: Array.from({ length: 100_000 }, (_, index) => index),
    },
  ],
])('%s', async (_what, query, message, variables) => {
  const { status, json, text } = await askBriefly({ query, variables })
  expect(status, text.slice(0, 300)).toBe(200)
  expect(json.errors?.[0]?.message).toBe(message)
})

it.each([
  ['of a variable', 'query ($v: Int) { site_list(pagination: {limit: $v}) { id } }', 'value : "a" '.repeat(50_000)],
  ['of an argument', `{ site_list(pagination: {limit: "${'\\"a\\" '.repeat(50_000)}"}) { id } }`, undefined],
  ['of an id', `{ site(id: "${'9'.repeat(1_000_000)}") { id } }`, undefined],
  ['of a name', `{ ${'a'.repeat(1_000_000)} }`, undefined],
])('a message does not repeat the whole value %s', async (_what, query, v) => {
  const { json } = await askBriefly({ query, variables: { v } })
  expect(String(json.errors?.[0]?.message)).toMatch(/^.{900,1100}…$/)
})
