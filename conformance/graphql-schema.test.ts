import { expect, it } from 'vitest'
import { compareSchemas } from './graphql-schema.ts'

const BASE = 'type Query { site(id: ID!): Site } type Site { name: String! } union Any = Site'

it.each([
  ['the same schema in another order', `${BASE}`, []],
  ['a type', `${BASE} enum Status { ACTIVE }`, ['Status: does not exist in the reference']],
  ['a field of another type', BASE.replace('String!', 'String'), ['Site.name: is String instead of String!']],
  [
    'a field with its arguments',
    BASE.replace('site(', 'count: Int site('),
    ['Query.count: does not exist in the reference'],
  ],
  ['a missing argument', BASE.replace('(id: ID!)', ''), ['Query.site(id): is missing']],
  ['a default', BASE.replace('ID!', 'ID! = 1'), ['Query.site(id): is ID! = "1" instead of ID!']],
  [
    'a member of a union',
    `${BASE} | Other type Other { x: Int }`,
    ['Other: does not exist in the reference', 'Any Other: does not exist in the reference'],
  ],
])('%s is compared', (_what, own, expected) => {
  const found = compareSchemas(BASE, own).map(({ element, cause }) => `${element}: ${cause}`)
  expect(found.toSorted()).toEqual(expected.toSorted())
})
