import { describe, expect, test } from 'vitest'
import { fillPlaceholders } from './placeholders.ts'

describe('names of components', () => {
  // template text, positions of module bays, position in the virtual chassis → name
  const cases: readonly [string, string[], number | null, string | undefined][] = [
    ['eth0', ['1'], 2, 'eth0'],
    ['eth{module}/1', [], null, 'eth{module}/1'],
    ['eth{module}/1', ['3'], null, 'eth3/1'],
    ['eth{module}/1', ['3', '4'], null, 'eth4/1'],
    ['eth{module}/{module}/1', ['3', '4'], null, 'eth3/4/1'],
    ['eth{module}/{module}/1', ['3'], null, undefined],
    ['eth{module}', [''], null, 'eth'],
    ['eth{module}', ['$&'], null, 'eth$&'],
    ['ge-{vc_position}/0', [], 2, 'ge-2/0'],
    ['ge-{vc_position}/0', [], null, 'ge-0/0'],
    ['ge-{vc_position:1}/0', [], null, 'ge-1/0'],
    ['ge-{vc_position:1}/0', [], 4, 'ge-4/0'],
    ['ge-{vc_position:}/0', [], null, 'ge-/0'],
    ['{vc_position}:{module}', ['7'], 1, '1:7'],
  ]
  test.each(cases)('%s in bays %j, chassis position %j', (text, positions, chassisPosition, name) => {
    expect(fillPlaceholders(text, { positions, chassisPosition })).toBe(name)
  })
})
