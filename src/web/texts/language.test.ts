import { describe, expect, it } from 'vitest'
import { languageAccepted, languageNamed } from './language.ts'

describe('the language of a reader', () => {
  it.each([
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5', 'en'],
    ['en;q=0.3, de;q=0.8', 'de'],
    ['de;q=0, en', 'en'],
    ['fr', 'en'],
    ['de;q=nonsense', 'en'],
    ['constructor', 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ])('with Accept-Language %s is %s', (header, language) => {
    expect(languageAccepted(header)).toBe(language)
  })

  it.each([
    ['DE-de', 'de'],
    ['xx', undefined],
    [null, undefined],
    [7, undefined],
  ])('named %s in the preferences is %s', (tag, language) => {
    expect(languageNamed(tag)).toBe(language)
  })
})
