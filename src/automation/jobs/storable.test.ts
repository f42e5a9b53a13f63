import { expect, it } from 'vitest'
import { storableJson, storableText } from './storable.ts'

it.each([
  ['a\0b', '"a\ufffdb"'],
  ['\ud800x', '"\ufffdx"'],
  ['😀', '"😀"'],
  ['\\u0000', '"\\\\u0000"'],
  ['\\\0', '"\\\\\ufffd"'],
])('the JSON of %j can be stored', (text, json) => {
  expect(storableJson(text)).toBe(json)
})

it('characters that cannot be stored are removed from a text', () => {
  expect(storableText('a\0\ud800😀')).toBe('a\ufffd\ufffd😀')
})
