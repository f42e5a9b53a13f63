import { expect, it } from 'vitest'
import { marked } from './search-results.ts'

// value, text → markup
it.each([
  ['ams-sw-01', 'SW', 'ams-<mark>sw</mark>-01'],
  ['<b>sw</b>', 'sw', '&lt;b&gt;<mark>sw</mark>&lt;/b&gt;'],
  ['no match', 'sw', 'no match'],
  // Upper case of ß is two letters, so positions differ.
  ['straße 5 sw', 'sw', 'straße 5 sw'],
  [`${'x'.repeat(100)}sw${'y'.repeat(200)}`, 'sw', `…${'x'.repeat(60)}<mark>sw</mark>${'y'.repeat(120)}…`],
  [`${'🦊'.repeat(40)}xsw${'🦊'.repeat(80)}x`, 'sw', `…${'🦊'.repeat(29)}x<mark>sw</mark>${'🦊'.repeat(60)}…`],
  [`x${'🦊'.repeat(40)}sw`, 'sw', `…${'🦊'.repeat(30)}<mark>sw</mark>`],
  ['z'.repeat(300), 'sw', `${'z'.repeat(180)}…`],
])('in %s, the match of %s is marked', (value, text, expected) => {
  expect(String(marked(value, text))).toBe(expected)
})
