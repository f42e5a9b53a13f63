import { expect, it } from 'vitest'
import { jsonMarkup } from './json-markup.ts'

const textOf = (text: string): string =>
  jsonMarkup(text)
    .toString()
    .replaceAll(/<[^>]+>/g, '')

it.each([
  [
    'a document has one value per line',
    '{"a":1,"b":[true,null]}',
    '{\n  "a": 1,\n  "b": [\n    true,\n    null\n  ]\n}',
  ],
  ['empty containers stay on their line', '{"a":{},"b":[]}', '{\n  "a": {},\n  "b": []\n}'],
  ['numbers keep their digits', '[12345678901234567890,1.50]', '[\n  12345678901234567890,\n  1.50\n]'],
  ['signs within strings have no meaning', '["a,{b}:\\"[c]"]', '[\n  "a,{b}:\\"[c]"\n]'],
])('%s', (_, text, shown) => {
  expect(textOf(text)).toBe(shown)
})

it('shows only web URLs as links', () => {
  const page = jsonMarkup('{"url":"http://x.example/api/1/","evil":"javascript:alert(1)"}').toString()
  expect(page.match(/href="[^"]*"/g)).toEqual(['href="http://x.example/api/1/"'])
})

it('escapes markup in names and values', () => {
  const page = jsonMarkup('{"<b>":"<script>alert(1)</script>","u":"https://x/\'><i>"}').toString()
  expect(page).not.toMatch(/<(b|script|i)>/)
})
