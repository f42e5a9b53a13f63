import { expect, it } from 'vitest'
import { fillMarks } from './page-marks.ts'

it.each([
  ['marks in any order', '<b>x</b>', '1<b>x</b>$&'],
  ['an empty text', '', '1$&'],
])('fills each mark of a page once: %s', (_name, first, filled) => {
  const texts = new Map([
    ['{last}', '$&'],
    ['{first}', first],
    ['{absent}', 'never'],
  ])
  expect(fillMarks('1{first}{last}', texts)).toBe(filled)
})
