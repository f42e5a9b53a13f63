import type { Text } from './catalogue.ts'
import { german } from './german.ts'
import type { ENGLISH, Language } from './language.ts'

/** The texts of a language. */
export interface Dictionary {
  /** By the text of the catalogue, all of them. */
  readonly texts: Readonly<Record<Text, string>>
  /** By the label of the registry in lower case; those of plugins, for instance, are missing. */
  readonly labels: Readonly<Record<string, string>>
}

/** The languages besides English. */
export const dictionaries: Readonly<Record<Exclude<Language, typeof ENGLISH>, Dictionary>> = {
  de: german,
}
