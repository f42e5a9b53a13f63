import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type Json } from '../../schema/json.ts'
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

type Translated = Exclude<Language, typeof ENGLISH>

/** The languages besides English. */
export const dictionaries: Record<Translated, Dictionary> = { de: readDictionary('de') }

/** Parts of a dictionary that a pack can have. */
const PARTS = ['pages', 'scripts', 'labels'] as const

/**
 * Adds the translations in the folder of a pack: files such as `de.json`. Those of the program take precedence. Throws an
 * Error with a sentence for a file that is not a dictionary.
 */
export function addTranslations(folder: string): void {
  for (const language of Object.keys(dictionaries) as Translated[]) {
    const file = join(folder, `${language}.json`)
    if (!existsSync(file)) continue
    const added: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!isJsonObject(added)) throw new Error(`${file} is not a dictionary`)
    const own = dictionaries[language]
    const parts = PARTS.map((part) => [part, { ...textsIn(file, added[part]), ...own[part] }] as const)
    dictionaries[language] = { ...own, ...Object.fromEntries(parts) }
  }
}

function textsIn(file: string, value: Json | undefined): Readonly<Record<string, string>> {
  const texts = isJsonObject(value) ? Object.entries(value) : []
  if (texts.some(([, text]) => typeof text !== 'string'))
    throw new Error(`${file} has a translation that is not a text`)
  return Object.fromEntries(texts) as Readonly<Record<string, string>> // as just checked
}
