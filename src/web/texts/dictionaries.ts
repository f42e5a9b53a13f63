import { german } from './german.ts'
import type { ENGLISH, Language } from './language.ts'

/** A text of the pages, in English: one that the German dictionary has. */
export type Text = keyof typeof german.texts

/** A text without placeholders, such as a heading that is declared in one place and displayed in another. */
export type PlainText = Exclude<Text, `${string}{${string}`>

/** The texts of a language. */
export interface Dictionary {
  /** By their English, all of them. */
  readonly texts: Readonly<Record<Text, string>>
  /** By the label of the registry in lower case; those of plugins, for instance, are missing. */
  readonly labels: Readonly<Record<string, string>>
}

/** The languages besides English. */
export const dictionaries: Readonly<Record<Exclude<Language, typeof ENGLISH>, Dictionary>> = {
  de: german,
}
