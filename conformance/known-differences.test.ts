import { describe, expect, it } from 'vitest'
import { explanation, expressionOf, parseKnownDifferences } from './known-differences.ts'
import type { Outcome, Part } from './outcome.ts'

const HEAD = '| id | where (pattern) | difference | reason |\n|---|---|---|---|\n'

describe('a pattern', () => {
  const cases: readonly [pattern: string, text: string, isMatch: boolean][] = [
    ['/api/a/?x=1', '/api/a/?x=1', true],
    ['/api/a/?x=1', '/api/a/x=1', false],
    ['/api/*', '/api/a/?x=1', true],
    ['/api/*', 'GET /api/a/', false],
    ['/api/*__{ic,nie}=*%C3%9F*', '/api/dcim/sites/?name__nie=%C3%9F', true],
    ['/api/*__{ic,nie}=*%C3%9F*', '/api/dcim/sites/?name__ie=%C3%9F', false],
    ['a.b step 1', 'a.b step 1', true],
    ['a.b step 1', 'a.b step 11', false],
    ['a.b step 1', 'axb step 1', false],
    ['status 400 {name}', 'status 400 {name}', true],
    ['*{,s}', 'sites', true],
  ]
  it.each(cases)('%s on %s: %s', (pattern, text, isMatch) => {
    expect(expressionOf(pattern).test(text)).toBe(isMatch)
  })
})

describe('a table', () => {
  it('may be anywhere in the page, among other tables', () => {
    const page = `# Title\n\n| a | b |\n|---|---|\n| x | y |\n\n${HEAD}| one | \`p\`, \`q\` | \`c \\| d\`: text | Why |\n\nEnd`
    const rows = parseKnownDifferences(page)
    expect(rows.map(({ id, where, causes }) => [id, where.length, causes.length])).toEqual([['one', 2, 1]])
    expect(rows[0]?.causes[0]?.test('c | d')).toBe(true)
  })

  const broken: readonly [name: string, row: string, message: string][] = [
    ['no pattern', '| one | everywhere | text | Why |', 'known difference one: the second column'],
    ['no reason', '| one | `p` | text | |', 'known difference one: a row needs a reason'],
    ['no id', '| | `p` | text | Why |', 'known difference (no id): a row needs an id'],
    ['a pattern for everything', '| one | `*` | text | Why |', 'a pattern matches all cases'],
    ['an id twice', '| one | `p` | t | Why |\n| one | `q` | t | Why |', 'another row has this id'],
  ]
  it.each(broken)('with %s is refused', (_name, row, message) => {
    expect(() => parseKnownDifferences(HEAD + row)).toThrow(message)
  })
})

describe('a failed case', () => {
  const failed = (part: Part, id: string, ...causes: readonly string[]): Outcome => ({
    part,
    id,
    resource: 'dcim/sites',
    kind: 'param',
    context: '',
    differences: causes.map((cause) => ({ cause })),
  })
  const rows = parseKnownDifferences(
    `${HEAD}| redirect | \`GET /api*\` | \`status 302 instead of 301\` | Why |
| vary | \`/api/a/*\` | \`header Vary differs\` | Why |
| all | \`/api/b/\`, \`s.t step {2,3}\` | whatever | Why |`,
  )
  const ids = (outcome: Outcome): string[] => explanation(outcome, rows).map(({ id }) => id)

  it('is explained if all of its differences are', () => {
    expect(ids(failed('bodies', 'GET /api/a/', 'header Vary differs'))).toEqual(['vary'])
    expect(ids(failed('bodies', 'GET /api/a/', 'header Vary differs', 'status 302 instead of 301'))).toEqual([
      'vary',
      'redirect',
    ])
    expect(ids(failed('scenarios', 's.t step 3', 'anything'))).toEqual(['all'])
    expect(ids(failed('scenarios', 's.t@4.7 step 3', 'anything'))).toEqual(['all'])
  })

  it('is not explained if one difference is not', () => {
    expect(ids(failed('bodies', 'GET /api/a/', 'header Vary differs', 'field x differs'))).toEqual([])
    expect(ids(failed('scenarios', 's.t step 4', 'anything'))).toEqual([])
  })

  it('is identified by its path, or by method and path if only one method differs', () => {
    expect(ids(failed('filters', '/api/b/', 'ids differ'))).toEqual(['all'])
    expect(ids(failed('bodies', 'PUT /api/b/', 'x'))).toEqual(['all'])
    expect(ids(failed('bodies', 'PUT /api/a/', 'status 302 instead of 301'))).toEqual([])
  })
})
