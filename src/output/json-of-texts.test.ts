import { expect, it } from 'vitest'
import { jsonListOfTexts } from './json-of-texts.ts'

it.each([0, 1, 6, 1_000])(
  'writes texts as one list, whatever their characters, if %d are expected',
  (count) => {
    // Characters of one to four bytes; the last text needs more room than all before it.
    const texts = [['a'], ['é'], ['→'], ['🏢'], ['→'.repeat(10_000)], []].map((each) =>
      JSON.stringify(each),
    )
    expect(jsonListOfTexts(texts, count, '{"results":', '}').toString()).toBe(
      `{"results":[${texts.join(',')}]}`,
    )
  },
)

it('leaves room for a comma after a text that fills the buffer', () => {
  for (let length = 0; length < 200; length++) {
    const texts = ['"→"', `"${'→'.repeat(length)}"`, '"b"', '"🏢"']
    expect(jsonListOfTexts(texts, 1, '', '').toString()).toBe(`[${texts.join(',')}]`)
  }
})

it('an empty list has no comma', () => {
  expect(jsonListOfTexts([], 0, '', '').toString()).toBe('[]')
})
