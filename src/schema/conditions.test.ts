import { describe, expect, test } from 'vitest'
import { complainOfConditions, meetsConditions } from './conditions.ts'
import type { Json } from './json.ts'

const data = {
  name: 'core-1',
  status: { value: 'active' },
  units: 4,
  tags: [{ slug: 'a' }, { slug: 'b' }],
  site: null,
}

describe('conditions', () => {
  // Conditions → whether the data satisfy them; undefined: the data lack a required attribute.
  const cases: readonly [string, Json, boolean | undefined][] = [
    ['equal', { attr: 'status.value', value: 'active' }, true],
    ['not equal', { attr: 'status.value', value: 'active', negate: true }, false],
    ['beginning', { attr: 'name', op: 'regex', value: 'core' }, true],
    ['regex elsewhere', { attr: 'name', op: 'regex', value: 'ore' }, false],
    ['greater', { attr: 'units', op: 'gt', value: 3 }, true],
    ['text against number', { attr: 'name', op: 'gt', value: 3 }, undefined],
    ['among', { attr: 'units', op: 'in', value: [4, 5] }, true],
    ['list contains', { attr: 'tags.slug', op: 'contains', value: 'b' }, true],
    ['null', { attr: 'site', value: null }, true],
    ['unknown name', { attr: 'nothing', value: 1 }, undefined],
    [
      'all',
      {
        and: [
          { attr: 'units', value: 4 },
          { attr: 'units', value: 5 },
        ],
      },
      false,
    ],
    [
      'any',
      {
        or: [
          { attr: 'units', value: 5 },
          { attr: 'units', value: 4 },
        ],
      },
      true,
    ],
    ['none', { and: [] }, true],
    ['nested', { and: [{ or: [{ attr: 'units', value: 4 }] }] }, true],
  ]
  test.each(cases)('%s', (_name, conditions, expected) => {
    expect(complainOfConditions(conditions)).toBeUndefined()
    expect(meetsConditions(conditions, { data })).toBe(expected)
  })

  const before = { status: 'planned', name: 'core-1', vlans: [1] }
  const after = { status: 'active', name: 'core-1', vlans: [1, 2] }
  // Snapshots and a condition → whether it is met.
  const changes: readonly [string, Json, Json, Json, boolean | undefined][] = [
    ['changed', before, after, { attr: 'status', op: 'changed' }, true],
    ['not changed', before, after, { attr: 'name', op: 'changed' }, false],
    ['unchanged', before, after, { attr: 'name', op: 'unchanged' }, true],
    ['changed, negated', before, after, { attr: 'status', op: 'changed', negate: true }, false],
    ['a changed list', before, after, { attr: 'vlans', op: 'changed' }, true],
    ['changed by a creation', null, after, { attr: 'status', op: 'changed' }, true],
    ['changed by a deletion', before, null, { attr: 'status', op: 'changed' }, true],
    ['an unknown name', before, after, { attr: 'nothing', op: 'changed' }, undefined],
    ['an unknown name, negated', before, after, { attr: 'nothing', op: 'unchanged', negate: true }, undefined],
    ['the value before', before, after, { attr: 'snapshots.prechange.status', value: 'planned' }, true],
    ['the value after', before, after, { attr: 'snapshots.postchange.status', value: 'planned' }, false],
    ['the value before a creation', null, after, { attr: 'snapshots.prechange.status', value: null }, true],
    [
      'an unknown value before a creation',
      null,
      after,
      { attr: 'snapshots.prechange.nothing', value: null },
      undefined,
    ],
    [
      'a regex on the value before',
      before,
      after,
      { attr: 'snapshots.prechange.name', op: 'regex', value: 'core' },
      true,
    ],
  ]
  test.each(changes)('%s', (_name, prechange, postchange, condition, expected) => {
    expect(complainOfConditions(condition)).toBeUndefined()
    const subject = { data, snapshots: { prechange, postchange } }
    expect(meetsConditions(condition, subject)).toBe(expected)
  })

  test('an event without snapshots meets no condition about changes', () => {
    const condition = { attr: 'status', op: 'unchanged', negate: true }
    expect(meetsConditions(condition, { data })).toBeUndefined()
  })

  const refused: readonly [string, Json][] = [
    ['text', 'x'],
    ['list', []],
    ['another word', { not: [] }],
    ['no list', { and: { attr: 'a', value: 1 } }],
    ['no value', { attr: 'a', op: 'eq' }],
    ['an unknown name', { attr: 'a', value: 1, more: 2 }],
    ['an object as value', { attr: 'a', value: {} }],
    ['an order of texts', { attr: 'a', op: 'lt', value: 'x' }],
    ['a value of an operator without one', { attr: 'a', op: 'changed', value: 1 }],
    ['a path of an operator for names', { attr: 'a.b', op: 'unchanged' }],
    ['a nested one', { and: [{ or: [{ attr: 'a', op: 'no', value: 1 }] }] }],
  ]
  test.each(refused)('refused: %s', (_name, conditions) => {
    expect(complainOfConditions(conditions)).toBeTypeOf('string')
  })
})
