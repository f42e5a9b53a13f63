import { expect, it } from 'vitest'
import { StatementCache } from './statement-cache.ts'

/** The name under which each text is prepared, `-` for none, and the name that is closed to make room for it. */
const choose = (cache: StatementCache, texts: string): readonly string[] =>
  [...texts].map((text) => {
    const { name = '-', isNew, evicted } = cache.choose(text)
    return `${name}${isNew ? '' : ' again'}${evicted === undefined ? '' : ` for ${evicted}`}`
  })

// Texts that are sent, one letter each → the name of each.
const cases = [
  { name: 'a text is prepared when it comes again', texts: 'aaa', names: ['-', 'c0', 'c0 again'] },
  {
    name: 'texts that come once evict nothing',
    texts: 'aabcda',
    names: ['-', 'c0', '-', '-', '-', 'c0 again'],
  },
  {
    name: 'the text that was not used for the longest time makes room',
    texts: 'aabbacca',
    names: ['-', 'c0', '-', 'c1', 'c0 again', '-', 'c2 for c1', 'c0 again'],
  },
  {
    name: 'of texts that came once only the last ones count',
    texts: 'abca',
    names: ['-', '-', '-', '-'],
  },
]

it.each(cases)('$name', ({ texts, names }) => {
  expect(choose(new StatementCache(2), texts)).toEqual(names)
})

it('a name is never used again', () => {
  const cache = new StatementCache(2)
  expect(choose(cache, 'aabb')).toEqual(['-', 'c0', '-', 'c1'])
  cache.forget('a')
  cache.clear()
  expect(choose(cache, 'aa')).toEqual(['-', 'c2'])
})

it('a text of a single batch is not prepared', () => {
  const cache = new StatementCache(2)
  const text = 'a'.repeat(20_001)
  expect([cache.choose(text).name, cache.choose(text).name]).toEqual([undefined, undefined])
})
