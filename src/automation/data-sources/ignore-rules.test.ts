import { expect, test } from 'vitest'
import { ignoredPaths } from './ignore-rules.ts'

test.each([
  ['', 'a.txt', false],
  ['', '.git/config', true],
  ['', 'a/.hidden/b.txt', true],
  ['', 'a/.env', true],
  ['*.tmp', 'a/b.tmp', true],
  ['*.tmp', 'a/b.tmp.txt', false],
  ['templates/*', 'templates/a/b.j2', true],
  ['templates/*', 'other/templates/b.j2', false],
  ['b.txt', 'a/b.txt', true],
  ['a/?.txt', 'a/b.txt', true],
  ['a/?.txt', 'a/bc.txt', false],
  ['[ab].txt', 'b.txt', true],
  ['[ab].txt', 'c.txt', false],
  ['[!ab].txt', 'c.txt', true],
  ['[!ab].txt', 'a.txt', false],
  ['[0-9]*', '7up', true],
  ['[]a].txt', '].txt', true],
  ['[.txt', '[.txt', true],
  ['a+b(c).txt', 'a+b(c).txt', true],
  ['a.txt', 'aXtxt', false],
  ['A.txt', 'a.txt', false],
  ['# comment\n\n  x.txt  ', 'x.txt', true],
  ['ü*', 'ünï.txt', true],
])('the rules %j exclude %s: %s', (rules, path, expected) => {
  expect(ignoredPaths(rules)(path)).toBe(expected)
})
