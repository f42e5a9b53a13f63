import { describe, expect, it } from 'vitest'
import { connectionCounts, fillingOf, nameFilter } from './options.ts'

const GIVEN = { storage: 'pglite', seconds: 1, connections: [1] } as const

const fillings = [
  { name: 'a data set', given: { data: 'set' }, filling: { kind: 'import', directory: 'set' } },
  {
    name: 'sizes',
    given: { scale: '0.5', cables: '7' },
    filling: { kind: 'generate', options: ['--scale', '0.5', '--cables', '7'] },
  },
  {
    name: 'no option',
    given: {},
    filling: { kind: 'generate', options: ['--devices', '10000'] },
  },
]

describe('the data of a server under test', () => {
  it.each(fillings)('follows from the options: $name', ({ given, filling }) => {
    expect(fillingOf({ ...GIVEN, ...given })).toEqual(filling)
  })
})

it('requests are chosen by a part of their name, in any case', () => {
  const names = ['GraphQL: sites', 'sites, 50']
  expect(names.filter(nameFilter('graphql'))).toEqual(['GraphQL: sites'])
  expect(names.filter(nameFilter())).toEqual(names)
})

it('numbers of connections are separated by commas', () => {
  expect(connectionCounts('1,8')).toEqual([1, 8])
  expect(() => connectionCounts('1,x')).toThrow('Whole numbers above 0')
  expect(() => connectionCounts('0')).toThrow('Whole numbers above 0')
})
