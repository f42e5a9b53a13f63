import { describe, expect, it } from 'vitest'
import { parseLeftOut } from './dataset-check.ts'
import { errorKeys } from './error-keys.ts'
import { percentEncoded } from './http-client.ts'
import type { Json } from './json.ts'
import { valueAt } from './pointer.ts'
import { resourceOf } from './resources.ts'
import { fill, initialVariables, soon, unresolved, type Variables } from './variables.ts'

it.each<[pointer: string, value: Json | undefined]>([
  ['/a/1/b', 2],
  ['/a~1b', 3],
  ['/m~0n', 4],
  ['/a/7', undefined],
  ['/a/x', undefined],
  ['/none/b', undefined],
  ['/toString', undefined],
])('pointer %s selects %s', (pointer, value) => {
  expect(valueAt({ a: [1, { b: 2 }], 'a/b': 3, 'm~n': 4 }, pointer)).toBe(value)
})

it.each<[body: Json, keys: readonly string[]]>([
  [{ name: ['Required.'], slug: ['Required.'] }, ['name', 'slug']],
  [{ tags: [{}, { name: ['x'] }] }, ['tags.1.name']],
  [[{ name: ['x'] }, {}], ['0.name']],
  [{ tags: [['x'], ['y']] }, ['tags.0', 'tags.1']],
  [['A bare message.'], []],
  [{}, []],
  [{ detail: 'Not found.' }, ['detail']],
])('messages of %j are at %j', (body, keys) => {
  expect(errorKeys(body)).toEqual(keys)
})

describe('variables', () => {
  const variables: Variables = new Map<string, Json>([
    ['id', 7],
    ['name', 'n'],
  ])
  it('have their own type alone and are text within a text', () => {
    const document = { '{name}_k': ['{id}', '/x/{id}/', '{{ id }}', '{other}', '{Name}'] }
    expect(fill(document, variables)).toEqual({
      n_k: [7, '/x/7/', '{{ id }}', '{other}', '{Name}'],
    })
  })

  it('without a value are reported wherever they occur in a case', () => {
    const document = { '{a}': ['x {b}', '{id}', '{template}'] }
    expect(unresolved(document, variables, new Set(['a', 'b', 'id']))).toEqual(new Set(['a', 'b']))
  })

  it('of a scenario are derived from the id of the scenario and the salt', () => {
    const first = initialVariables('dcim.sites.crud', 'salt', 'http://h')
    expect(first.get('tag')).toMatch(/^w[0-9a-f]{6}$/)
    expect(first.get('ctag')).toBe(`W${String(first.get('tag')).slice(1)}`)
    expect(first.get('asn19')).toBe(Number(first.get('asn0')) + 19)
    expect(initialVariables('dcim.sites.crud', 'salt', 'http://h')).toEqual(first)
    expect(initialVariables('dcim.sites.crud', 'pepper', 'http://h').get('tag')).not.toBe(first.get('tag'))
  })

  it('include a time three seconds ahead', () => {
    expect(soon(new Date('2029-12-31T23:59:57.900Z'))).toBe('2030-01-01T00:00:00Z')
  })
})

it.each([
  ['/api/dcim/sites/?x=1', 'dcim/sites'],
  ['/api/dcim/sites/5/', 'dcim/sites'],
  ['/api/dcim/sites', 'dcim/sites'],
  ['{base}/api/ipam/vrfs/', 'ipam/vrfs'],
  ['/api/dcim/', 'dcim'],
  ['/api/status/', 'status'],
  ['/api/', 'api'],
  ['/nope/', 'nope'],
])('%s belongs to %s', (path, resource) => {
  expect(resourceOf(path)).toBe(resource)
})

it('a path is encoded once', () => {
  expect(percentEncoded('/a/?q=x y&r=%20ß"{}')).toBe('/a/?q=x%20y&r=%20%C3%9F%22%7B%7D')
})

it('excluded fields belong to the resource that precedes them', () => {
  expect(parseLeftOut(['created,dcim/sites:a,b.c', 'x'])).toEqual(
    new Map([
      ['*', ['created', 'x']],
      ['dcim/sites', ['a', 'b.c']],
    ]),
  )
})
