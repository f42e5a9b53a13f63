import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BROWSER_TEXTS } from './catalogue/browser.ts'
import { TEXTS } from './catalogue.ts'
import { dictionaries } from './dictionaries.ts'
import { piecesOf } from './placeholders.ts'

/** Names in braces of one form, sorted. */
const placeholdersOf = (form: string): readonly string[] =>
  [
    ...new Set(piecesOf(form).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name]))),
  ].sort()

/** Plural forms that a text may have: those of the language's categories, or one for all numbers. */
const formsOf = (language: string): number =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories.length

describe('the catalogue', () => {
  it('has each text once', () => {
    expect(TEXTS.filter((text, index) => TEXTS.indexOf(text) !== index)).toEqual([])
  })

  it.each(Object.entries(dictionaries))(
    'is translated to %s with the same placeholders',
    (_language, { texts }) => {
      const different = TEXTS.filter((text) => {
        const own = new Set(placeholdersOf(text))
        return (
          texts[text]
            .split('|')
            .some((form) => placeholdersOf(form).some((name) => !own.has(name))) ||
          [...own].some((name) => !placeholdersOf(texts[text]).includes(name))
        )
      })
      expect(different).toEqual([])
    },
  )

  it.each(Object.entries(dictionaries))(
    'is translated to %s with the plural forms of the language',
    (language, { texts }) => {
      const wrong = TEXTS.filter((text) => {
        const forms = texts[text].split('|').length
        return text.includes('|') ? forms !== formsOf(language) : forms > 1
      })
      expect(wrong).toEqual([])
    },
  )

  it('counts by {count} where it has plural forms', () => {
    expect(TEXTS.filter((text) => text.includes('|') && !text.includes('{count}'))).toEqual([])
  })
})

/** A text that a script takes from the page, or a choice of two. */
const USE = /\btranslated\(\s*(?:\w+\s*\?\s*)?'([^']+)'(?:\s*:\s*'([^']+)')?/g

describe('the texts of scripts', () => {
  const directory = join(import.meta.dirname, '../pages')
  const sources = globSync('{static/*.js,islands/*.ts}', { cwd: directory }).map((file) =>
    readFileSync(join(directory, file), 'utf8'),
  )
  const used = sources.flatMap((source) =>
    [...source.matchAll(USE)].flatMap(([, text = '', other = text]) => [text, other]),
  )

  it('are those that scripts use', () => {
    expect([...new Set(used)].sort()).toEqual([...BROWSER_TEXTS].sort())
  })
})
