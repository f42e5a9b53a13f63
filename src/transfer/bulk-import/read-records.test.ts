import { describe, expect, test } from 'vitest'
import { asJson } from '../../schema/json.ts'
import { readRecords } from './read-records.ts'

const cells = (text: string) => asJson(readRecords(text).records.map((record) => record.cells))

describe('the format of a text is detected', () => {
  test.each([
    ['commas', 'name,slug\nA,a', 'csv', [{ name: 'A', slug: 'a' }]],
    ['semicolons', 'name;slug\nA;a,b', 'csv', [{ name: 'A', slug: 'a,b' }]],
    ['tabs', 'name\tslug\nA\ta', 'csv', [{ name: 'A', slug: 'a' }]],
    ['one column', 'id\n1\n2', 'csv', [{ id: '1' }, { id: '2' }]],
    ['quotes', 'name,slug\n"A ""x"",\ny",a', 'csv', [{ name: 'A "x",\ny', slug: 'a' }]],
    ['a byte order mark', '\uFEFFname,slug\r\nA,a\r\n\r\n', 'csv', [{ name: 'A', slug: 'a' }]],
    ['a JSON list', '[{"name": "A", "u": 1}]', 'json', [{ name: 'A', u: 1 }]],
    ['a JSON object', '{"name": "A"}', 'json', [{ name: 'A' }]],
    ['a YAML list', '- name: A\n  ports: [1, 2]', 'yaml', [{ name: 'A', ports: [1, 2] }]],
    ['YAML documents', 'name: A\n---\nname: B\n', 'yaml', [{ name: 'A' }, { name: 'B' }]],
  ])('%s', (_what, text, format, expected) => {
    expect(readRecords(text)).toMatchObject({ format, problems: [] })
    expect(cells(text)).toEqual(expected)
  })
})

describe('problems of a text that cannot be read', () => {
  test.each([
    ['nothing', ' \n', { message: 'There is nothing to import.' }],
    ['only a header', 'name,slug', { message: 'There are no rows below the header.' }],
    ['a value too many', 'a,b\n1,2\n1,2,3', { row: 2, message: /3 values for 2 columns/ }],
    ['a value too few', 'a,b\n1', { row: 1, message: /1 values for 2 columns/ }],
    ['a repeated column', 'a,a\n1,2', { column: 'a', message: /twice/ }],
    ['an open quote', 'a,b\n"1,2', { message: /quote/i }],
    ['broken JSON', '[{"a": 1]', { message: /not valid JSON/ }],
    ['broken YAML', '- a: [1', { message: /not valid YAML/ }],
    ['a list of numbers', '[1]', { row: 1, message: /names and values/ }],
  ])('%s', (_what, text, problem) => {
    const [first] = readRecords(text).problems
    expect(first?.message).toMatch(problem.message)
    expect(first).toMatchObject({ ...problem, message: first?.message })
  })
})
