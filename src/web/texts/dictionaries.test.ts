import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import browser from './browser.de.json' with { type: 'json' }
import { dictionaries } from './dictionaries.ts'
import { german } from './german.ts'
import { piecesOf } from './placeholders.ts'

const WEB = dirname(import.meta.dirname)

/** Names in braces, sorted. */
const placeholdersOf = (text: string): readonly string[] =>
  [...new Set(piecesOf(text).flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name])))].sort()

/** Plural forms that a text may have: those of the language's categories, or one for all numbers. */
const formsOf = (language: string): number => new Intl.PluralRules(language).resolvedOptions().pluralCategories.length

/** The files of German texts: if a text is in two of them, the later translation would apply. */
const parts: readonly object[] = globSync('*/{texts,browser,common}.de.json', { cwd: WEB }).map((file) =>
  JSON.parse(readFileSync(join(WEB, file), 'utf8')),
)

describe('the texts of pages', () => {
  it('are in one file each', () => {
    const texts = parts.flatMap(Object.keys)
    expect(texts.sort()).toEqual(Object.keys(german.texts).sort())
  })

  it.each(Object.entries(dictionaries))('are translated to %s with the same placeholders', (_language, { texts }) => {
    const different = Object.entries(texts).filter(
      ([text, translation]) => `${placeholdersOf(text)}` !== `${placeholdersOf(translation)}`,
    )
    expect(different).toEqual([])
  })

  it.each(Object.entries(dictionaries))(
    'are translated to %s with the plural forms of the language',
    (language, { texts }) => {
      const wrong = Object.entries(texts).filter(([text, translation]) => {
        const forms = translation.split('|').length
        return text.includes('|') ? forms !== formsOf(language) : forms > 1
      })
      expect(wrong).toEqual([])
    },
  )

  it('use {count} if they have plural forms', () => {
    const plural = Object.keys(german.texts).filter((text) => text.includes('|'))
    expect(plural.filter((text) => !text.includes('{count}'))).toEqual([])
  })
})

/** A text that a script takes from the page, or a choice of two. */
const USE = /\btranslated\(\s*(?:\w+\s*\?\s*)?'([^']+)'(?:\s*:\s*'([^']+)')?/g

describe('the texts of scripts', () => {
  const sources = globSync('*/*.{js,client.ts}', { cwd: WEB }).map((file) => readFileSync(join(WEB, file), 'utf8'))
  const used = sources.flatMap((source) =>
    [...source.matchAll(USE)].flatMap(([, text = '', other = text]) => [text, other]),
  )

  it('are those that scripts use', () => {
    expect([...new Set(used)].sort()).toEqual(Object.keys(browser).sort())
  })
})
