import { currentLanguage } from './current-language.ts'
import type { Language } from './language.ts'

/** A number with the separators of the page's language: 1,024 or 1.024. */
export const numeral = (value: number): string => FORMATS[currentLanguage()].format(value)

const FORMATS: Readonly<Record<Language, Intl.NumberFormat>> = {
  en: new Intl.NumberFormat('en'),
  de: new Intl.NumberFormat('de'),
}
