import { describe, expect, it } from 'vitest'
import { firstCharacters, shortened, shortenedName, wholeCharacters } from './shortened.ts'

const FOX = '🦊'

describe('a text is cut between characters', () => {
  it.each([
    [firstCharacters('abc', 3), 'abc'],
    [firstCharacters('abcd', 3), 'abc'],
    [firstCharacters(FOX.repeat(4), 3), FOX.repeat(3)],
    [firstCharacters(`a${FOX.repeat(4)}`, 3), `a${FOX.repeat(2)}`],
    [firstCharacters('abc', 0), ''],
    [shortened(`a${FOX.repeat(4)}`, 3), `a${FOX}…`],
    [shortenedName(`a${FOX.repeat(4)}`, 3), `a…${FOX}`],
    [wholeCharacters(`${FOX}a${FOX}`.slice(1)), `a${FOX}`],
    [wholeCharacters(`${FOX}a${FOX}`.slice(0, -1)), `${FOX}a`],
    [wholeCharacters(`${FOX}a${FOX}`), `${FOX}a${FOX}`],
  ])('%#: %s', (cut, expected) => {
    expect(cut).toBe(expected)
  })
})
