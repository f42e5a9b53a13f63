import { expect, it } from 'vitest'
import { indentJson } from './indent.ts'

it.each([
  ['nothing in it', '{"a":[],"b":{}}'],
  ['nested', '{"a":[1,{"b":"c"},[true,null]],"d":-1.5}'],
  ['signs within strings', '{"a{":"[,:]","b\\"":"\\\\"}'],
  ['a bare value', '"x"'],
])('the layout is that of JSON.stringify: %s', (_name, text) => {
  expect(indentJson(text, 4)).toBe(JSON.stringify(JSON.parse(text), null, 4))
})

it('numbers keep their notation', () => {
  expect(indentJson('[12345678901234567890,1.50]', 2)).toBe('[\n  12345678901234567890,\n  1.50\n]')
})
