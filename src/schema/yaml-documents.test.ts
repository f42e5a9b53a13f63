import { expect, it } from 'vitest'
import { asJson, asPlain, asTexts } from './json.ts'
import { readYamlDocuments } from './yaml-documents.ts'

const NINE = (alias: string) => `[${Array(9).fill(alias).join(', ')}]`
const BOMB = [`a: &a ${NINE('1')}`, `b: &b ${NINE('*a')}`, `c: &c ${NINE('*b')}`, `d: ${NINE('*c')}`].join('\n')

it.each([
  { name: 'several documents', text: 'a: 1\n---\nb: [x]\n', documents: [{ a: 1 }, { b: ['x'] }] },
  { name: 'JSON', text: '{\n\t"a": ["x\\u0041", null]\n}', documents: [{ a: ['xA', null] }] },
  { name: 'nothing but a comment', text: '# later\n', documents: [] },
  {
    name: 'words and dates as the texts that they are',
    text: 'a: yes\nb: 2026-01-01\nc: 12:30',
    documents: [{ a: 'yes', b: '2026-01-01', c: '12:30' }],
  },
  {
    name: 'aliases',
    text: `a: &a ${NINE('1')}\nb: *a`,
    documents: [{ a: Array(9).fill(1), b: Array(9).fill(1) }],
  },
])('$name are read', ({ text, documents }) => {
  expect(asJson(readYamlDocuments(text))).toEqual(documents)
})

it.each([
  ['12E4', 120000],
  ['08', 8],
  ['+5', 5],
  ['5.', 5],
  ['0x1F', 31],
  ['True', true],
  ['false', false],
  ['1', 1],
])('%s is a scalar with its text', (text, value) => {
  const [document] = readYamlDocuments(`a: ${text}\n${text}: b`)
  expect(asTexts(document ?? null)).toEqual({ a: text, [text]: 'b' })
  expect(asPlain(document ?? null)).toEqual({ a: value, [text]: 'b' })
})

it.each([
  { name: 'a name that an object has twice', text: 'a: 1\nb: {c: 1, c: 2}', says: /\(2:11\)/ },
  { name: 'a list without an end', text: 'a: [1, 2', says: /\(1:9\)/ },
  { name: 'a type of another program', text: 'a: !!js/function "x"', says: /tag.*\(1:4\)/ },
  { name: 'an alias of nothing', text: 'a: *b', says: /"b" \(1:5\)/ },
  { name: 'an alias of the list that it is in', text: 'a: &a [*a]', says: /too many values/ },
  { name: 'aliases that stand for thousands of values', text: BOMB, says: /too many values/ },
])('$name is refused', ({ text, says }) => {
  expect(() => readYamlDocuments(text)).toThrow(says)
})
