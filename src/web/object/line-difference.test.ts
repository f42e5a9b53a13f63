import { describe, expect, it } from 'vitest'
import { lineDifference } from './line-difference.ts'

const SIGNS = { same: ' ', removed: '-', added: '+' } as const

describe('the comparison of two texts', () => {
  it.each([
    ['the same text', 'a\nb', 'a\nb\n', ' a| b'],
    ['a changed line', 'a\nb\nc', 'a\nx\nc', ' a|-b|+x| c'],
    ['an added line', 'a\nc', 'a\nb\nc', ' a|+b| c'],
    ['a removed line, with other line breaks', 'a\r\nb\r\nc\r\n', 'a\nc\n', ' a|-b| c'],
    ['lines in common between differences', 'a\nb\nc\nd', 'x\nb\ny\nd', '-a|+x| b|-c|+y| d'],
    ['an empty text', '', 'a', '+a'],
  ])('shows %s', (_what, before, after, expected) => {
    const lines = lineDifference(before, after).map(({ kind, text }) => `${SIGNS[kind]}${text}`)
    expect(lines.join('|')).toBe(expected)
  })

  it('shows texts that are too long to compare as replaced', () => {
    const text = (word: string) => Array.from({ length: 3000 }, (_, line) => `${word} ${line}`).join('\n')
    const kinds = lineDifference(text('old'), text('new')).map(({ kind }) => kind)
    expect([kinds.filter((kind) => kind === 'removed').length, kinds.length]).toEqual([3000, 6000])
  })
})
