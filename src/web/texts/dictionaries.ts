import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ENGLISH, Language } from './language.ts'

/** The translations of a language, by English text. A text that is missing or has an empty translation stays English. */
export interface Dictionary {
  /** Texts of pages. Names in braces are filled in, `|` separates plural forms. */
  readonly pages: Readonly<Record<string, string>>
  /** Texts of scripts in the browser. */
  readonly scripts: Readonly<Record<string, string>>
  /** Labels of models, fields, headings and choices, in lower case. Those of plugins, for instance, are missing. */
  readonly labels: Readonly<Record<string, string>>
  /** Labels, in lower case, that the language uses as they are. */
  readonly unchanged: readonly string[]
}

/** The file with the translations of a language. */
export const dictionaryFile = (language: string): string =>
  join(import.meta.dirname, '../../../locales', `${language}.json`)

/** Reads the translations of a language. The tests check the form of the file. */
const readDictionary = (language: string): Dictionary => JSON.parse(readFileSync(dictionaryFile(language), 'utf8'))

/** The languages besides English. */
export const dictionaries: Readonly<Record<Exclude<Language, typeof ENGLISH>, Dictionary>> = {
  de: readDictionary('de'),
}
