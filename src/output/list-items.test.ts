import { expect, it } from 'vitest'
import { listOfItems } from './list-items.ts'

const listOf = (texts: readonly string[], before = '', after = ''): string =>
  listOfItems(
    texts.map((text) => (out) => out.text(text)),
    before,
    after,
  ).toString()

it('writes texts as one list, whatever their characters', () => {
  // Characters of one to four bytes; the last text needs more room than all before it.
  const texts = [['a'], ['é'], ['→'], ['🏢'], ['→'.repeat(10_000)], []].map((each) =>
    JSON.stringify(each),
  )
  expect(listOf(texts, '{"results":', '}')).toBe(`{"results":[${texts.join(',')}]}`)
})

it('leaves room for a comma after a text that fills the buffer', () => {
  for (let length = 0; length < 200; length++) {
    const texts = ['"→"', `"${'→'.repeat(length)}"`, '"b"', '"🏢"']
    expect(listOf(texts)).toBe(`[${texts.join(',')}]`)
  }
})

it('an empty list has no comma', () => {
  expect(listOf([])).toBe('[]')
})
