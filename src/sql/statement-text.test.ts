import { describe, expect, it } from 'vitest'
import { beginningOfText } from './statement-text.ts'

const textOf = (...pieces: readonly string[]): string =>
  pieces.reduce((beginning, piece) => beginning.with(piece), beginningOfText()).text

describe('a text', () => {
  it.each([
    { pieces: [], text: '' },
    { pieces: ['select 1'], text: 'select 1' },
    { pieces: ['select ', '$1', ''], text: 'select $1' },
    { pieces: ['select ', '$1', ', ', '$2'], text: 'select $1, $2' },
    { pieces: ['select ', '$1', ' from t'], text: 'select $1 from t' },
    { pieces: ['', 'sel', 'ect ', '$1, $2'], text: 'select $1, $2' },
  ])('of $pieces is "$text", in whatever order texts are built', ({ pieces, text }) => {
    for (let time = 0; time < 2; time++) expect(textOf(...pieces)).toBe(text)
  })

  it('is right after more texts than are cached', () => {
    for (let index = 0; index < 60_000; index++) {
      const text = `select ${index}`
      if (textOf('select ', String(index)) !== text) expect.fail(`${text} is wrong`)
    }
    expect(textOf('select ', '$1')).toBe('select $1')
  })

  it('goes on from a beginning that is no longer cached', () => {
    const begun = beginningOfText().with('select ')
    for (let index = 0; index < 60_000; index++) textOf('update ', String(index))
    expect(begun.with('$1').with(' from t').text).toBe('select $1 from t')
  })
})
