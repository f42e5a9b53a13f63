import { parseInterface } from 'cadastre'
import { describe, expect, it } from 'vitest'
import { type Piece, prefixOf } from './contents.ts'
import { mergePlan } from './plans.ts'

const NOTHING = { prefixes: [], ranges: [], addresses: [] }

const prefix = (text: string, id: number): Piece => {
  const network = parseInterface(text)
  if (!network) throw new Error(`${text} is not a network`)
  return { ...prefixOf(network), id }
}
const merged = (first: string, ...others: readonly string[]) =>
  mergePlan(
    prefix(first, 1),
    others.map((text, index) => prefix(text, index + 2)),
    NOTHING,
    { masks: false },
  )

describe('a merge', () => {
  it.each([
    ['10.0.0.0/24', ['10.0.1.0/24', '10.0.1.128/25'], '10.0.1.0/24 and 10.0.1.128/25 overlap.'],
    ['10.0.1.128/26', ['10.0.0.0/24', '10.0.1.0/24', '10.0.1.64/26'], '10.0.1.0/24 and 10.0.1.64/26 overlap.'],
    ['10.0.0.0/25', ['10.0.0.128/25', '10.0.0.128/25'], '10.0.0.128/25 and 10.0.0.128/25 overlap.'],
    ['10.0.0.0/23', ['10.0.0.0/25', '10.0.0.0/26', '10.0.0.0/24'], '10.0.0.0/24 and 10.0.0.0/25 overlap.'],
    ['10.0.0.0/23', ['10.0.1.0/25', '10.0.0.0/24', '10.0.1.64/26'], '10.0.1.0/25 and 10.0.1.64/26 overlap.'],
  ])('of %s with %j is refused', (first, others, sentence) => {
    expect(() => merged(first, ...others)).toThrow(
      expect.objectContaining({ reason: expect.objectContaining({ messages: { prefixes: [sentence] } }) }),
    )
  })

  it('of thousands of prefixes is planned at once', () => {
    const parts = Array.from({ length: 16_384 }, (_, index) => `10.0.${index >> 6}.${(index & 63) * 4}/30`)
    const [first = '', ...others] = parts.toReversed()
    const began = performance.now()
    expect(merged(first, ...others).change[0]?.fields.prefix).toEqual(['10.0.255.252/30', '10.0.0.0/16'])
    // Comparing all pairs takes ten times as long.
    expect(performance.now() - began).toBeLessThan(3_000)
  })
})
