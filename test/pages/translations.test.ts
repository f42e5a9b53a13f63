import { describe, expect, it } from 'vitest'
import { pageTexts } from '../../scripts/page-texts.ts'
import { missingSentence, updatedDictionaries } from '../../scripts/translations.ts'
import { dictionaries } from '../../src/web/texts/dictionaries.ts'
import { piecesOf } from '../../src/web/texts/placeholders.ts'

/** Names in braces, sorted. */
const placeholdersOf = (text: string): readonly string[] =>
  [...new Set(piecesOf(text).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name])))].sort()

/** Plural forms that a text may have: those of the language's categories, or one for all numbers. */
const formsOf = (language: string): number => new Intl.PluralRules(language).resolvedOptions().pluralCategories.length

const texts = pageTexts()

describe('the texts of pages', () => {
  it('are literals or have the type Text, so that they can be extracted', () => {
    expect(texts.unknown).toEqual([])
  })

  it('use {count} if they have plural forms', () => {
    const plural = [...texts.pages].filter((text) => text.includes('|'))
    expect(plural.filter((text) => !text.includes('{count}'))).toEqual([])
  })

  it('that have several words are extracted from calls, conditions and constants', () => {
    expect(texts.pages).toContain('The record of your network')
    expect(texts.pages).toContain('The journal entry was added.')
    expect(texts.pages).toContain('{count} cable|{count} cables')
    expect(texts.pages).toContain('matches (any case)')
  })
})

describe.each(Object.entries(dictionaries))('the translations to %s', (language, { pages, scripts }) => {
  const translations = Object.entries({ ...scripts, ...pages }).filter(([, translation]) => translation !== '')

  it('have the placeholders of the texts', () => {
    const different = translations.filter(
      ([text, translation]) => `${placeholdersOf(text)}` !== `${placeholdersOf(translation)}`,
    )
    expect(different).toEqual([])
  })

  it('have the plural forms of the language', () => {
    const wrong = translations.filter(([text, translation]) => {
      const forms = translation.split('|').length
      return text.includes('|') ? forms !== formsOf(language) : forms > 1
    })
    expect(wrong).toEqual([])
  })
})

it('missing translations are listed; a release has none', async () => {
  const sentences = (await updatedDictionaries()).flatMap((dictionary) => missingSentence(dictionary) ?? [])
  if (process.env.TEST_SIZE === 'full') expect(sentences).toEqual([])
  else if (sentences.length > 0) console.warn(sentences.join('\n'))
})
