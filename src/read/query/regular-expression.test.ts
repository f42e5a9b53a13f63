import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '../../../test/support/database.ts'
import type { Database } from '../../db/database.ts'
import { RefusedValue } from './refused-value.ts'
import { checkPattern, placesOf } from './regular-expression.ts'

const counts: readonly (readonly [string, number])[] = [
  ['', 0],
  ['abc', 3],
  ['a{3}', 3],
  ['ab{2,5}c?', 7],
  ['(ab){10}', 20],
  ['((a|b{2}){10}c){10}', 310],
  ['[a-z{9}]{4}', 4],
  ['[]x]{2}[^]y]{2}[[:alpha:]]{2}', 6],
  ['\\w{2}\\{3}', 5],
  ['a{,3}', 5],
  ['(?:a){2}(?=b){2}', 4],
  ['a{2,}', 2],
]

// As a client writes it → as PostgreSQL reads it, or nothing if it is refused.
const spellings: readonly (readonly [string, string | undefined])[] = [
  ['^a.*b$', '^a.*b$'],
  ['\\bword\\B', '\\yword\\Y'],
  ['[\\b]', '[\\b]'],
  ['(?P<name>a)', '(a)'],
  ['^(?:a)', '^(?:a)'],
  ['^(?=.*a)(?!b(c))d', '^(?=.*a)(?!b(c))d'],
  ['^[(?=]', '^[(?=]'],
  ['^\\(?=', '^\\(?='],
  ['(?=a)', undefined],
  ['a(?!b)', undefined],
  ['^a(?!b)', undefined],
  ['^(?=a(?!b))', undefined],
  ['^(a(?=b))', undefined],
  ['^(?<=a)b', undefined],
  ['a(?<!b)', undefined],
  ['x|^(?=a)', undefined],
  ['\\\\1', '\\\\1'],
  ['(a)\\1', undefined],
  ['(?i)a', '(?i)a'],
  ['(?x)(.?) {250}', undefined],
  ['(.?)(?#){250}', undefined],
  ['***:a', undefined],
  ['(', undefined],
  ['*', undefined],
  ['(a{255}){255}', undefined],
  ['(.?){250}(.?){250}', undefined],
  ['a'.repeat(501), undefined],
]

describe('regular expressions', () => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase()
  })
  afterAll(() => database.close())

  it.each(counts)('%s names %i places', (expression, places) => {
    expect(placesOf(expression)).toBe(places)
  })

  it.each(spellings)('%s', async (expression, expected) => {
    const checked = await checkPattern(database, expression).catch((error: unknown) => error)
    if (expected === undefined) expect(checked).toBeInstanceOf(RefusedValue)
    else expect(checked).toBe(expected)
  })
})
