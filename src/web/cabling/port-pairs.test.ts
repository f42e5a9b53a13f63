import { describe, expect, it } from 'vitest'
import { type PairOrder, pairPorts } from './port-pairs.ts'

const ports = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `${letter}${index + 1}` }))
const ORDER: PairOrder = { firstA: '', firstB: '', most: 100, isReversed: false }

describe('pairs of ports', () => {
  it.each<[string, Partial<PairOrder>, string]>([
    ['end with the shorter side', {}, 'a1-b1 a2-b2 a3-b3'],
    ['begin at the named ports', { firstA: 'a2', firstB: 'b3' }, 'a2-b3 a3-b4'],
    ['are as many as requested', { most: 2 }, 'a1-b1 a2-b2'],
    ['are counted backwards', { isReversed: true }, 'a1-b5 a2-b4 a3-b3'],
    ['are counted backwards from the named port', { isReversed: true, firstB: 'b2' }, 'a1-b2 a2-b1'],
    ['are none from a port that is not free', { firstA: 'a9' }, ''],
  ])('%s', (_what, order, expected) => {
    const pairs = pairPorts(ports('a', 3), ports('b', 5), { ...ORDER, ...order })
    expect(pairs.map(({ a, b }) => `${a.name}-${b.name}`).join(' ')).toBe(expected)
  })
})
